//! The hash functions of this crate.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use twox_hash::{XxHash3_64, XxHash3_128};

/// Returns a 32-bit hash, for counting.
#[expect(clippy::cast_possible_truncation, reason = "any 32 bits of the hash will do")]
pub(crate) fn hash32(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

/// Returns a 128-bit digest.
pub(crate) fn hash128(bytes: &[u8]) -> [u8; 16] {
    XxHash3_128::oneshot(bytes).to_be_bytes()
}

/// Returns a 64-bit hash, used to find equal strings.
pub(crate) fn hash64(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A map whose keys are already hashes from [`hash64`], so it doesn't hash them again.
pub(crate) type HashedMap<V> = HashMap<u64, V, BuildHasherDefault<Unchanged>>;

/// A set of hashes from [`hash64`]. It doesn't hash them again.
pub(crate) type HashedSet = HashSet<u64, BuildHasherDefault<Unchanged>>;

/// Returns the key itself as its hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unchanged(u64);

impl Hasher for Unchanged {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    /// Never called for 64-bit keys.
    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash64(bytes);
    }
}
