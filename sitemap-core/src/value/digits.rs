//! Decimal digits of small numbers.

/// Returns the two digits of a number below 100.
///
/// Uses a table, because divisions would be slower and every date contains several such numbers.
#[inline]
pub(super) fn two_digits(number: u8) -> [u8; 2] {
    PAIRS[usize::from(number)]
}

/// The digits of each number below 100. The table has an entry for every possible byte, so indexing needs no bounds
/// check.
const PAIRS: [[u8; 2]; 256] = {
    let mut pairs = [*b"00"; 256];
    let mut number = 0_u8;
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};
