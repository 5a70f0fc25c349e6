//! One block: the choice of its kind, and its bits.

use crate::bits::{Words, Writer};
use crate::codes::{self, DISTANCES, END, LITERALS};
use crate::header::Header;
use crate::huffman;
use crate::search::{Found, Sequence};

/// The longest code. With it, four literals, or a length and a distance, fit into a word. Deflate would allow 15 bits.
const LIMIT: usize = 12;
/// The most bytes of a stored block.
const STORED: usize = 0xFFFF;

/// The lengths of the codes of a block.
struct Lengths {
    literals: [u8; LITERALS],
    distances: [u8; DISTANCES],
}

impl Lengths {
    /// The lengths of the fixed codes.
    fn fixed() -> Self {
        let mut literals = [8; LITERALS];
        literals[144..256].fill(9);
        literals[256..280].fill(7);
        Self { literals, distances: [5; DISTANCES] }
    }

    /// Returns the number of bits of a block with these codes, without its header.
    fn size(&self, frequencies: &Frequencies) -> usize {
        let bits = |frequencies: &[u32], lengths: &[u8]| -> usize {
            frequencies.iter().zip(lengths).map(|(count, len)| *count as usize * usize::from(*len)).sum()
        };
        bits(&frequencies.literals, &self.literals)
            + bits(&frequencies.distances, &self.distances)
            + frequencies.extra
    }
}

/// The frequency of each symbol in a block.
struct Frequencies {
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
    /// The number of bits that follow the symbols.
    extra: usize,
}

impl Frequencies {
    fn new(found: &Found) -> Self {
        let (mut literals, mut distances, mut extra) = ([0; LITERALS], [0; DISTANCES], 0);
        literals[..END].copy_from_slice(&found.literals);
        literals[END] = 1;
        for (less, count) in (0..=u8::MAX).zip(found.lengths) {
            let symbol = codes::length(less);
            literals[symbol.number] += count;
            extra += (count * symbol.extra) as usize;
        }
        distances.copy_from_slice(&found.distances[..DISTANCES]);
        for (symbol, count) in distances.iter().enumerate() {
            extra += (count * codes::distance_extra(symbol)) as usize;
        }
        Self { literals, distances, extra }
    }
}

/// Writes the block of a text as the smallest of the three kinds.
#[inline(never)] // Together with the search, it would need too many registers.
pub(crate) fn write(writer: &mut Writer<'_>, text: &[u8], found: &Found, is_final: bool) {
    let frequencies = Frequencies::new(found);
    let own = Lengths {
        literals: huffman::lengths(&frequencies.literals, LIMIT),
        distances: huffman::lengths(&frequencies.distances, LIMIT),
    };
    let header = Header::new(&own.literals, &own.distances);
    let fixed = Lengths::fixed();
    let (own_size, fixed_size) = (own.size(&frequencies), fixed.size(&frequencies));
    let stored_size = 8 * (text.len() + 5 * text.len().div_ceil(STORED));
    if stored_size <= fixed_size.min(header.size() + own_size) {
        for (n, chunk) in text.chunks(STORED).enumerate() {
            stored(writer, chunk, is_final && (n + 1) * STORED >= text.len());
        }
    } else if fixed_size <= header.size() + own_size {
        writer.put(u32::from(is_final) | 1 << 1, 3);
        compressed(writer, text, &found.sequences, &fixed, fixed_size);
    } else {
        writer.put(u32::from(is_final) | 2 << 1, 3);
        header.write(writer);
        compressed(writer, text, &found.sequences, &own, own_size);
    }
}

/// Writes a final block without a text.
pub(crate) fn empty(writer: &mut Writer<'_>) {
    writer.put(1 | 1 << 1, 3);
    writer.put(0, 7);
}

/// Writes at most 65,535 bytes as they are. The block ends on a whole byte.
pub(crate) fn stored(writer: &mut Writer<'_>, text: &[u8], is_final: bool) {
    writer.put(u32::from(is_final), 3);
    writer.align();
    let len = u16::try_from(text.len()).unwrap_or(u16::MAX);
    writer.bytes(&len.to_le_bytes());
    writer.bytes(&(!len).to_le_bytes());
    writer.bytes(text);
}

/// A code, or a code and the bits that follow it.
#[derive(Clone, Copy, Default)]
struct Code {
    bits: u32,
    count: u32,
}

/// The codes of a block, ready to be written.
struct Codes {
    literals: [Code; 256],
    end: Code,
    /// By the length of a match, minus three.
    lengths: [Code; 256],
    /// By symbol, each with the mask of the bits that follow.
    distances: [(Code, u32); 32],
}

impl Codes {
    fn new(lengths: &Lengths) -> Self {
        let literals = huffman::codes(&lengths.literals);
        let literal =
            |at: usize| Code { bits: u32::from(literals[at]), count: u32::from(lengths.literals[at]) };
        let distances = huffman::codes(&lengths.distances);
        let distance = |at: usize| {
            let (Some(bits), Some(count)) = (distances.get(at), lengths.distances.get(at)) else {
                return (Code::default(), 0);
            };
            let code = Code { bits: u32::from(*bits), count: u32::from(*count) };
            (code, (1 << codes::distance_extra(at)) - 1)
        };
        let mut less = 0..=u8::MAX;
        Self {
            literals: std::array::from_fn(literal),
            end: literal(END),
            lengths: std::array::from_fn(|_| {
                let symbol = codes::length(less.next().unwrap_or_default());
                let code = literal(symbol.number);
                Code { bits: code.bits | symbol.value << code.count, count: code.count + symbol.extra }
            }),
            distances: std::array::from_fn(distance),
        }
    }
}

/// Writes the symbols of a block, whose bits are `size`.
fn compressed(writer: &mut Writer<'_>, text: &[u8], sequences: &[Sequence], lengths: &Lengths, size: usize) {
    let codes = Codes::new(lengths);
    writer.many(size, |words| {
        let mut rest = text;
        for sequence in sequences {
            let (literals, after) = rest.split_at(sequence.literals as usize);
            write_literals(words, literals, &codes);
            let length = codes.lengths[usize::from(sequence.length)];
            words.put(u64::from(length.bits), length.count);
            let (distance, mask) = codes.distances[usize::from(sequence.symbol & 31)];
            let extra = u32::from(sequence.distance) & mask;
            words.put(u64::from(distance.bits | extra << distance.count), distance.count + mask.count_ones());
            words.flush();
            rest = &after[usize::from(sequence.length) + codes::SHORTEST..];
        }
        write_literals(words, rest, &codes);
        words.put(u64::from(codes.end.bits), codes.end.count);
    });
}

#[inline]
fn write_literals(words: &mut Words<'_>, literals: &[u8], codes: &Codes) {
    let (fours, rest) = literals.as_chunks::<4>();
    for four in fours {
        for byte in four {
            let code = codes.literals[usize::from(*byte)];
            words.put(u64::from(code.bits), code.count);
        }
        words.flush();
    }
    for byte in rest {
        let code = codes.literals[usize::from(*byte)];
        words.put(u64::from(code.bits), code.count);
    }
    words.flush();
}
