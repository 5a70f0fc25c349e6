//! The set of URLs seen so far, as 64-bit fingerprints.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

use super::file_id::FileId;
use super::same_page::same_page;

/// The fingerprint of a URL: a 64-bit hash.
///
/// If 37 million sets had a million URLs each, about one of them would contain two URLs with the same fingerprint.
/// Fingerprints depend on a random seed, so nobody can construct URLs that collide.
pub(super) type Fingerprint = u64;

/// Computes fingerprints with a random seed.
#[derive(Clone, Debug)]
pub(super) struct Fingerprints {
    seed: u64,
}

impl Default for Fingerprints {
    fn default() -> Self {
        Self { seed: RandomState::new().hash_one(0_u8) }
    }
}

impl Fingerprints {
    /// Returns the fingerprint of a string. Like wyhash, this does one multiplication per 16 bytes.
    pub(super) fn of(&self, text: &str) -> Fingerprint {
        const FIRST: u64 = 0xA076_1D64_78BD_642F;
        const SECOND: u64 = 0xE703_7ED1_A0B4_28DB;
        let mut state = self.seed;
        let (chunks, rest) = text.as_bytes().as_chunks::<16>();
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        for chunk in chunks.iter().chain([&last]) {
            let [low, high] = halves(chunk);
            state = fold(low ^ FIRST, high ^ state);
        }
        fold(state ^ SECOND, text.len() as u64 ^ FIRST ^ self.seed.rotate_left(32))
    }

    /// Returns the fingerprint of a URL. URLs that name the same page have the same one.
    #[inline]
    pub(super) fn of_url(&self, url: &str) -> Fingerprint {
        self.of(&same_page(url))
    }

    /// Combines two fingerprints into one. The order matters.
    pub(super) fn pair(&self, first: Fingerprint, second: Fingerprint) -> Fingerprint {
        fold(first ^ self.seed, second.rotate_left(17) ^ 0x8EBC_6AF0_9C88_C6E3)
    }
}

fn halves(chunk: &[u8; 16]) -> [u64; 2] {
    let whole = u128::from_le_bytes(*chunk);
    #[allow(clippy::cast_possible_truncation)] // the other half is taken separately
    [whole as u64, (whole >> 64) as u64]
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[allow(clippy::cast_possible_truncation)] // the other half is taken separately
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

/// A hasher that returns fingerprints unchanged, because they are hashes already.
#[derive(Clone, Debug, Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// A map with fingerprints as keys.
pub(super) type ByFingerprint<T> = HashMap<Fingerprint, T, BuildHasherDefault<AsIs>>;

pub(super) type FingerprintSet = HashSet<Fingerprint, BuildHasherDefault<AsIs>>;

/// The URLs seen so far, each with the file that listed it first.
///
/// Each bucket of the hash table fills exactly one cache line, so most lookups load one cache line. While it loads, the
/// processor can start the next lookup. That's why all pages in a log are looked up in one loop.
#[derive(Debug, Default)]
pub(super) struct SeenUrls {
    buckets: Vec<Bucket>,
    len: usize,
}

const SLOTS: usize = 6;

/// A bucket of the hash table. Its slots are filled in order.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    fingerprints: [Fingerprint; SLOTS],
    /// For each slot, the number of the file that listed the URL first. Files are numbered from 1; 0 marks a free slot.
    files: [u16; SLOTS],
}

impl SeenUrls {
    /// Adds a URL. If it was added before, returns the file that listed it first.
    ///
    /// URLs from any file after the 65,535th are looked up, but not added.
    #[inline]
    pub(super) fn add(&mut self, fingerprint: Fingerprint, file: FileId) -> Option<FileId> {
        // Grow the table when it is three quarters full.
        if self.len * 4 >= self.buckets.len() * SLOTS * 3 {
            self.grow();
        }
        match self.find(fingerprint) {
            Slot::Seen(before) => Some(before),
            Slot::Free(bucket, slot) => {
                if let Ok(number) = u16::try_from(file.0 + 1) {
                    self.put(bucket, slot, fingerprint, number);
                    self.len += 1;
                }
                None
            }
        }
    }

    #[inline]
    fn put(&mut self, bucket: usize, slot: usize, fingerprint: Fingerprint, number: u16) {
        self.buckets[bucket].fingerprints[slot] = fingerprint;
        self.buckets[bucket].files[slot] = number;
    }

    #[inline]
    fn find(&self, fingerprint: Fingerprint) -> Slot {
        let mask = self.buckets.len() - 1;
        #[allow(clippy::cast_possible_truncation)] // any bits of a fingerprint will do
        let mut place = fingerprint as usize & mask;
        loop {
            let bucket = &self.buckets[place];
            let (mut found, mut taken) = (0, 0);
            for slot in 0..SLOTS {
                found |= if bucket.fingerprints[slot] == fingerprint { bucket.files[slot] } else { 0 };
                taken += usize::from(bucket.files[slot] != 0);
            }
            if found != 0 {
                return Slot::Seen(FileId(u32::from(found) - 1));
            }
            if taken < SLOTS {
                return Slot::Free(place, taken);
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.buckets.len() * 2).max(1 << 8);
        for bucket in std::mem::replace(&mut self.buckets, vec![Bucket::default(); len]) {
            let taken = bucket.fingerprints.into_iter().zip(bucket.files).filter(|(_, file)| *file != 0);
            for (fingerprint, number) in taken {
                if let Slot::Free(place, slot) = self.find(fingerprint) {
                    self.put(place, slot, fingerprint, number);
                }
            }
        }
    }

    /// Returns `true` if a URL with this fingerprint has been added.
    pub(super) fn has(&self, fingerprint: Fingerprint) -> bool {
        !self.buckets.is_empty() && matches!(self.find(fingerprint), Slot::Seen(_))
    }
}

/// The result of a lookup.
enum Slot {
    /// The fingerprint was found; this file listed the URL first.
    Seen(FileId),
    /// The fingerprint was not found, but can be added to this slot of this bucket.
    Free(usize, usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_have_different_fingerprints() {
        let fingerprints = Fingerprints::default();
        let mut seen = HashSet::new();
        for length in 0..100 {
            assert!(seen.insert(fingerprints.of(&"a".repeat(length))), "{length}");
            assert!(seen.insert(fingerprints.of(&format!("{}\0", "a".repeat(length)))), "{length}");
        }
        for number in 0..10_000 {
            assert!(seen.insert(fingerprints.of(&format!("https://example.com/{number}"))));
        }
        assert_eq!(fingerprints.of("abc"), fingerprints.of("abc"));
        assert_ne!(fingerprints.pair(1, 2), fingerprints.pair(2, 1));
    }

    #[test]
    fn each_url_belongs_to_the_file_that_listed_it_first() {
        let (fingerprints, mut seen) = (Fingerprints::default(), SeenUrls::default());
        let fingerprint = |number: u32| fingerprints.of(&number.to_string());
        assert!(!seen.has(fingerprint(0)));
        for number in 0..10_000 {
            assert_eq!(seen.add(fingerprint(number), FileId(number / 3_000)), None);
        }
        for number in 0..10_000 {
            assert_eq!(seen.add(fingerprint(number), FileId(9)), Some(FileId(number / 3_000)));
        }
        assert!(seen.has(fingerprint(9_999)) && !seen.has(fingerprint(10_000)));
    }
}
