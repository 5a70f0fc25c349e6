//! The set that was published before the run.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use super::digest::Digest;
use super::manifest::{Found, KnownManifest, Manifest};
use super::names;
use super::row::Row;
use crate::clock;
use crate::publish::error::PublishError;
use crate::publish::options::Names;
use crate::storage::{Metadata, Storage};
use crate::value::Site;

/// The published set as described by its manifest. Empty if there is no manifest.
#[derive(Debug)]
pub(crate) struct CurrentSet {
    known: Arc<KnownManifest>,
    /// The indexes of the files in the manifest's rows, sorted by file name.
    by_name: OnceLock<Vec<usize>>,
    /// `true` if published files are compared byte by byte, even if their metadata matches the manifest.
    compares_bytes: bool,
    /// `true` if the manifest exists but couldn't be read.
    pub(super) is_unreadable: bool,
    /// `true` if there is no manifest.
    pub(super) has_no_manifest: bool,
}

/// Replaces a time in the future with the current time. The clock of a file server may be wrong, or someone may have
/// set the modification time of a file.
pub(crate) fn not_later_than_now(time: SystemTime) -> SystemTime {
    clock::now().map_or(time, |now| time.min(now))
}

impl CurrentSet {
    /// Reads the manifest. If the caller already knows a manifest with the same text, it isn't parsed again.
    pub(crate) fn read(
        storage: &dyn Storage,
        compares_bytes: bool,
        known: Option<&Arc<KnownManifest>>,
    ) -> Result<Self, PublishError> {
        let found = Manifest::read(storage, names::MANIFEST, known)?;
        let (is_unreadable, has_no_manifest) =
            (matches!(found, Found::Unreadable), matches!(found, Found::Missing));
        let known = if let Found::Intact(known) = found { known } else { Arc::default() };
        Ok(Self { known, by_name: OnceLock::new(), compares_bytes, is_unreadable, has_no_manifest })
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.known.manifest
    }

    /// Returns the manifest and the digest of its text.
    pub(super) fn known(&self) -> &KnownManifest {
        &self.known
    }

    /// Returns the manifest, so that a later run needn't parse it again.
    pub(super) fn into_known(self) -> Arc<KnownManifest> {
        self.known
    }

    /// Returns the base URL of the published set if it belongs to another site.
    pub(super) fn other_base(&self, site: &Site) -> Option<&str> {
        self.manifest().base.as_deref().filter(|base| *base != site.base())
    }

    fn row(&self, name: &str) -> Option<&Row> {
        self.manifest().rows.get(self.position(name)?)
    }

    /// Returns, for each of these files, whether the published set contains it. Fast if the files are mostly in the
    /// order of the published set.
    pub(super) fn lists<'r>(&'r self, next: &'r [Row]) -> impl Iterator<Item = bool> + 'r {
        // Searching for each of 50,000 files would take longer than the rest of a small update.
        let mut expected = 0;
        next.iter().map(move |row| {
            let is_next = self.manifest().rows.get(expected).is_some_and(|old| old.name == row.name);
            let found = if is_next { Some(expected) } else { self.position(&row.name) };
            expected = found.map_or(expected, |found| found + 1);
            found.is_some()
        })
    }

    fn position(&self, name: &str) -> Option<usize> {
        let rows = &self.manifest().rows;
        let by_name = self.by_name.get_or_init(|| {
            let mut places: Vec<usize> = (0..rows.len()).collect();
            places.sort_by(|one, other| rows[*one].name.cmp(&rows[*other].name));
            places
        });
        by_name.binary_search_by(|at| (*rows[*at].name).cmp(name)).ok().map(|at| by_name[at])
    }

    /// Returns the digest of the published entry point with the metadata `seen`. Reads the file only if the manifest
    /// doesn't describe it. Returns `None` if the file has just been removed.
    pub(super) fn entry_point_digest(
        &self,
        storage: &dyn Storage,
        seen: &Metadata,
    ) -> Result<Option<Digest>, PublishError> {
        if let Some(row) = self.row(names::ENTRY_POINT).filter(|row| row.metadata == *seen) {
            return Ok(Some(row.digest));
        }
        match storage.open(names::ENTRY_POINT).and_then(Digest::of_reader) {
            Ok(digest) => Ok(Some(digest)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PublishError::io("read", &storage.locate(names::ENTRY_POINT), error)),
        }
    }

    /// Returns `true` if the manifest describes the published entry point.
    pub(super) fn describes_entry_point(&self, storage: &dyn Storage) -> Result<bool, PublishError> {
        let found = storage
            .metadata(names::ENTRY_POINT)
            .map_err(|error| PublishError::io("read", &storage.locate(names::ENTRY_POINT), error))?;
        let found = match found {
            Some(found) => self.entry_point_digest(storage, &found)?,
            None => None,
        };
        Ok(found == self.row(names::ENTRY_POINT).map(|row| row.digest))
    }

    /// Returns `true` if the published file with the row's name has the bytes that the row describes. In that case,
    /// also copies the date and metadata of the published file to the row.
    pub(crate) fn has(&self, storage: &dyn Storage, row: &mut Row) -> bool {
        // A file that can't be read is replaced.
        let Ok(Some(metadata)) = storage.metadata(&row.name) else { return false };
        if metadata.len != row.metadata.len {
            return false;
        }
        let known = self.row(&row.name).filter(|old| old.metadata == metadata);
        if known.is_some_and(|old| old.digest != row.digest) {
            return false;
        }
        // If the manifest doesn't list this file, or another program has changed the file, its bytes are read.
        if (known.is_none() || self.compares_bytes)
            && !storage.open(&row.name).and_then(Digest::of_reader).is_ok_and(|digest| digest == row.digest)
        {
            return false;
        }
        row.changed = known.map_or_else(|| not_later_than_now(metadata.modified), |old| old.changed);
        row.metadata = metadata;
        true
    }

    /// Returns the final name of a file that contains pages.
    pub(crate) fn name_of(&self, name: &str, names: Names, digest: Digest) -> String {
        if names == Names::Stable {
            return name.to_owned();
        }
        let short = names::with_digest(name, digest, 8);
        match self.row(&short) {
            // A published file with different bytes already has this name, because both digests start with the same
            // eight digits. The name of the new file then contains all digits. This affects about one pair of files in
            // four billion.
            Some(row) if row.digest != digest => names::with_digest(name, digest, 32),
            _ => short,
        }
    }
}
