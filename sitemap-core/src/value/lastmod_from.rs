//! Conversions from Rust's date libraries to `lastmod`.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{LastMod, LastModError};

/// A value that can be a page's `lastmod`.
///
/// | type | becomes |
/// |---|---|
/// | [`LastMod`] | itself |
/// | [`SystemTime`] | a second in UTC |
/// | `chrono::DateTime<Tz>` (feature `chrono`, on by default) | a second with its offset |
/// | `chrono::NaiveDate` | a day |
/// | `jiff::Timestamp` (feature `jiff`) | a second in UTC |
/// | `jiff::Zoned` | a second with its offset |
/// | `jiff::civil::Date` | a day |
/// | `time::OffsetDateTime` (feature `time`) | a second with its offset |
/// | `time::UtcDateTime` | a second in UTC |
/// | `time::Date` | a day |
/// | `Option<T>` of any of these types | no `lastmod` if it is `None` |
///
/// An offset of zero is written as `Z`. A time is converted to UTC if its offset exceeds 14 hours or includes seconds,
/// as in old time zone data. Fractions are dropped, and a leap second becomes the second before it.
///
/// Times without an offset, such as `chrono::NaiveDateTime`, do not implement this trait, because their time zone is
/// unknown. Name the zone in the attribute instead: `#[sitemap(lastmod, zone = "UTC")]`. Strings do not implement it
/// either, because a string can have any format. Convert such a field with `#[sitemap(lastmod, with = path)]`.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use sitemap_core::LastMod;
/// use sitemap_core::value::{LastModError, ToLastMod};
///
/// let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_735_689_600);
/// assert_eq!(time.to_last_mod()?, Some(LastMod::parse("2025-01-01T00:00:00Z")?));
/// assert_eq!(None::<SystemTime>.to_last_mod()?, None);
///
/// /// A year of publication.
/// struct Year(i32);
///
/// impl ToLastMod for Year {
///     fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
///         LastMod::date(self.0, 1, 1).map(Some)
///     }
/// }
///
/// assert_eq!(Year(2025).to_last_mod()?, Some(LastMod::date(2025, 1, 1)?));
/// assert!(Year(0).to_last_mod().is_err());
/// # Ok::<(), LastModError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a sitemap `lastmod`",
    label = "not a date that a sitemap can hold",
    note = "use `SystemTime`, a type such as `chrono::DateTime`, `jiff::Zoned` or `time::Date`, or an `Option` of one",
    note = "say the zone of a time without an offset with `#[sitemap(lastmod, zone = \"UTC\")]`",
    note = "mark a number of seconds since 1970 with `#[sitemap(lastmod, unix)]`, and convert a text with `#[sitemap(lastmod, with = path)]`",
    note = "types of the crates jiff and time need the feature `jiff` or `time` of `sitemap-core`",
    note = "if the field is not meant for the sitemap, mark it `#[sitemap(skip)]`"
)]
pub trait ToLastMod {
    /// Returns the date, or `None` to omit `lastmod`.
    ///
    /// # Errors
    ///
    /// Returns a [`LastModError`] if the year is outside 0001 to 9999.
    fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError>;
}

impl ToLastMod for LastMod {
    fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
        Ok(Some(*self))
    }
}

impl TryFrom<SystemTime> for LastMod {
    type Error = LastModError;

    fn try_from(time: SystemTime) -> Result<Self, LastModError> {
        let seconds = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
            // Round down, as for times after 1970: half a second before 1970 becomes 1969-12-31T23:59:59Z.
            Err(before) => {
                let before = before.duration();
                let whole = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                -whole - i64::from(before.subsec_nanos() > 0)
            }
        };
        Self::from_timestamp(seconds)
    }
}

/// Implements `TryFrom` and `ToLastMod` for the types of a date library.
#[cfg(any(feature = "jiff", feature = "time", feature = "chrono"))]
macro_rules! convertible {
    ($($type:ty => $convert:expr),+ $(,)?) => {$(
        impl TryFrom<$type> for LastMod {
            type Error = LastModError;

            fn try_from(value: $type) -> Result<Self, LastModError> {
                $convert(&value)
            }
        }

        to_last_mod!($type => $convert);
    )+};
}

macro_rules! to_last_mod {
    ($type:ty => $convert:expr) => {
        impl ToLastMod for $type {
            #[inline]
            fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
                $convert(self).map(Some)
            }
        }
    };
}

to_last_mod!(SystemTime => |time: &SystemTime| LastMod::try_from(*time));

#[diagnostic::do_not_recommend]
impl<T: ToLastMod> ToLastMod for Option<T> {
    fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
        self.as_ref().map_or(Ok(None), T::to_last_mod)
    }
}

through_pointers!(ToLastMod::to_last_mod() -> Result<Option<LastMod>, LastModError>);

#[cfg(feature = "chrono")]
mod chrono {
    use chrono::{DateTime, Datelike as _, NaiveDate, Offset as _, TimeZone, Timelike as _};

    use super::{LastMod, LastModError, ToLastMod};

    #[inline]
    #[allow(clippy::trivially_copy_pass_by_ref)] // `convertible!` passes references
    fn from_date(date: &NaiveDate) -> Result<LastMod, LastModError> {
        LastMod::from_existing_date(date.year(), to_u8(date.month()), to_u8(date.day()))
    }

    #[inline]
    fn from_date_time<Tz: TimeZone>(time: &DateTime<Tz>) -> Result<LastMod, LastModError> {
        let offset = time.offset().fix().local_minus_utc();
        let (local, offset) = match LastMod::minutes_of_offset(offset) {
            Some(0) | None => (time.naive_utc(), 0),
            Some(minutes) => (time.naive_local(), minutes),
        };
        let date = from_date(&local.date())?;
        Ok(date.at(local.time().num_seconds_from_midnight(), offset))
    }

    #[allow(clippy::cast_possible_truncation)] // months and days are small
    fn to_u8(number: u32) -> u8 {
        number as u8
    }

    convertible!(NaiveDate => from_date);

    impl<Tz: TimeZone> TryFrom<DateTime<Tz>> for LastMod {
        type Error = LastModError;

        fn try_from(time: DateTime<Tz>) -> Result<Self, LastModError> {
            from_date_time(&time)
        }
    }

    impl<Tz: TimeZone> ToLastMod for DateTime<Tz> {
        #[inline]
        fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
            from_date_time(self).map(Some)
        }
    }
}

#[cfg(feature = "jiff")]
mod jiff {
    use jiff::civil::Date;
    use jiff::{Timestamp, Zoned};

    use super::{LastMod, LastModError, ToLastMod};

    #[allow(clippy::trivially_copy_pass_by_ref)] // `convertible!` passes references
    fn from_date(date: &Date) -> Result<LastMod, LastModError> {
        LastMod::from_existing_date(
            date.year().into(),
            date.month().unsigned_abs(),
            date.day().unsigned_abs(),
        )
    }

    fn from_timestamp(time: &Timestamp) -> Result<LastMod, LastModError> {
        // jiff rounds seconds towards zero, which rounds times before 1970 up. Round them down instead.
        let seconds = time.as_second() - i64::from(time.subsec_nanosecond() < 0);
        LastMod::from_timestamp(seconds)
    }

    fn from_zoned(time: &Zoned) -> Result<LastMod, LastModError> {
        match LastMod::minutes_of_offset(time.offset().seconds()) {
            Some(0) | None => from_timestamp(&time.timestamp()),
            Some(minutes) => {
                let date = from_date(&time.date())?;
                let clock = time.time();
                let seconds = i32::from(clock.hour()) * 3_600
                    + i32::from(clock.minute()) * 60
                    + i32::from(clock.second());
                Ok(date.at(seconds.unsigned_abs(), minutes))
            }
        }
    }

    convertible!(Date => from_date, Timestamp => from_timestamp, Zoned => from_zoned);
}

#[cfg(feature = "time")]
mod time {
    use time::{Date, OffsetDateTime, UtcDateTime};

    use super::{LastMod, LastModError, ToLastMod};

    #[allow(clippy::trivially_copy_pass_by_ref)] // `convertible!` passes references
    fn from_date(date: &Date) -> Result<LastMod, LastModError> {
        let (year, month, day) = date.to_calendar_date();
        LastMod::from_existing_date(year, month.into(), day)
    }

    fn from_utc(time: &UtcDateTime) -> Result<LastMod, LastModError> {
        LastMod::from_timestamp(time.unix_timestamp())
    }

    fn from_offset(time: &OffsetDateTime) -> Result<LastMod, LastModError> {
        match LastMod::minutes_of_offset(time.offset().whole_seconds()) {
            Some(0) | None => LastMod::from_timestamp(time.unix_timestamp()),
            Some(minutes) => {
                let (hour, minute, second) = time.to_hms();
                let seconds = u32::from(hour) * 3_600 + u32::from(minute) * 60 + u32::from(second);
                Ok(from_date(&time.date())?.at(seconds, minutes))
            }
        }
    }

    convertible!(Date => from_date, UtcDateTime => from_utc, OffsetDateTime => from_offset);
}
