//! Reads the manifest of the published set without a lock.

use std::sync::Arc;

use super::current::CurrentSet;
use super::digest::Digest;
use super::exclusion::Exclusion;
use super::journal;
use super::keep_checks;
use super::lines::RowWriter;
use super::manifest::KnownManifest;
use super::names;
use super::row::{Kind, Row};
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::storage::Storage;
use crate::value::Site;

/// Reads the manifest of the published set.
pub(crate) fn published_manifest(
    storage: &dyn Storage,
    site: &Site,
) -> Result<Arc<KnownManifest>, PublishError> {
    let current = CurrentSet::read(storage, false, None)?;
    keep_checks::check_manifest(&current, storage, site)?;
    Ok(current.into_known())
}

/// Reads the manifest of a set of any site. Returns `None` if it doesn't describe the published entry point.
pub(crate) fn described_manifest(storage: &dyn Storage) -> Result<Option<Arc<KnownManifest>>, PublishError> {
    let current = CurrentSet::read(storage, false, None)?;
    if current.is_unreadable || current.has_no_manifest || !current.describes_entry_point(storage)? {
        return Ok(None);
    }
    Ok(Some(current.into_known()))
}

/// Finishes an earlier run that was interrupted, if there is one. If a run holds the lock, it is active, so there is
/// nothing to finish.
pub(crate) fn recover(storage: &Arc<dyn Storage>) -> Result<(), PublishError> {
    if !journal::exists(&**storage)? {
        return Ok(());
    }
    match Exclusion::start(&**storage) {
        Ok(mut exclusion) => journal::recover(storage, &mut exclusion),
        Err(error) if matches!(error.kind(), PublishErrorKind::Locked { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

impl KnownManifest {
    /// Returns the rows of the files that contain pages, in the order of the index. Empty if nothing is published.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &Row> {
        self.manifest.rows.iter().filter(|row| row.kind == Kind::Pages)
    }

    /// Returns the digest of the entry point, or `None` if nothing is published.
    pub(crate) fn entry_point_digest(&self) -> Option<Digest> {
        let entry_point = self.manifest.rows.iter().find(|row| *row.name == *names::ENTRY_POINT);
        entry_point.map(|row| row.digest)
    }

    /// Returns the stored size in bytes of all indexes.
    pub(crate) fn index_bytes(&self) -> u64 {
        let indexes = self.manifest.rows.iter().filter(|row| row.kind == Kind::Index);
        indexes.map(|row| row.metadata.len).sum()
    }

    /// Returns the mean length of a row in the manifest, computed from the first rows.
    pub(crate) fn row_bytes(&self) -> u64 {
        /// Row lengths differ by a few bytes only, so a sample is enough.
        const SOME: usize = 100;

        let some: Vec<Row> = self.pages().take(SOME).cloned().collect();
        let (mut text, count) = (Vec::new(), some.len() as u64);
        RowWriter::push_all(&mut text, &some);
        (text.len() as u64 + count / 2).checked_div(count).unwrap_or_default()
    }
}
