//! The hashes of the crate.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

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

/// A map whose keys are hashes of [`hash64`], which it does not hash again.
pub(crate) type HashedMap<V> = HashMap<u64, V, BuildHasherDefault<Unchanged>>;

/// A set of hashes of [`hash64`], which it does not hash again.
pub(crate) type HashedSet = HashSet<u64, BuildHasherDefault<Unchanged>>;

/// Returns a hash as it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unchanged(u64);

impl Hasher for Unchanged {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    /// Is not called for keys of 64 bits.
    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash64(bytes);
    }
}
