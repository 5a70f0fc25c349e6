//! Reads the manifest of the published set, without a lock.

use super::changes::ChangeCounts;
use super::current::CurrentSet;
use super::history::History;
use super::keepable;
use super::manifest::{Kind, Manifest, Row};
use super::positions::Positions;
use crate::publish::error::PublishError;
use crate::storage::Storage;
use crate::value::Site;

/// What the manifest says about the pages of a set.
pub(crate) struct PublishedRows {
    /// The rows of the files with pages, in the order of the index. There is none if nothing is published.
    pub(crate) rows: Vec<Row>,
    /// The stored bytes of all indexes.
    pub(crate) index_bytes: u64,
    /// The mean length of a row in the manifest.
    pub(crate) row_bytes: u64,
    /// The highest numbers of pages that the set had in the last weeks.
    pub(crate) history: History,
    /// The numbers of pages that the last updates have changed.
    pub(crate) changes: ChangeCounts,
    /// Up to where the sections contain the changes of other systems.
    pub(crate) positions: Positions,
}

/// Reads the manifest of the published set.
pub(crate) fn published_rows(storage: &dyn Storage, site: &Site) -> Result<PublishedRows, PublishError> {
    let current = CurrentSet::read(storage, false)?;
    keepable::check_manifest(&current, storage, site)?;
    let Manifest { rows, history, changes, positions, .. } = current.manifest;
    let indexes = rows.iter().filter(|row| row.kind == Kind::Index);
    let index_bytes = indexes.map(|row| row.metadata.len).sum();
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.kind == Kind::Pages).collect();
    let row_bytes = row_bytes(&rows);
    Ok(PublishedRows { rows, index_bytes, row_bytes, history, changes, positions })
}

/// Returns the mean length of a row in the manifest, from the first rows.
fn row_bytes(rows: &[Row]) -> u64 {
    /// Rows differ by a few bytes, so some of them are enough.
    const SOME: usize = 100;

    let mut text = String::new();
    let some = rows.iter().take(SOME);
    let count = some.len() as u64;
    some.for_each(|row| row.push_to(&mut text, None));
    (text.len() as u64 + count / 2).checked_div(count).unwrap_or_default()
}
