//! Formats numbers, dates and priorities for the contenders `floor` and `floor_tuned`.

use chrono::{DateTime, Datelike, Timelike, Utc};

const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [*b"00"; 100];
    let mut value: u8 = 0;
    while value < 100 {
        pairs[value as usize] = [b'0' + value / 10, b'0' + value % 10];
        value += 1;
    }
    pairs
};

/// Copies a text of constant length to position `at` and returns the position after the text.
#[inline]
pub fn put<const N: usize>(out: &mut [u8], at: usize, text: &[u8; N]) -> usize {
    out[at..at + N].copy_from_slice(text);
    at + N
}

/// Writes a number to position `at` and returns the position after the number.
///
/// Computes eight digits at once in one 64-bit word, shifts the leading zeros out and writes the whole word. So up to
/// seven bytes after a short number are overwritten too. `itoa` would be slower: it returns a slice whose length is
/// known only at run time, so copying the slice costs a function call.
#[inline]
pub fn number(out: &mut [u8], at: usize, value: u64) -> usize {
    if value >= 100_000_000 {
        return long_number(out, at, value);
    }
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | ((fours - hundreds * 100) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | ((twos - tens * 10) << 8);
    // The bit `1 << 56` makes the last digit count as non-zero. So at most seven zeros are removed, and the number 0 is
    // written as `0`.
    let zeros = (ones | (1 << 56)).trailing_zeros() / 8;
    let digits = (ones | 0x3030_3030_3030_3030) >> (zeros * 8);
    put(out, at, &digits.to_le_bytes()) - zeros as usize
}

#[cold]
fn long_number(out: &mut [u8], at: usize, value: u64) -> usize {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(value).as_bytes();
    out[at..at + digits.len()].copy_from_slice(digits);
    at + digits.len()
}

/// Returns the date in the form `2026-01-31T08:15:30Z`.
///
/// chrono stores the date as a calendar date, so reading year, month and day is faster than a conversion from a
/// timestamp.
#[inline]
pub fn rfc3339(lastmod: DateTime<Utc>) -> [u8; 20] {
    let civil = lastmod.naive_utc();
    let (date, time) = (civil.date(), civil.time().num_seconds_from_midnight());
    let year = date.year().unsigned_abs();
    let [y0, y1] = pair(year / 100);
    let [y2, y3] = pair(year % 100);
    let [m0, m1] = pair(date.month());
    let [d0, d1] = pair(date.day());
    let [h0, h1] = pair(time / 3600);
    let [n0, n1] = pair(time / 60 % 60);
    let [s0, s1] = pair(time % 60);
    [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', n0, n1, b':', s0, s1, b'Z']
}

/// Returns a priority in the form `0.7`.
#[inline]
pub fn priority(tenths: u8) -> [u8; 3] {
    let [ones, tenths] = pair(tenths.into());
    [ones, b'.', tenths]
}

#[inline]
fn pair(value: u32) -> [u8; 2] {
    PAIRS[value as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length() {
        let edges = (0..20).flat_map(|power| [10_u64.pow(power) - 1, 10_u64.pow(power)]);
        let spread = (0..200_000).map(|step| step * 997);
        for value in edges.chain(0..200_000).chain(spread).chain([u64::MAX]) {
            let mut out = [0; 32];
            let end = number(&mut out, 2, value);
            assert_eq!(out[2..end], *value.to_string().as_bytes());
        }
    }

    #[test]
    fn dates() {
        for seconds in (0..4_000_000_000).step_by(1_234_567) {
            let date = DateTime::from_timestamp(seconds, 0).unwrap();
            let expected = date.format("%Y-%m-%dT%H:%M:%SZ").to_string();
            assert_eq!(rfc3339(date), *expected.as_bytes());
        }
    }
}
