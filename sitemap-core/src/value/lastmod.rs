//! `lastmod`: when a page last changed, in any of the six forms of a W3C datetime.

use std::fmt;
use std::str::FromStr;

use super::digits::two_digits;
use super::excerpt::Excerpt;

/// When a page last changed.
///
/// Holds one of the six forms of a [W3C datetime](https://www.w3.org/TR/NOTE-datetime) and keeps
/// which one it is: `2024-03` stays a month and is never widened to a day.
///
/// | form | example |
/// |---|---|
/// | [`Year`](Precision::Year) | `2024` |
/// | [`Month`](Precision::Month) | `2024-03` |
/// | [`Day`](Precision::Day) | `2024-03-09` |
/// | [`Minute`](Precision::Minute) | `2024-03-09T16:05+01:00` |
/// | [`Second`](Precision::Second) | `2024-03-09T16:05:30+01:00` |
/// | [`Fraction`](Precision::Fraction) | `2024-03-09T16:05:30.25Z` |
///
/// Dates of Rust types become the day or second form, the two that every search engine and every
/// edition of the schema accept; fractions of a second are cut off. See [`ToLastMod`] for the types.
///
/// Years run from 0001 to 9999, hours from 00 to 23, seconds from 00 to 59, offsets from `-14:00` to
/// `+14:00`. A form with a time always has an offset, `Z` or `+hh:mm`.
///
/// ```
/// use sitemap_core::LastMod;
///
/// let changed: LastMod = "2024-03".parse()?;
/// assert_eq!(changed.to_string(), "2024-03");
///
/// let error = "2024-02-30".parse::<LastMod>().unwrap_err();
/// assert_eq!(error.to_string(), "`lastmod` names a day that its month does not have, found \"2024-02-30\"");
/// # Ok::<(), sitemap_core::LastModError>(())
/// ```
///
/// [`ToLastMod`]: crate::ToLastMod
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LastMod {
    /// A byte each, the most significant first: 0, year (two bytes), month, day, hour, minute,
    /// second. Of two values in one zone the later one has the greater number.
    fields: u64,
    nanos: u32,
    zone: Zone,
    precision: Precision,
    /// How many digits the fraction has, 1 to 9; 0 in the other forms.
    fraction_digits: u8,
}

/// How exact a [`LastMod`] is: which of the six forms it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// `YYYY`
    Year,
    /// `YYYY-MM`
    Month,
    /// `YYYY-MM-DD`
    Day,
    /// `YYYY-MM-DDThh:mmTZD`
    Minute,
    /// `YYYY-MM-DDThh:mm:ssTZD`
    Second,
    /// `YYYY-MM-DDThh:mm:ss.sTZD`
    Fraction,
}

/// The time zone designator: minutes east of UTC, or one of two that are no number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Zone(i16);

impl Zone {
    /// `Z`
    const UTC: Self = Self(i16::MAX);
    /// `-00:00`: RFC 3339's "offset unknown", kept apart from `+00:00`.
    const UNKNOWN: Self = Self(i16::MIN);
    /// The offset that XML Schema allows at most, in minutes.
    const MAX_OFFSET: i16 = 14 * 60;

    const fn is_utc(self) -> bool {
        self.0 == Self::UTC.0
    }

    const fn minutes(self) -> i16 {
        if self.0.unsigned_abs() > Self::MAX_OFFSET.unsigned_abs() { 0 } else { self.0 }
    }
}

impl LastMod {
    /// A calendar day.
    ///
    /// # Errors
    ///
    /// If the year is not 1 to 9999, or the month or day does not exist.
    pub const fn date(year: i32, month: u8, day: u8) -> Result<Self, LastModError> {
        match check_date(year, month, day) {
            Ok(()) => Self::existing_date(year, month, day),
            Err(kind) => Err(LastModError { kind, found: Found::Date(year, month, day) }),
        }
    }

    /// A second in UTC, counted from 1970-01-01T00:00:00Z and written with `Z`.
    ///
    /// # Errors
    ///
    /// If the year is not 1 to 9999.
    pub const fn from_timestamp(seconds: i64) -> Result<Self, LastModError> {
        let days = seconds.div_euclid(86_400);
        let in_day = seconds.rem_euclid(86_400);
        let (year, month, day) = civil_from_days(days);
        if year < 1 || year > 9_999 {
            return Err(LastModError { kind: LastModErrorKind::Year, found: Found::Timestamp(seconds) });
        }
        // All four are in range by the arithmetic above.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let (year, in_day) = (year as u16, in_day as u32);
        Ok(Self::day(year, month, day).with_time(in_day, Zone::UTC))
    }

    /// A day that its calendar says exists; only the year can be out of range.
    #[inline]
    pub(super) const fn existing_date(year: i32, month: u8, day: u8) -> Result<Self, LastModError> {
        if year < 1 || year > 9_999 {
            return Err(LastModError { kind: LastModErrorKind::Year, found: Found::Date(year, month, day) });
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // just checked
        Ok(Self::day(year as u16, month, day))
    }

    /// This date at a time of day, `offset` minutes east of UTC; an offset of 0 is written as `Z`.
    ///
    /// `second_of_day` is below 86,400; larger offsets than 14 hours are the caller's to avoid.
    #[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
    #[inline]
    pub(super) const fn at(self, second_of_day: u32, offset: i16) -> Self {
        self.with_time(second_of_day, if offset == 0 { Zone::UTC } else { Zone(offset) })
    }

    /// An offset in minutes, if `±hh:mm` can say it.
    #[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
    pub(super) const fn minutes_of_offset(seconds: i32) -> Option<i16> {
        if seconds % 60 == 0 && seconds.abs() <= Zone::MAX_OFFSET as i32 * 60 {
            #[allow(clippy::cast_possible_truncation)] // at most 840
            Some((seconds / 60) as i16)
        } else {
            None
        }
    }

    /// Reads one of the six forms; usable in constants.
    ///
    /// Digits of a fraction past the ninth are cut off.
    ///
    /// # Errors
    ///
    /// If the text is none of the six forms or names a date or time that does not exist.
    pub const fn parse(text: &str) -> Result<Self, LastModError> {
        match parse(text.as_bytes()) {
            Ok(lastmod) => Ok(lastmod),
            Err(kind) => Err(LastModError::new(kind, text)),
        }
    }

    /// Which of the six forms this is.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// The first second that the value covers, counted from 1970-01-01T00:00:00Z.
    ///
    /// Years, months and days begin at midnight UTC. This is what to compare when asking which of
    /// two values is newer.
    #[must_use]
    pub const fn timestamp(&self) -> i64 {
        let [_, _, _, month, day, hour, minute, second] = self.fields.to_be_bytes();
        let days = days_from_civil(self.year() as i64, month as i64, day as i64);
        let seconds = hour as i64 * 3_600 + minute as i64 * 60 + second as i64;
        days * 86_400 + seconds - self.zone.minutes() as i64 * 60
    }

    const fn year(&self) -> u16 {
        let [_, y1, y2, ..] = self.fields.to_be_bytes();
        u16::from_be_bytes([y1, y2])
    }

    const fn day(year: u16, month: u8, day: u8) -> Self {
        let [y1, y2] = year.to_be_bytes();
        Self {
            fields: u64::from_be_bytes([0, y1, y2, month, day, 0, 0, 0]),
            nanos: 0,
            zone: Zone::UTC,
            precision: Precision::Day,
            fraction_digits: 0,
        }
    }

    /// `second_of_day` is below 86,400.
    #[inline]
    const fn with_time(mut self, second_of_day: u32, zone: Zone) -> Self {
        let (hour, rest) = (second_of_day / 3_600, second_of_day % 3_600);
        self.fields |= ((hour << 16) | ((rest / 60) << 8) | (rest % 60)) as u64;
        self.zone = zone;
        self.precision = Precision::Second;
        self
    }

    /// Whether this is a later moment, by [`timestamp`](Self::timestamp).
    #[inline]
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        if self.zone == other.zone {
            // The usual case, and far cheaper than counting days.
            self.fields > other.fields
        } else {
            self.timestamp() > other.timestamp()
        }
    }

    /// Writes the value to the front of `text` and returns its length.
    #[inline]
    pub(crate) fn encode(&self, text: &mut [u8; Self::MAX_LEN]) -> usize {
        text[..20].copy_from_slice(b"0000-00-00T00:00:00Z");
        let [_, _, _, month, day, hour, minute, second] = self.fields.to_be_bytes();
        let [century, _] = (self.year() / 100).to_le_bytes();
        let [year, _] = (self.year() % 100).to_le_bytes();
        text[0..2].copy_from_slice(&two_digits(century));
        text[2..4].copy_from_slice(&two_digits(year));
        text[5..7].copy_from_slice(&two_digits(month));
        text[8..10].copy_from_slice(&two_digits(day));
        text[11..13].copy_from_slice(&two_digits(hour));
        text[14..16].copy_from_slice(&two_digits(minute));
        text[17..19].copy_from_slice(&two_digits(second));
        match self.precision {
            // The two forms that conversions make are ready.
            Precision::Second if self.zone.is_utc() => 20,
            Precision::Day => 10,
            _ => self.encode_rest(text),
        }
    }

    /// The forms that end otherwise than `T00:00:00Z`; returns how long the value is.
    #[cold]
    fn encode_rest(&self, text: &mut [u8; Self::MAX_LEN]) -> usize {
        let time_ends = match self.precision {
            Precision::Year => return 4,
            Precision::Month => return 7,
            Precision::Day => return 10,
            Precision::Minute => 16,
            Precision::Second => 19,
            Precision::Fraction => self.encode_fraction(text),
        };
        self.encode_zone(text, time_ends)
    }

    fn encode_fraction(&self, text: &mut [u8; Self::MAX_LEN]) -> usize {
        text[19] = b'.';
        let mut rest = self.nanos;
        for digit in text[20..29].iter_mut().rev() {
            *digit = b'0' + (rest % 10).to_le_bytes()[0];
            rest /= 10;
        }
        20 + usize::from(self.fraction_digits)
    }

    fn encode_zone(&self, text: &mut [u8; Self::MAX_LEN], at: usize) -> usize {
        if self.zone.is_utc() {
            text[at] = b'Z';
            return at + 1;
        }
        let minutes = self.zone.minutes();
        let [hours, _] = (minutes.unsigned_abs() / 60).to_le_bytes();
        let [rest, _] = (minutes.unsigned_abs() % 60).to_le_bytes();
        let sign = if minutes < 0 || self.zone == Zone::UNKNOWN { b'-' } else { b'+' };
        let [h1, h2] = two_digits(hours);
        let [m1, m2] = two_digits(rest);
        text[at..at + 6].copy_from_slice(&[sign, h1, h2, b':', m1, m2]);
        at + 6
    }

    /// `2024-03-09T16:05:30.123456789+01:00`
    pub(crate) const MAX_LEN: usize = 35;
}

impl fmt::Display for LastMod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; Self::MAX_LEN];
        let len = self.encode(&mut text);
        f.pad(std::str::from_utf8(&text[..len]).unwrap_or_default())
    }
}

impl fmt::Debug for LastMod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LastMod({self})")
    }
}

impl FromStr for LastMod {
    type Err = LastModError;

    /// Same as [`LastMod::parse`].
    fn from_str(text: &str) -> Result<Self, LastModError> {
        Self::parse(text)
    }
}

/// The grammar of NOTE-datetime, form by form.
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

/// Takes the digits after the point; returns what follows them.
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
        [] => return Err(LastModErrorKind::NoZone),
        [b'Z'] => return Ok(Zone::UTC),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (number(&[*h1, *h2]), number(&[*m1, *m2])) {
            (Some(hours), Some(minutes)) => (*sign == b'-', hours, minutes),
            _ => return Err(LastModErrorKind::Form),
        },
        _ => return Err(LastModErrorKind::Form),
    };
    if minutes > 59 || hours * 60 + minutes > Zone::MAX_OFFSET as u32 {
        return Err(LastModErrorKind::Zone);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // at most 840
    let offset = (hours * 60 + minutes) as i16;
    Ok(match (negative, offset) {
        (true, 0) => Zone::UNKNOWN,
        (true, offset) => Zone(-offset),
        (false, offset) => Zone(offset),
    })
}

/// The value of some decimal digits, or `None` if one of them is no digit.
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

const fn check_date(year: i32, month: u8, day: u8) -> Result<(), LastModErrorKind> {
    if year < 1 || year > 9_999 {
        return Err(LastModErrorKind::Year);
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return Err(LastModErrorKind::Month),
    };
    if day < 1 || day > days {
        return Err(LastModErrorKind::Day);
    }
    Ok(())
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
///
/// Counts in years that begin in March, so that the leap day is a year's last.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let march_year = if month <= 2 { year - 1 } else { year };
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let leap_days = march_year.div_euclid(4) - march_year.div_euclid(100) + march_year.div_euclid(400);
    march_year * 365 + leap_days + day_of_year - DAYS_TO_EPOCH
}

/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_EPOCH: i64 = 719_468;

/// The reverse of [`days_from_civil`].
const fn civil_from_days(days: i64) -> (i64, u8, u8) {
    const DAYS_IN_400_YEARS: i64 = 146_097;
    let days = days + DAYS_TO_EPOCH;
    let era = days.div_euclid(DAYS_IN_400_YEARS);
    let day_of_era = days.rem_euclid(DAYS_IN_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to 12, 1 to 31
    (year, month as u8, day as u8)
}

/// A text or date that is not a W3C datetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastModError {
    kind: LastModErrorKind,
    found: Found,
}

/// Which rule a [`LastModError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LastModErrorKind {
    /// The text has none of the six forms.
    Form,
    /// The year is not 0001 to 9999.
    Year,
    /// The month is not 01 to 12.
    Month,
    /// The month does not have that day.
    Day,
    /// Hours past 23, minutes or seconds past 59; there is no `24:00` and no leap second.
    Time,
    /// A time without `Z` or an offset.
    NoZone,
    /// An offset past 14:00, or its minutes past 59.
    Zone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Text(Excerpt),
    Date(i32, u8, u8),
    Timestamp(i64),
}

impl LastModError {
    /// An error for a conversion of one's own, from the rule it breaks and the text that was found.
    ///
    /// ```
    /// use sitemap_core::{LastMod, LastModError, LastModErrorKind};
    ///
    /// /// Reads `31.01.2026`.
    /// fn german_date(text: &str) -> Result<LastMod, LastModError> {
    ///     let unreadable = || LastModError::new(LastModErrorKind::Form, text);
    ///     let mut parts = text.split('.').map(|part| part.parse::<u16>().map_err(|_| unreadable()));
    ///     let mut next = || parts.next().ok_or_else(unreadable)?;
    ///     let (day, month, year) = (next()?, next()?, next()?);
    ///     let small = |number: u16| u8::try_from(number).map_err(|_| unreadable());
    ///     LastMod::date(year.into(), small(month)?, small(day)?)
    /// }
    ///
    /// assert_eq!(german_date("31.01.2026")?.to_string(), "2026-01-31");
    /// assert!(german_date("yesterday").is_err());
    /// # Ok::<(), LastModError>(())
    /// ```
    #[must_use]
    pub const fn new(kind: LastModErrorKind, found: &str) -> Self {
        Self { kind, found: Found::Text(Excerpt::new(found)) }
    }

    /// Which rule was broken.
    #[must_use]
    pub const fn kind(&self) -> LastModErrorKind {
        self.kind
    }
}

impl fmt::Display for LastModError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            LastModErrorKind::Form => {
                "`lastmod` must be a W3C datetime; write it like `2024-03-09` or `2024-03-09T16:05:30Z`"
            }
            LastModErrorKind::Year => "`lastmod` must have a year from 0001 to 9999",
            LastModErrorKind::Month => "`lastmod` must have a month from 01 to 12",
            LastModErrorKind::Day => "`lastmod` names a day that its month does not have",
            LastModErrorKind::Time => {
                "`lastmod` must have a time from 00:00:00 to 23:59:59; there is no 24:00 and no leap second"
            }
            LastModErrorKind::NoZone => {
                "`lastmod` has a time without an offset; add `Z` or one like `+01:00`"
            }
            LastModErrorKind::Zone => "`lastmod` must have an offset from -14:00 to +14:00",
        })?;
        match &self.found {
            Found::Text(text) => write!(f, ", found {text}"),
            Found::Date(year, month, day) => write!(f, ", found {year:04}-{month:02}-{day:02}"),
            Found::Timestamp(seconds) => write!(f, ", found {seconds} seconds since 1970"),
        }
    }
}

impl std::error::Error for LastModError {}

#[cfg(test)]
#[path = "lastmod_tests.rs"]
mod tests;
