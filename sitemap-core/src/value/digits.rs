//! Decimal digits of the values.

/// The two digits of a number below 100; a look-up, because dates are written so often.
#[inline]
pub(super) fn two_digits(number: u8) -> [u8; 2] {
    PAIRS[usize::from(number)]
}

/// As many as a byte has values, so that the look-up needs no check.
const PAIRS: [[u8; 2]; 256] = {
    let mut pairs = [*b"00"; 256];
    let mut number = 0_u8;
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};
