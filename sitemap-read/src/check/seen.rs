//! Which addresses were seen before, by 64-bit fingerprints.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

use crate::read::Span;

use super::report::FileId;

/// An address as a number.
///
/// Of a million addresses two have the same number once in 37 million sets; which ones differs from
/// run to run, so that nobody can prepare them.
pub(super) type Fingerprint = u64;

/// Makes fingerprints.
#[derive(Debug)]
pub(super) struct Fingerprints {
    seed: u64,
}

impl Default for Fingerprints {
    fn default() -> Self {
        Self { seed: RandomState::new().hash_one(0_u8) }
    }
}

impl Fingerprints {
    /// Multiplies 16 bytes at a time, as wyhash does.
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

    /// One number of two, in this order.
    pub(super) fn pair(&self, first: Fingerprint, second: Fingerprint) -> Fingerprint {
        fold(first ^ self.seed, second.rotate_left(17) ^ 0x8EBC_6AF0_9C88_C6E3)
    }
}

fn halves(chunk: &[u8; 16]) -> [u64; 2] {
    let whole = u128::from_le_bytes(*chunk);
    #[allow(clippy::cast_possible_truncation)] // to take it apart
    [whole as u64, (whole >> 64) as u64]
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[allow(clippy::cast_possible_truncation)] // to take it apart
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

/// Fingerprints are as good as hashes already.
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

/// A map by fingerprints.
pub(super) type ByFingerprint<T> = HashMap<Fingerprint, T, BuildHasherDefault<AsIs>>;

/// A set of fingerprints.
pub(super) type FingerprintSet = HashSet<Fingerprint, BuildHasherDefault<AsIs>>;

/// Which addresses were seen, and in which file first.
///
/// A table of buckets of a cache line each. Looking up an address mostly takes one look into memory
/// that is in no cache, and no decision depends on what is found there, so that the processor can go
/// on to the next one in the meantime. That is why pages [wait](Self::push) for each other.
#[derive(Debug, Default)]
pub(super) struct Seen {
    buckets: Vec<Bucket>,
    len: usize,
    queue: Vec<Queued>,
    /// The addresses of the queue, one after the other.
    texts: String,
}

const SLOTS: usize = 6;

/// Filled from the front.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    addresses: [Fingerprint; SLOTS],
    /// The number of the file of each, counted from 1; 0 where a slot is free.
    files: [u16; SLOTS],
}

#[derive(Debug)]
struct Queued {
    address: Fingerprint,
    span: Span,
    text_end: usize,
}

/// An address that was seen before.
pub(super) struct Again<'s> {
    pub(super) text: &'s str,
    pub(super) span: Span,
    /// The file that has it already.
    pub(super) file: FileId,
}

impl Seen {
    /// Enough to look up many at once, and few enough to stay in the nearest cache.
    const QUEUE: usize = 64;

    /// Adds an address; gives the file that has it already.
    ///
    /// Pages of files past the 65,535th are only compared with those before.
    #[inline]
    pub(super) fn add(&mut self, address: Fingerprint, file: FileId) -> Option<FileId> {
        // Three of four slots.
        if self.len * 4 >= self.buckets.len() * SLOTS * 3 {
            self.grow();
        }
        match self.find(address) {
            Slot::Seen(before) => Some(before),
            Slot::Free(bucket, slot) => {
                if let Ok(number) = u16::try_from(file.0 + 1) {
                    self.put(bucket, slot, address, number);
                    self.len += 1;
                }
                None
            }
        }
    }

    #[inline]
    fn put(&mut self, bucket: usize, slot: usize, address: Fingerprint, number: u16) {
        self.buckets[bucket].addresses[slot] = address;
        self.buckets[bucket].files[slot] = number;
    }

    /// Queues an address of a file; says whether it is time to [`flush`](Self::flush).
    #[inline]
    pub(super) fn push(&mut self, address: Fingerprint, text: &str, span: Span) -> bool {
        self.texts.push_str(text);
        self.queue.push(Queued { address, span, text_end: self.texts.len() });
        self.queue.len() >= Self::QUEUE
    }

    /// Adds all queued addresses, which are of this file.
    pub(super) fn flush(&mut self, file: FileId, mut again: impl FnMut(Again<'_>)) {
        let mut text_start = 0;
        let mut queue = std::mem::take(&mut self.queue);
        for Queued { address, span, text_end } in queue.drain(..) {
            if let Some(before) = self.add(address, file) {
                let text = &self.texts[text_start..text_end];
                again(Again { text, span, file: before });
            }
            text_start = text_end;
        }
        self.queue = queue;
        self.texts.clear();
    }

    #[inline]
    fn find(&self, address: Fingerprint) -> Slot {
        let mask = self.buckets.len() - 1;
        #[allow(clippy::cast_possible_truncation)] // any part of it will do
        let mut place = address as usize & mask;
        loop {
            let bucket = &self.buckets[place];
            let (mut found, mut taken) = (0, 0);
            for slot in 0..SLOTS {
                found |= if bucket.addresses[slot] == address { bucket.files[slot] } else { 0 };
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
            let taken = bucket.addresses.into_iter().zip(bucket.files).filter(|(_, file)| *file != 0);
            for (address, number) in taken {
                if let Slot::Free(place, slot) = self.find(address) {
                    self.put(place, slot, address, number);
                }
            }
        }
    }

    /// Whether an address was seen; queued ones count once they are flushed.
    pub(super) fn has(&self, address: Fingerprint) -> bool {
        !self.buckets.is_empty() && matches!(self.find(address), Slot::Seen(_))
    }
}

/// Where looking for an address ends.
enum Slot {
    /// At one that this file had first.
    Seen(FileId),
    /// At a free slot of a bucket.
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
    fn each_address_is_of_the_file_that_had_it_first() {
        let (fingerprints, mut seen) = (Fingerprints::default(), Seen::default());
        let address = |number: u32| fingerprints.of(&number.to_string());
        assert!(!seen.has(address(0)));
        for number in 0..10_000 {
            assert_eq!(seen.add(address(number), FileId(number / 3_000)), None);
        }
        for number in 0..10_000 {
            assert_eq!(seen.add(address(number), FileId(9)), Some(FileId(number / 3_000)));
        }
        assert!(seen.has(address(9_999)) && !seen.has(address(10_000)));
    }
}
