//! Reads published files.

use std::io::{self, Read as _};
use std::sync::Arc;

use sitemap_core::publish::files::content_digest;
use sitemap_core::publish::shards::PublishedShard;
use sitemap_core::publish::{PublishError, PublishErrorKind};
use sitemap_core::storage::FileBytes;
use sitemap_core::{Entry, Storage, threads};
use sitemap_read::{ReadLimits, ReadOptions, SitemapReader};

use crate::applied::Counts;
use crate::error::UpdateError;

/// Passes each entry of a published file to `visit`.
pub(crate) fn visit(
    storage: &dyn Storage,
    file: &PublishedShard,
    counts: &mut Counts,
    visit: impl FnMut(Entry<'static>) -> Result<(), UpdateError>,
) -> Result<(), UpdateError> {
    let bytes = read(storage, file)?;
    counts.files_read += 1;
    counts.bytes_read += file.stored_bytes();
    entries(&bytes, file.name(), visit)
}

/// Passes each entry of several published files to `visit`, in order. Reads several files at once.
pub(crate) fn visit_all(
    storage: &Arc<dyn Storage>,
    files: &[&PublishedShard],
    at_once: usize,
    counts: &mut Counts,
    mut visit: impl FnMut(Entry<'static>) -> Result<(), UpdateError>,
) -> Result<(), UpdateError> {
    /// The maximum number of stored bytes in memory at once. A single file may be larger.
    const BYTES: u64 = 64 << 20;

    let mut rest = files;
    while !rest.is_empty() {
        let mut bytes = 0_u64;
        let fits = rest.iter().take(at_once.max(1)).take_while(|file| {
            bytes += file.stored_bytes();
            bytes <= BYTES
        });
        let (some, later) = rest.split_at(fits.count().max(1));
        let read = threads::map(at_once, some, |file| read(storage, file))?;
        for (file, bytes) in some.iter().zip(read) {
            counts.files_read += 1;
            counts.bytes_read += file.stored_bytes();
            entries(&bytes, file.name(), &mut visit)?;
        }
        rest = later;
    }
    Ok(())
}

/// Reads a file, and checks its bytes against the manifest. Does not copy bytes that the storage already has in memory.
fn read(storage: &dyn Storage, file: &PublishedShard) -> Result<FileBytes, UpdateError> {
    let read = storage.bytes(file.name()).map_or_else(|| open(storage, file), Ok);
    match read {
        Ok(bytes) if content_digest(&bytes) == file.digest() => Ok(bytes),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            let path = storage.locate(file.name());
            Err(PublishError::from(PublishErrorKind::Io { action: "read", path, source: error }).into())
        }
        _ => Err(UpdateError::Changed { name: file.name().to_owned() }),
    }
}

fn open(storage: &dyn Storage, file: &PublishedShard) -> io::Result<FileBytes> {
    let mut bytes = Vec::new();
    let limit = file.stored_bytes().saturating_add(1);
    storage.open(file.name())?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

/// Passes each entry of a file to `visit`.
pub(crate) fn entries(
    bytes: &[u8],
    name: &str,
    mut visit: impl FnMut(Entry<'static>) -> Result<(), UpdateError>,
) -> Result<(), UpdateError> {
    let failed = |source| UpdateError::Read { name: name.to_owned(), source };
    // A run wrote these files, so any defect means that something would be lost.
    let mut limits = ReadLimits::default();
    limits.bytes = u64::MAX;
    let options = ReadOptions::new().keep_elements(true).strict(true).limits(limits);
    for entry in SitemapReader::from_slice_with(bytes, options).into_entries() {
        visit(entry.map_err(failed)?)?;
    }
    Ok(())
}
