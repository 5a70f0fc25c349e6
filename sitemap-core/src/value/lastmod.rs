//! `lastmod`: the date of a page's last change, in one of the six forms of a W3C datetime.

mod calendar;
mod error;
mod parse;

use std::fmt;
use std::str::FromStr;

pub use error::{LastModError, LastModErrorKind};

use super::digits::two_digits;
use calendar::{check_date, civil_from_days, days_from_civil};
use error::Found;

/// The date or time of a page's last change.
///
/// A value has one of the six forms of a [W3C datetime](https://www.w3.org/TR/NOTE-datetime) and keeps it: `2024-03`
/// stays a month and never becomes a day.
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
/// Rust's date types convert to a day or to a time with seconds. Every search engine and every version of the schema
/// accepts these two forms. Fractions of a second are dropped. [`ToLastMod`] lists the types.
///
/// Years range from 0001 to 9999, hours from 00 to 23, seconds from 00 to 59, and offsets from `-14:00` to `+14:00`. A
/// form with a time always has an offset, `Z` or `±hh:mm`.
///
/// ```
/// use sitemap_core::LastMod;
///
/// let changed: LastMod = "2024-03".parse()?;
/// assert_eq!(changed.to_string(), "2024-03");
///
/// let error = "2024-02-30".parse::<LastMod>().unwrap_err();
/// assert_eq!(error.to_string(), "`lastmod` names a day that its month does not have, found \"2024-02-30\"");
/// # Ok::<(), sitemap_core::value::LastModError>(())
/// ```
///
/// [`ToLastMod`]: crate::value::ToLastMod
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LastMod {
    /// The date and time, packed into the bytes of one number. From the most significant byte to the least: 0, year
    /// (two bytes), month, day, hour, minute, second. For two times in the same zone, the later one is the larger
    /// number.
    fields: u64,
    nanos: u32,
    zone: Zone,
    precision: Precision,
    /// The number of digits after the decimal point: 1 to 9, or 0 for forms without a fraction.
    fraction_digits: u8,
}

/// The precision of a [`LastMod`]: one of the six forms of a W3C datetime.
///
/// ```
/// use sitemap_core::LastMod;
/// use sitemap_core::value::Precision;
///
/// assert_eq!(LastMod::parse("2024-03")?.precision(), Precision::Month);
/// assert_eq!(LastMod::parse("2024-03-09T16:05:30Z")?.precision(), Precision::Second);
/// assert!(Precision::Month < Precision::Second);
/// # Ok::<(), sitemap_core::value::LastModError>(())
/// ```
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

/// The time zone: minutes east of UTC, `UTC` or `UNKNOWN`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Zone(i16);

impl Zone {
    /// `Z`
    const UTC: Self = Self(i16::MAX);
    /// The offset `-00:00`. Unlike `+00:00`, it means in RFC 3339 that the local offset is unknown.
    const UNKNOWN: Self = Self(i16::MIN);
    /// The largest offset that XML Schema allows, in minutes.
    const MAX_OFFSET: i16 = 14 * 60;

    const fn is_utc(self) -> bool {
        self.0 == Self::UTC.0
    }

    const fn minutes(self) -> i16 {
        if self.0.unsigned_abs() > Self::MAX_OFFSET.unsigned_abs() { 0 } else { self.0 }
    }
}

impl LastMod {
    /// Creates a date with the precision of a day.
    ///
    /// # Errors
    ///
    /// Returns a [`LastModError`] if the year is outside 1 to 9999, or if the month or day does not exist.
    pub const fn date(year: i32, month: u8, day: u8) -> Result<Self, LastModError> {
        match check_date(year, month, day) {
            Ok(()) => Self::from_existing_date(year, month, day),
            Err(kind) => Err(LastModError { kind, found: Found::Date(year, month, day) }),
        }
    }

    /// Converts seconds since 1970-01-01T00:00:00Z to a time in UTC with the precision [`Second`](Precision::Second),
    /// written with `Z`.
    ///
    /// # Errors
    ///
    /// Returns a [`LastModError`] if the year is outside 1 to 9999.
    pub const fn from_timestamp(seconds: i64) -> Result<Self, LastModError> {
        let days = seconds.div_euclid(86_400);
        let in_day = seconds.rem_euclid(86_400);
        let (year, month, day) = civil_from_days(days);
        if year < 1 || year > 9_999 {
            return Err(LastModError { kind: LastModErrorKind::Year, found: Found::Timestamp(seconds) });
        }
        // Neither cast changes the number: the year was just checked, and the remainder is below 86,400.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let (year, in_day) = (year as u16, in_day as u32);
        Ok(Self::day(year, month, day).with_time(in_day, Zone::UTC))
    }

    /// Converts a date from a calendar library. The month and day exist, but the year may be out of range.
    #[inline]
    pub(super) const fn from_existing_date(year: i32, month: u8, day: u8) -> Result<Self, LastModError> {
        if year < 1 || year > 9_999 {
            return Err(LastModError { kind: LastModErrorKind::Year, found: Found::Date(year, month, day) });
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // just checked
        Ok(Self::day(year as u16, month, day))
    }

    /// Adds a time of day in a zone that is `offset` minutes east of UTC. An offset of 0 is written as `Z`.
    ///
    /// `second_of_day` must be below 86,400, and `offset` from -840 to 840.
    #[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
    #[inline]
    pub(crate) const fn at(self, second_of_day: u32, offset: i16) -> Self {
        self.with_time(second_of_day, if offset == 0 { Zone::UTC } else { Zone(offset) })
    }

    /// Converts an offset from seconds to minutes. Returns `None` if it exceeds 14 hours or is not a whole number of
    /// minutes.
    #[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
    pub(super) const fn minutes_of_offset(seconds: i32) -> Option<i16> {
        if seconds % 60 == 0 && seconds.abs() <= Zone::MAX_OFFSET as i32 * 60 {
            #[allow(clippy::cast_possible_truncation)] // at most 840
            Some((seconds / 60) as i16)
        } else {
            None
        }
    }

    /// Returns the precision, that is, the form in which the value is written.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// Returns the Unix timestamp of the first second that the value covers.
    ///
    /// Years, months and days start at midnight UTC. Compare timestamps to find the newer of two values.
    ///
    /// ```
    /// use sitemap_core::LastMod;
    ///
    /// let noon = LastMod::parse("2024-03-09T13:00:00+01:00")?;
    /// let day = LastMod::date(2024, 3, 9)?;
    /// assert_eq!(noon.timestamp() - day.timestamp(), 12 * 60 * 60);
    /// assert_eq!(LastMod::from_timestamp(noon.timestamp())?.to_string(), "2024-03-09T12:00:00Z");
    /// # Ok::<(), sitemap_core::value::LastModError>(())
    /// ```
    #[must_use]
    pub const fn timestamp(&self) -> i64 {
        let [_, _, _, month, day, hour, minute, second] = self.fields.to_be_bytes();
        let days = days_from_civil(self.year(), month, day);
        let seconds = hour as i64 * 3_600 + minute as i64 * 60 + second as i64;
        days * 86_400 + seconds - self.zone.minutes() as i64 * 60
    }

    /// Returns the year, month and day in the value's own offset. Missing parts are 1.
    pub(crate) const fn year_month_day(&self) -> (u16, u8, u8) {
        let [_, _, _, month, day, ..] = self.fields.to_be_bytes();
        (self.year(), month, day)
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

    /// Adds a time of day in a zone; `second_of_day` must be below 86,400.
    #[inline]
    const fn with_time(mut self, second_of_day: u32, zone: Zone) -> Self {
        let (hour, rest) = (second_of_day / 3_600, second_of_day % 3_600);
        self.fields |= ((hour << 16) | ((rest / 60) << 8) | (rest % 60)) as u64;
        self.zone = zone;
        self.precision = Precision::Second;
        self
    }

    /// Returns `true` if this value has a later [`timestamp`](Self::timestamp) than another value.
    #[inline]
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        if self.zone == other.zone {
            // Most values are in the same zone. Comparing their fields is far cheaper than computing timestamps.
            self.fields > other.fields
        } else {
            self.timestamp() > other.timestamp()
        }
    }

    /// Writes the value to the start of `text` and returns its length.
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
            // The two common forms end here: a time with seconds and `Z`, and a day.
            Precision::Second if self.zone.is_utc() => 20,
            Precision::Day => 10,
            _ => self.encode_rest(text),
        }
    }

    /// Finishes a less common form after [`encode`](Self::encode), and returns its length.
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

    /// The length of the longest value, such as `2024-03-09T16:05:30.123456789+01:00`.
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
        match Self::parse_usual(text.as_bytes()) {
            Some(lastmod) => Ok(lastmod),
            None => Self::parse(text),
        }
    }
}

#[cfg(test)]
#[path = "lastmod_tests.rs"]
mod tests;
