//! The state of the set that a run replaces. Part of the journal on storage without locks.
//!
//! An overtaken run may crash after writing its journal. The next run must not complete that journal, because the set
//! in it would undo the newer one.

use std::fmt;
use std::io;
use std::time::UNIX_EPOCH;

use super::current::CurrentSet;
use super::digest::Digest;
use super::exclusion::Seen;
use super::names;
use crate::publish::error::PublishError;
use crate::storage::{Metadata, Storage};

/// The entry point and the manifest that a run replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// The digest of the entry point. `None` if there is none.
    entry_point: Option<Digest>,
    /// The digest of the manifest's metadata. Two sets can have the same entry point, but each commit writes a
    /// different manifest.
    manifest: Digest,
}

impl Replaced {
    /// Returns the state that a run found. Reads the entry point only if the manifest doesn't describe it.
    pub(super) fn of(current: &CurrentSet, storage: &dyn Storage, seen: &Seen) -> Result<Self, PublishError> {
        let entry_point = match &seen.entry_point {
            Some(seen) => current.entry_point_digest(storage, seen)?,
            None => None,
        };
        Ok(Self { entry_point, manifest: identity(seen.manifest.as_ref()) })
    }

    /// Returns `true` if the run that replaces this state can continue: the manifest is unchanged, and the entry point
    /// is either the old one or the run's own.
    pub(super) fn may_become(
        &self,
        storage: &dyn Storage,
        next: Option<Digest>,
    ) -> Result<bool, PublishError> {
        let io_error = |name, error| PublishError::io("read", &storage.locate(name), error);
        let manifest = storage.metadata(names::MANIFEST).map_err(|error| io_error(names::MANIFEST, error))?;
        if identity(manifest.as_ref()) != self.manifest {
            return Ok(false);
        }
        let found = match storage.open(names::ENTRY_POINT).and_then(Digest::of_reader) {
            Ok(digest) => Some(digest),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io_error(names::ENTRY_POINT, error)),
        };
        Ok(found == self.entry_point || found == next)
    }

    /// Parses the output of `Display`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (entry_point, manifest) = text.split_once('/')?;
        let entry_point = match entry_point {
            "none" => None,
            digest => Some(Digest::parse(digest)?),
        };
        Some(Self { entry_point, manifest: Digest::parse(manifest)? })
    }
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry_point {
            Some(digest) => write!(f, "{digest}/{}", self.manifest),
            None => write!(f, "none/{}", self.manifest),
        }
    }
}

/// Returns a digest of a file's metadata, which is different for each version of the file.
fn identity(metadata: Option<&Metadata>) -> Digest {
    let text = metadata.map(|metadata| {
        let modified = metadata.modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{} {} {:?}", metadata.len, modified.as_nanos(), metadata.tag)
    });
    Digest::of(text.unwrap_or_default().as_bytes())
}
