//! The search for repeated text.
//!
//! Each place is compared with the place at the distance of the previous match, and with the last four places where the
//! same five bytes started. The longest match is taken, unless a longer one starts at the next byte.

use crate::codes::{self, LONGEST, WINDOW};

/// The shortest match that is looked for. Shorter ones need about as many bits as their literals.
const SHORTEST: usize = 5;
/// A match of this length is taken without a look at the next byte.
const ENOUGH: usize = 32;
/// The number of bits of a hash.
const HASH_BITS: u32 = 14;
/// The number of places that are known for each hash.
const PLACES: u32 = 4;
/// No match starts in the last bytes of a block.
const MARGIN: usize = 16;
/// The most matches of a block.
const SEQUENCES: usize = 32 * 1024;
/// The most bytes of a block, twice the usual size of a piece.
const BLOCK: usize = 1024 * 1024;

/// Literals and the match that follows them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sequence {
    /// The number of literals.
    pub(crate) literals: u32,
    /// The length of the match, minus three.
    pub(crate) length: u8,
    /// The symbol of the distance.
    pub(crate) symbol: u8,
    /// The distance of the match, minus one.
    pub(crate) distance: u16,
}

/// What was found in a block, and how often. Literals after the last match have no sequence.
pub(crate) struct Found {
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) literals: [u32; 256],
    pub(crate) lengths: [u32; 256],
    pub(crate) distances: [u32; 32],
}

impl Found {
    #[inline]
    fn add_literals(&mut self, literals: &[u8]) {
        for byte in literals {
            self.literals[usize::from(*byte)] += 1;
        }
    }

    /// Adds literals and a match of at most the longest length.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a match and a block have limits")]
    fn add(&mut self, literals: &[u8], found: Match) {
        self.add_literals(literals);
        let (length, distance) = ((found.len - codes::SHORTEST) as u8, (found.distance - 1) as u16);
        let symbol = codes::distance(distance);
        self.lengths[usize::from(length)] += 1;
        self.distances[usize::from(symbol & 31)] += 1;
        self.sequences.push(Sequence { literals: literals.len() as u32, length, symbol, distance });
    }
}

/// A match. A distance of 0 means that nothing was found, which is longer than `len`.
#[derive(Clone, Copy)]
struct Match {
    len: usize,
    distance: usize,
}

/// The search through a text, block by block.
pub(crate) struct Search {
    /// The last places of each hash, the newest in the lowest 16 bits. A place is the lowest 16 bits of its position.
    places: Vec<u64>,
    pub(crate) found: Found,
}

impl Search {
    pub(crate) fn new() -> Self {
        let sequences = Vec::with_capacity(SEQUENCES);
        let found = Found { sequences, literals: [0; 256], lengths: [0; 256], distances: [0; 32] };
        Self { places: vec![0; 1 << HASH_BITS], found }
    }

    /// Forgets the text before.
    pub(crate) fn clear(&mut self) {
        self.places.fill(0);
    }

    /// Searches the block that starts at `start`, and returns its end.
    #[inline(never)] // Together with the writer of blocks, it would need too many registers.
    pub(crate) fn block(&mut self, text: &[u8], start: usize) -> usize {
        let Self { places, found } = self;
        found.sequences.clear();
        found.literals.fill(0);
        found.lengths.fill(0);
        found.distances.fill(0);
        let text = &text[..text.len().min(start + BLOCK)];
        let last = text.len().saturating_sub(MARGIN);
        // The end of the previous match and its distance.
        let (mut end, mut distance) = (start, 0);
        let mut at = start;
        while at < last && found.sequences.len() < SEQUENCES {
            let known = enter(places, text, at);
            let mut best = longest(text, at, known, distance, Match { len: SHORTEST - 1, distance: 0 });
            if best.distance == 0 {
                at += 1;
                continue;
            }
            if best.len < ENOUGH {
                let known = enter(places, text, at + 1);
                let next = longest(text, at + 1, known, distance, Match { distance: 0, ..best });
                if next.distance != 0 {
                    (at, best) = (at + 1, next);
                }
            }
            distance = best.distance;
            found.add(&text[end..at], best);
            at += best.len;
            end = at;
            enter(places, text, at - 1);
        }
        let block_end = if at < last { at } else { text.len() };
        found.add_literals(&text[end..block_end]);
        block_end
    }
}

/// Returns the eight bytes at a position, or 0 where fewer are left.
#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Returns the known places with the hash of the bytes at a position, and adds the position to them.
#[inline]
fn enter(places: &mut [u64], text: &[u8], at: usize) -> u64 {
    let five = word(text, at) << 24;
    let hash = five.wrapping_mul(0x9E37_79B1_85EB_CA87) >> (64 - HASH_BITS);
    let known = &mut places[hash as usize];
    let before = *known;
    *known = before << 16 | (at & 0xFFFF) as u64;
    before
}

/// Returns the longest match that is longer than `best`, or else `best`.
///
/// A place may be wrong: unset, of another hash, or too old. So the bytes decide, and the result only depends on them.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "only the lowest bits of a position are known")]
fn longest(text: &[u8], at: usize, mut known: u64, mut distance: usize, mut best: Match) -> Match {
    let farthest = at.min(WINDOW);
    let mut wanted = Wanted::longer_than(text, at, best.len);
    for place in 0..=PLACES {
        // This also excludes distance 0.
        let is_near = distance.wrapping_sub(1) < farthest;
        if is_near && word(text, wanted.at - distance) & wanted.mask == wanted.bytes {
            let len = common(text, at, distance);
            if len > best.len {
                best = Match { len, distance };
                wanted = Wanted::longer_than(text, at, len);
            }
        } else if place == 1 && best.len < SHORTEST {
            // The newest place with the hash has other bytes, so the older ones probably have, too.
            break;
        }
        distance = usize::from((at as u16).wrapping_sub(known as u16));
        known >>= 16;
    }
    best
}

/// The bytes that a longer match must also have: the last ones, because most other matches end before them.
struct Wanted {
    at: usize,
    mask: u64,
    bytes: u64,
}

impl Wanted {
    #[inline]
    fn longer_than(text: &[u8], at: usize, len: usize) -> Self {
        let at = at + len.saturating_sub(7);
        let mask = if len >= 7 { u64::MAX } else { (1 << (8 * (len + 1))) - 1 };
        Self { at, mask, bytes: word(text, at) & mask }
    }
}

/// Returns the number of equal bytes from `at` on and from `distance` before, up to the longest match. The rest of a
/// longer match is found again, at the same distance.
#[inline]
fn common(text: &[u8], at: usize, distance: usize) -> usize {
    let end = text.len().min(at + LONGEST);
    let (new, old) = (&text[at..end], &text[at - distance..end - distance]);
    let mut len = 0;
    for (new, old) in new.as_chunks().0.iter().zip(old.as_chunks().0) {
        let differ = u64::from_le_bytes(*new) ^ u64::from_le_bytes(*old);
        if differ != 0 {
            return len + (differ.trailing_zeros() >> 3) as usize;
        }
        len += 8;
    }
    len + new[len..].iter().zip(&old[len..]).take_while(|(new, old)| new == old).count()
}
