//! Formats dates and priorities for the contender `floor`.

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

/// Returns the date in the form `2026-01-31T08:15:30Z`.
///
/// chrono stores a calendar date, so reading the year, month and day is faster than converting a timestamp.
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
    fn dates() {
        for seconds in (0..4_000_000_000).step_by(1_234_567) {
            let date = DateTime::from_timestamp(seconds, 0).unwrap();
            let expected = date.format("%Y-%m-%dT%H:%M:%SZ").to_string();
            assert_eq!(rfc3339(date), *expected.as_bytes());
        }
    }
}
