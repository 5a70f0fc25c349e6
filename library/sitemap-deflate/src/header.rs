//! The header of a block with its own codes: the lengths of the codes, themselves compressed (RFC 1951, section 3.2.7).

use crate::bits::Writer;
use crate::codes::{DISTANCES, LITERALS};
use crate::huffman;

/// The order in which the lengths of the header's own code are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/// The longest code of the header.
const LIMIT: usize = 7;

/// The header of a block.
pub(crate) struct Header {
    literals: usize,
    distances: usize,
    /// Symbols of the header's code, each with the value of the bits that follow.
    runs: Vec<(u8, u8)>,
    /// The lengths of the header's code.
    lengths: [u8; 19],
    /// The number of these lengths that are written.
    written: usize,
}

impl Header {
    pub(crate) fn new(literals: &[u8; LITERALS], distances: &[u8; DISTANCES]) -> Self {
        let used = |lengths: &[u8]| lengths.iter().rposition(|len| *len > 0).map_or(0, |last| last + 1);
        let (literal_count, distance_count) = (used(literals).max(257), used(distances).max(1));
        let all = [&literals[..literal_count], &distances[..distance_count]].concat();
        let runs = runs(&all);
        let mut frequencies = [0; 19];
        for (symbol, _) in &runs {
            frequencies[usize::from(*symbol)] += 1;
        }
        let lengths = huffman::lengths(&frequencies, LIMIT);
        let written =
            ORDER.iter().rposition(|symbol| lengths[*symbol] > 0).map_or(4, |last| (last + 1).max(4));
        Self { literals: literal_count, distances: distance_count, runs, lengths, written }
    }

    /// Returns the number of bits.
    pub(crate) fn size(&self) -> usize {
        let bits = |symbol: u8| usize::from(self.lengths[usize::from(symbol)]) + extra(symbol) as usize;
        14 + 3 * self.written + self.runs.iter().map(|(symbol, _)| bits(*symbol)).sum::<usize>()
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        let number = |number: usize| u32::try_from(number).unwrap_or(0);
        writer.put(number(self.literals - 257), 5);
        writer.put(number(self.distances - 1), 5);
        writer.put(number(self.written - 4), 4);
        for symbol in &ORDER[..self.written] {
            writer.put(u32::from(self.lengths[*symbol]), 3);
        }
        let codes = huffman::codes(&self.lengths);
        for (symbol, value) in &self.runs {
            let at = usize::from(*symbol);
            writer.put(u32::from(codes[at]), u32::from(self.lengths[at]));
            writer.put(u32::from(*value), extra(*symbol));
        }
    }
}

/// Returns the number of bits that follow a symbol.
fn extra(symbol: u8) -> u32 {
    match symbol {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}

/// Replaces repeated lengths by the symbols for repetition.
fn runs(lengths: &[u8]) -> Vec<(u8, u8)> {
    let mut runs = Vec::with_capacity(lengths.len());
    for same in lengths.chunk_by(|one, other| one == other) {
        let (len, mut left) = (same[0], same.len());
        let mut repeat = |symbol, least: u8, left: &mut usize, most: usize| {
            let run = (*left).min(most);
            runs.push((symbol, u8::try_from(run).unwrap_or(0).saturating_sub(least)));
            *left -= run;
        };
        if len == 0 {
            while left >= 11 {
                repeat(18, 11, &mut left, 138);
            }
            if left >= 3 {
                repeat(17, 3, &mut left, 10);
            }
        } else {
            // Symbol 16 repeats the length before it.
            repeat(len, 1, &mut left, 1);
            while left >= 3 {
                repeat(16, 3, &mut left, 6);
            }
        }
        while left > 0 {
            repeat(len, 1, &mut left, 1);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_lengths_are_runs() {
        assert_eq!(runs(&[5; 9]), [(5, 0), (16, 3), (5, 0), (5, 0)]);
        assert_eq!(runs(&[0; 150]), [(18, 127), (18, 1)]);
        assert_eq!(runs(&[0, 0, 0, 4, 0, 0]), [(17, 0), (4, 0), (0, 0), (0, 0)]);
    }
}
