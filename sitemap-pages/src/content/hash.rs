//! The hashes of the crate.

use twox_hash::{XxHash3_64, XxHash3_128};

/// Returns a hash of 32 bits, for counting.
#[expect(clippy::cast_possible_truncation, reason = "any 32 bits of the hash will do")]
pub(crate) fn hash32(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

/// Returns a digest of 128 bits.
pub(crate) fn hash128(bytes: &[u8]) -> [u8; 16] {
    XxHash3_128::oneshot(bytes).to_be_bytes()
}

/// Returns a hash of 64 bits, for finding equal texts.
pub(crate) fn hash64(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
