//! The set that was published before the run.

use std::collections::HashMap;

use super::digest::Digest;
use super::manifest::{Manifest, Row};
use super::names;
use crate::publish::error::PublishError;
use crate::publish::options::Names;
use crate::storage::Storage;

/// The published set as its manifest describes it. Empty if there is no manifest.
#[derive(Debug)]
pub(crate) struct CurrentSet {
    pub(crate) manifest: Manifest,
    /// The position of each file in the rows of the manifest, by name.
    by_name: HashMap<String, usize>,
}

impl CurrentSet {
    pub(crate) fn read(storage: &dyn Storage) -> Result<Self, PublishError> {
        let manifest = Manifest::read(storage, names::MANIFEST)?.unwrap_or_default();
        let by_name = manifest.rows.iter().zip(0..).map(|(row, n)| (row.name.clone(), n)).collect();
        Ok(Self { manifest, by_name })
    }

    fn row(&self, name: &str) -> Option<&Row> {
        self.manifest.rows.get(*self.by_name.get(name)?)
    }

    /// Returns `true` if the published file with the row's name has the bytes that the row describes. The row then also
    /// gets the date and the metadata of the published file.
    pub(crate) fn has(&self, storage: &dyn Storage, row: &mut Row) -> bool {
        // A file that cannot be read is replaced.
        let Ok(Some(metadata)) = storage.metadata(&row.name) else { return false };
        if metadata.len != row.metadata.len {
            return false;
        }
        match self.row(&row.name) {
            Some(old) if old.metadata == metadata && old.digest != row.digest => return false,
            Some(old) if old.metadata == metadata => row.changed = old.changed,
            // The manifest does not list this file, or another program has changed the file, so its bytes are read.
            _ => match storage.open(&row.name).and_then(Digest::of_reader) {
                Ok(digest) if digest == row.digest => row.changed = metadata.modified,
                _ => return false,
            },
        }
        row.metadata = metadata;
        true
    }

    /// Returns the final name of a file with pages.
    pub(crate) fn name_of(&self, name: &str, names: Names, digest: Digest) -> String {
        if names == Names::Stable {
            return name.to_owned();
        }
        let short = names::with_digest(name, digest, 8);
        match self.row(&short) {
            // A published file with different bytes already has this name, because the first eight digits of both
            // digests are equal. The name of the new file then has all digits. About one pair of files in four billion
            // is affected.
            Some(row) if row.digest != digest => names::with_digest(name, digest, 32),
            _ => short,
        }
    }
}
