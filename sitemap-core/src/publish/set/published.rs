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
    let rows = rows.into_iter().filter(|row| row.kind == Kind::Pages).collect();
    Ok(PublishedRows { rows, history, changes, positions })
}
