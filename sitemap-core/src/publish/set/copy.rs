//! Copies files of a set.

use std::io;
use std::sync::Arc;

use super::staged::{SealedFile, StagedFile};
use crate::publish::error::PublishError;
use crate::storage::Storage;

/// Copies a file to a new file with a temporary name, whose final name will be `to`. Decompresses the bytes if the file
/// is compressed.
pub(super) fn plain_copy(
    storage: &Arc<dyn Storage>,
    from: &str,
    is_compressed: bool,
    to: &str,
) -> Result<SealedFile, PublishError> {
    let source =
        storage.open(from).map_err(|error| PublishError::io("read", &storage.locate(from), error))?;
    let mut plain = StagedFile::create(storage, to)?;
    copy(source, is_compressed, &mut plain)
        .map_err(|error| PublishError::io("write", &storage.locate(to), error))?;
    plain.seal()
}

#[cfg(feature = "gzip")]
fn copy(mut source: impl io::Read, is_compressed: bool, to: &mut StagedFile) -> io::Result<u64> {
    if is_compressed {
        io::copy(&mut flate2::read::GzDecoder::new(source), to)
    } else {
        io::copy(&mut source, to)
    }
}

#[cfg(not(feature = "gzip"))]
fn copy(mut source: impl io::Read, _: bool, to: &mut StagedFile) -> io::Result<u64> {
    io::copy(&mut source, to)
}
