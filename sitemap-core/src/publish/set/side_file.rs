//! Small files that are stored next to a set but aren't part of it, such as a stylesheet.

use std::io::{self, Read};
use std::sync::Arc;

use super::staged::SealedFile;
use crate::publish::error::PublishError;
use crate::storage::Storage;

/// Writes a small file next to the set, unless the file already has these bytes.
pub(crate) fn put_side_file(
    storage: &Arc<dyn Storage>,
    name: &str,
    bytes: &[u8],
) -> Result<(), PublishError> {
    match read(&**storage, name, bytes.len()) {
        Ok(found) if found == bytes => Ok(()),
        // A file that can't be read is replaced.
        _ => SealedFile::write(storage, name, bytes)?.rename(name),
    }
}

fn read(storage: &dyn Storage, name: &str, len: usize) -> io::Result<Vec<u8>> {
    let mut found = Vec::new();
    storage.open(name)?.take(len as u64 + 1).read_to_end(&mut found)?;
    Ok(found)
}
