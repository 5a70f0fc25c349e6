//! The symbols of lengths and distances (RFC 1951, section 3.2.5).

/// The shortest match that deflate has.
pub(crate) const SHORTEST: usize = 3;
/// The longest match that deflate has.
pub(crate) const LONGEST: usize = 258;
/// The farthest distance that deflate has.
pub(crate) const WINDOW: usize = 32 * 1024;
/// The number of symbols for literals, the end of a block and lengths. The last two are never used, but have fixed codes.
pub(crate) const LITERALS: usize = 288;
/// The number of symbols for distances.
pub(crate) const DISTANCES: usize = 30;
/// The symbol for the end of a block. The symbols of lengths follow.
pub(crate) const END: usize = 256;

/// A symbol and the bits that follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) number: usize,
    pub(crate) extra: u32,
    pub(crate) value: u32,
}

/// Returns the symbol of a length, minus three.
pub(crate) fn length(less: u8) -> Symbol {
    let len = u32::from(less);
    if len == 255 {
        return Symbol { number: END + 29, extra: 0, value: 0 };
    }
    // Four symbols share each number of extra bits, from 8 on.
    let extra = if len < 8 { 0 } else { len.ilog2() - 2 };
    Symbol {
        number: END + 1 + ((extra << 2) + (len >> extra)) as usize,
        extra,
        value: len & ((1 << extra) - 1),
    }
}

/// Returns the number of the symbol of a distance, minus one.
#[inline]
pub(crate) fn distance(less: u16) -> u8 {
    if less < 4 {
        return less.to_le_bytes()[0];
    }
    // Two symbols share each number of extra bits.
    let log = u32::from(less).ilog2();
    (2 * log + (u32::from(less) >> (log - 1) & 1)).to_le_bytes()[0]
}

/// Returns the number of bits that follow a symbol of a distance.
pub(crate) fn distance_extra(symbol: usize) -> u32 {
    u32::try_from(symbol / 2).unwrap_or(0).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first length of each symbol, from the table of the RFC.
    const LENGTHS: [usize; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ];

    /// The first distance of each symbol, from the table of the RFC.
    const DISTANCES: [usize; 30] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
        3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ];

    #[test]
    fn symbols_are_those_of_the_rfc() {
        for less in 0..=255_u8 {
            let len = usize::from(less) + SHORTEST;
            let expected = LENGTHS.iter().rposition(|first| *first <= len).unwrap();
            let Symbol { number, extra, value } = length(less);
            assert_eq!((number, LENGTHS[expected] + value as usize), (257 + expected, len));
            assert!(value < 1 << extra);
        }
        for less in 0..32_768_u16 {
            let dist = usize::from(less) + 1;
            let expected = DISTANCES.iter().rposition(|first| *first <= dist).unwrap();
            assert_eq!(usize::from(distance(less)), expected);
            assert!(dist - DISTANCES[expected] < 1 << distance_extra(expected));
            // The bits that follow are the lowest ones.
            assert_eq!(usize::from(less) & ((1 << distance_extra(expected)) - 1), dist - DISTANCES[expected]);
        }
    }
}
