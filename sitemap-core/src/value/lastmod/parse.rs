//! Parses W3C datetimes.

use super::calendar::{check_date, days_of};
use super::error::{LastModError, LastModErrorKind};
use super::{LastMod, Precision, Zone};

impl LastMod {
    /// Parses any of the six forms of a W3C datetime. Works in constants.
    ///
    /// Keeps the first nine digits of a fraction and drops the rest.
    ///
    /// # Errors
    ///
    /// Returns a [`LastModError`] if the string has none of the six forms, or if the date or time does not exist.
    pub const fn parse(text: &str) -> Result<Self, LastModError> {
        match parse(text.as_bytes()) {
            Ok(lastmod) => Ok(lastmod),
            Err(kind) => Err(LastModError::new(kind, text)),
        }
    }

    /// Parses the two forms in nearly all sitemaps: a day, or a time with seconds and `Z` or an offset.
    ///
    /// Returns `None` for all other strings, valid or not.
    #[inline]
    pub(crate) fn parse_usual(text: &[u8]) -> Option<Self> {
        parse_usual(text)
    }
}

/// Parses a string by the grammar of the W3C's NOTE-datetime, from the shortest form to the longest.
const fn parse(text: &[u8]) -> Result<LastMod, LastModErrorKind> {
    let [y1, y2, y3, y4, rest @ ..] = text else {
        return Err(LastModErrorKind::Form);
    };
    let Some(year) = number(&[*y1, *y2, *y3, *y4]) else {
        return Err(LastModErrorKind::Form);
    };
    #[allow(clippy::cast_possible_wrap)] // four digits
    let year = year as i32;
    let (mut lastmod, rest) = match rest {
        [] => return finish_date(year, 1, 1, Precision::Year),
        [b'-', m1, m2, rest @ ..] => match (number(&[*m1, *m2]), rest) {
            (Some(month), []) => return finish_date(year, month, 1, Precision::Month),
            (Some(month), [b'-', d1, d2, rest @ ..]) => match (number(&[*d1, *d2]), rest) {
                (Some(day), []) => return finish_date(year, month, day, Precision::Day),
                (Some(day), [b'T', rest @ ..]) => match finish_date(year, month, day, Precision::Day) {
                    Ok(date) => (date, rest),
                    Err(kind) => return Err(kind),
                },
                _ => return Err(LastModErrorKind::Form),
            },
            _ => return Err(LastModErrorKind::Form),
        },
        _ => return Err(LastModErrorKind::Form),
    };
    let [h1, h2, b':', n1, n2, rest @ ..] = rest else {
        return Err(LastModErrorKind::Form);
    };
    let (Some(hour), Some(minute)) = (number(&[*h1, *h2]), number(&[*n1, *n2])) else {
        return Err(LastModErrorKind::Form);
    };
    lastmod.precision = Precision::Minute;
    let (second, rest) = match rest {
        [b':', s1, s2, rest @ ..] => {
            lastmod.precision = Precision::Second;
            let Some(second) = number(&[*s1, *s2]) else {
                return Err(LastModErrorKind::Form);
            };
            let rest = match rest {
                [b'.', rest @ ..] => match parse_fraction(&mut lastmod, rest) {
                    Some(rest) => rest,
                    None => return Err(LastModErrorKind::Form),
                },
                rest => rest,
            };
            (second, rest)
        }
        rest => (0, rest),
    };
    if hour > 23 || minute > 59 || second > 59 {
        return Err(LastModErrorKind::Time);
    }
    lastmod.fields |= ((hour << 16) | (minute << 8) | second) as u64;
    match parse_zone(rest) {
        Ok(zone) => {
            lastmod.zone = zone;
            Ok(lastmod)
        }
        Err(kind) => Err(kind),
    }
}

/// Implements [`LastMod::parse_usual`].
// The reader calls this for every entry. With several callers, `#[inline]` alone would be ignored by the compiler.
#[allow(clippy::inline_always)]
#[inline(always)]
fn parse_usual(text: &[u8]) -> Option<LastMod> {
    let (date, time) = text.split_first_chunk::<10>()?;
    let mut digits = Digits { mismatch: (date[4] ^ b'-') | (date[7] ^ b'-') };
    let year = u16::from(digits.pair(date[0], date[1])) * 100 + u16::from(digits.pair(date[2], date[3]));
    let (month, day) = (digits.pair(date[5], date[6]), digits.pair(date[8], date[9]));
    if digits.mismatch != 0 || year == 0 || !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    let mut lastmod = LastMod::day(year, month, day);
    let Some((clock, zone)) = time.split_first_chunk::<9>() else {
        return time.is_empty().then_some(lastmod);
    };
    digits.mismatch = (clock[0] ^ b'T') | (clock[3] ^ b':') | (clock[6] ^ b':');
    let hour = digits.pair(clock[1], clock[2]);
    let (minute, second) = (digits.pair(clock[4], clock[5]), digits.pair(clock[7], clock[8]));
    if digits.mismatch != 0 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    lastmod.fields |= u64::from_be_bytes([0, 0, 0, 0, 0, hour, minute, second]);
    lastmod.precision = Precision::Second;
    lastmod.zone = parse_zone(zone).ok()?;
    Some(lastmod)
}

/// Reads digits. Invalid characters are recorded instead of returned as errors, so a single check at the end is enough.
struct Digits {
    /// 0 as long as no invalid character was read.
    mismatch: u8,
}

impl Digits {
    /// Returns the value of two digits. Records an error if a byte is not a digit.
    #[inline]
    const fn pair(&mut self, tens: u8, ones: u8) -> u8 {
        let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
        self.mismatch |= (tens > 9) as u8 | (ones > 9) as u8;
        tens.wrapping_mul(10).wrapping_add(ones)
    }
}

const fn finish_date(
    year: i32,
    month: u32,
    day: u32,
    precision: Precision,
) -> Result<LastMod, LastModErrorKind> {
    #[allow(clippy::cast_possible_truncation)] // two digits
    let (month, day) = (month as u8, day as u8);
    match check_date(year, month, day) {
        Ok(()) => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // just checked
            let mut lastmod = LastMod::day(year as u16, month, day);
            lastmod.precision = precision;
            Ok(lastmod)
        }
        Err(kind) => Err(kind),
    }
}

/// Reads the digits after the decimal point and returns what follows them.
const fn parse_fraction<'t>(lastmod: &mut LastMod, mut text: &'t [u8]) -> Option<&'t [u8]> {
    let mut seen = 0;
    while let [byte @ b'0'..=b'9', rest @ ..] = text {
        if seen < 9 {
            lastmod.nanos = lastmod.nanos * 10 + (*byte - b'0') as u32;
            seen += 1;
        }
        text = rest;
    }
    if seen == 0 {
        return None;
    }
    lastmod.precision = Precision::Fraction;
    lastmod.fraction_digits = seen;
    while seen < 9 {
        lastmod.nanos *= 10;
        seen += 1;
    }
    Some(text)
}

const fn parse_zone(text: &[u8]) -> Result<Zone, LastModErrorKind> {
    let (negative, hours, minutes) = match text {
        [] => return Err(LastModErrorKind::NoOffset),
        [b'Z'] => return Ok(Zone::UTC),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (number(&[*h1, *h2]), number(&[*m1, *m2])) {
            (Some(hours), Some(minutes)) => (*sign == b'-', hours, minutes),
            _ => return Err(LastModErrorKind::Form),
        },
        _ => return Err(LastModErrorKind::Form),
    };
    if minutes > 59 || hours * 60 + minutes > Zone::MAX_OFFSET as u32 {
        return Err(LastModErrorKind::Offset);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // at most 840
    let offset = (hours * 60 + minutes) as i16;
    Ok(match (negative, offset) {
        (true, 0) => Zone::UNKNOWN,
        (true, offset) => Zone(-offset),
        (false, offset) => Zone(offset),
    })
}

/// Returns the value of decimal digits, or `None` if a character is not a digit.
const fn number(digits: &[u8]) -> Option<u32> {
    let mut value = 0;
    let mut at = 0;
    while at < digits.len() {
        if !digits[at].is_ascii_digit() {
            return None;
        }
        value = value * 10 + (digits[at] - b'0') as u32;
        at += 1;
    }
    Some(value)
}
