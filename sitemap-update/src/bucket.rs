//! Writes the pages of one hash bucket.

use std::collections::BTreeMap;
use std::sync::Arc;

use sitemap_core::publish::{PublisherBuilder, ShardRow};
use sitemap_core::{Entry, Storage};

use crate::error::UpdateError;
use crate::namespaces::declare;
use crate::place::Place;

/// Pages by URL. The files list them in this order, so the same pages always give the same bytes.
pub(crate) type Pages = BTreeMap<String, Entry<'static>>;

/// Writes the shards of a bucket, and returns their rows. A bucket without pages has no shard.
pub(crate) fn write(
    builder: &PublisherBuilder,
    storage: &Arc<dyn Storage>,
    place: &Place<'_>,
    pages: &Pages,
) -> Result<Vec<ShardRow>, UpdateError> {
    write_all(builder, storage, place, pages.values())
}

/// Writes the recent section in the format of a place. Entries that do not fit into one file continue in further files.
pub(crate) fn write_recent<'p>(
    builder: &PublisherBuilder,
    storage: &Arc<dyn Storage>,
    place: &Place<'_>,
    entries: impl Iterator<Item = &'p Entry<'static>> + Clone,
) -> Result<Vec<ShardRow>, UpdateError> {
    let builder = declare(place.apply(builder.clone()).deprecated(true), entries.clone());
    let mut shards = builder.write_recent(Arc::clone(storage));
    for entry in entries {
        shards.add(0, entry)?;
    }
    Ok(shards.finish()?.into_rows())
}

/// Writes pages in the order in which they are.
pub(crate) fn write_all<'p>(
    builder: &PublisherBuilder,
    storage: &Arc<dyn Storage>,
    place: &Place<'_>,
    pages: impl Iterator<Item = &'p Entry<'static>> + Clone,
) -> Result<Vec<ShardRow>, UpdateError> {
    // The pages may have deprecated elements, which must stay.
    let builder = declare(place.apply(builder.clone()).deprecated(true), pages.clone());
    let mut shards = builder.write_shards(Arc::clone(storage), place.section, place.buckets)?;
    for page in pages {
        shards.add(place.bucket, page)?;
    }
    Ok(shards.finish()?.into_rows())
}
