//! Rows as bytes with a digest, which reveals damage.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

const LEN: usize = 8;
/// A buffer size that is enough for most rows.
const ROOM: usize = 4096;

/// Returns a row as bytes, followed by the digest of its table, key and bytes.
pub(super) fn sealed(table: u8, key: &[u8], row: &impl Serialize) -> Result<(Vec<u8>, u64), postcard::Error> {
    let mut bytes = postcard::to_extend(row, Vec::with_capacity(ROOM))?;
    let digest = digest(table, key, &bytes);
    bytes.extend_from_slice(&digest.to_le_bytes());
    Ok((bytes, digest))
}

/// Returns the digest at the end of a row, or what is wrong with the row.
pub(super) fn check<'a>(table: u8, key: &[u8], bytes: &'a [u8]) -> Result<(&'a [u8], u64), &'static str> {
    let (row, end) = bytes.split_last_chunk::<LEN>().ok_or("is too short")?;
    let found = u64::from_le_bytes(*end);
    if digest(table, key, row) == found { Ok((row, found)) } else { Err("does not have its digest") }
}

/// Reads a row, or returns what is wrong with it.
pub(super) fn unsealed<T: DeserializeOwned>(
    table: u8,
    key: &[u8],
    bytes: &[u8],
) -> Result<(T, u64), &'static str> {
    let (row, digest) = check(table, key, bytes)?;
    Ok((read(row)?, digest))
}

/// Parses a row whose digest has been stripped. The result may borrow from the row.
pub(super) fn read<'r, T: Deserialize<'r>>(row: &'r [u8]) -> Result<T, &'static str> {
    match postcard::take_from_bytes(row) {
        Ok((row, [])) => Ok(row),
        Ok(_) => Err("is too long"),
        Err(_) => Err("cannot be read"),
    }
}

/// The digest includes the key and the table, so that a moved row is detected.
fn digest(table: u8, key: &[u8], row: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot_with_seed(u64::from(table), key), row)
}
