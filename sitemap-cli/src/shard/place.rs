//! The folder or object store of the shards.

use std::sync::Arc;

use sitemap_core::storage::Storage;

use crate::build::out::open_storage;
use crate::error::Outcome;

pub(super) fn open(out: &str) -> Outcome<Arc<dyn Storage>> {
    open_storage(out.as_ref())
}
