//! The set that stands while the next one is made.

use std::collections::HashMap;

use super::digest::Digest;
use super::manifest::{Kind, Manifest, Row};
use super::name;
use super::options::Names;
use super::staged::SealedFile;
use super::storage::Storage;
use crate::error::Error;
use crate::value::LastMod;
use crate::write::Written;

/// What its manifest says of it; nothing, if it has none.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) manifest: Manifest,
    /// Where in it each file is.
    by_name: HashMap<String, usize>,
}

/// A file of the next set that is whole.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) row: Row,
    /// Its bytes, unless the set that stands has them under the same name.
    pub(super) staged: Option<SealedFile>,
}

/// What is in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) kind: Kind,
    pub(super) written: Written,
    pub(super) newest: Option<LastMod>,
}

impl Standing {
    pub(super) fn read(storage: &dyn Storage) -> Result<Self, Error> {
        let manifest = Manifest::read(storage, name::MANIFEST)?.unwrap_or_default();
        let by_name = manifest.rows.iter().zip(0..).map(|(row, n)| (row.name.clone(), n)).collect();
        Ok(Self { manifest, by_name })
    }

    fn row(&self, name: &str) -> Option<&Row> {
        self.manifest.rows.get(*self.by_name.get(name)?)
    }

    /// Finds out whether a file that is to be called `name` is there already, and forgets its new bytes
    /// if so.
    pub(super) fn settle(
        &self,
        storage: &dyn Storage,
        name: String,
        content: Content,
        file: SealedFile,
    ) -> Settled {
        let mut row = Row {
            name,
            kind: content.kind,
            items: content.written.items,
            bytes: content.written.bytes,
            digest: file.digest,
            newest: content.newest,
            changed: file.stat.modified,
            stat: file.stat.clone(),
            staged: None,
        };
        if self.stands(storage, &mut row) {
            return Settled { row, staged: None };
        }
        row.staged = Some(file.name().to_owned());
        Settled { row, staged: Some(file) }
    }

    /// Whether the file that has the name has the bytes, too; then it keeps its date.
    fn stands(&self, storage: &dyn Storage, row: &mut Row) -> bool {
        // A file that cannot be read is replaced.
        let Ok(Some(stat)) = storage.stat(&row.name) else { return false };
        if stat.len != row.stat.len {
            return false;
        }
        match self.row(&row.name) {
            Some(old) if old.stat == stat && old.digest != row.digest => return false,
            Some(old) if old.stat == stat => row.changed = old.changed,
            // Unknown, or somebody else has written to it.
            _ => match storage.open(&row.name).and_then(Digest::of_all) {
                Ok(digest) if digest == row.digest => row.changed = stat.modified,
                _ => return false,
            },
        }
        row.stat = stat;
        true
    }

    /// What a file with pages is called in the end.
    pub(super) fn name_of(&self, name: &str, names: Names, digest: Digest) -> String {
        if names == Names::Stable {
            return name.to_owned();
        }
        let short = name::with_digest(name, digest, 8);
        match self.row(&short) {
            // One pair of contents in four thousand million shares eight digits.
            Some(row) if row.digest != digest => name::with_digest(name, digest, 32),
            _ => short,
        }
    }
}
