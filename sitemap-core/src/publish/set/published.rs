//! Reads the manifest of the published set, without a lock.

use super::current::CurrentSet;
use super::history::History;
use super::keepable;
use super::manifest::{Kind, Row};
use crate::publish::error::PublishError;
use crate::storage::Storage;
use crate::value::Site;

/// Returns the rows of the files with pages, in the order of the index, and the highest numbers of pages. Returns no row
/// if nothing is published.
pub(crate) fn published_rows(
    storage: &dyn Storage,
    site: &Site,
) -> Result<(Vec<Row>, History), PublishError> {
    let current = CurrentSet::read(storage, false)?;
    keepable::check_manifest(&current, storage, site)?;
    let rows = current.manifest.rows.into_iter().filter(|row| row.kind == Kind::Pages);
    Ok((rows.collect(), current.manifest.history))
}
