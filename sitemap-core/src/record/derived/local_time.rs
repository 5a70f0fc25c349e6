//! Converts times without an offset to `lastmod`, for a given time zone, and numbers of seconds since 1970.

use crate::value::{LastMod, LastModError};

/// A time without an offset, such as `chrono::NaiveDateTime`. Required for fields with
/// `#[sitemap(lastmod, zone = "UTC")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a time without an offset, so it needs no `zone`",
    label = "not a time without an offset",
    note = "`zone` is for `chrono::NaiveDateTime`, `jiff::civil::DateTime`, `time::PrimitiveDateTime`, or an `Option` of one",
    note = "for other types, remove `zone`, or convert the field with `#[sitemap(lastmod, with = path)]`",
    note = "types of the crates jiff and time need the feature `jiff` or `time` of `sitemap-core`"
)]
pub trait LocalTime {
    /// Returns the time at an offset of -840 to 840 minutes east of UTC, or `None` to omit `lastmod`.
    fn at_offset(&self, minutes: i16) -> Result<Option<LastMod>, LastModError>;
}

/// A Unix time. Required for fields with `#[sitemap(lastmod, unix)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a Unix time",
    label = "not an integer",
    note = "`unix` is for `i32`, `i64`, `u32`, `u64`, or an `Option` of one",
    note = "for other types, remove `unix`, or convert the field with `#[sitemap(lastmod, with = path)]`"
)]
pub trait UnixTime {
    /// Converts the number, of which `per_second` are a second, or returns `None` to omit `lastmod`.
    fn at_unix(&self, per_second: i64) -> Result<Option<LastMod>, LastModError>;
}

macro_rules! unix_time {
    ($($integer:ty),+) => {$(
        impl UnixTime for $integer {
            #[inline]
            fn at_unix(&self, per_second: i64) -> Result<Option<LastMod>, LastModError> {
                let number = i64::try_from(*self).unwrap_or(i64::MAX);
                LastMod::from_timestamp(number.div_euclid(per_second)).map(Some)
            }
        }
    )+};
}

unix_time!(i32, i64, u32, u64);

#[diagnostic::do_not_recommend]
impl<T: UnixTime> UnixTime for Option<T> {
    fn at_unix(&self, per_second: i64) -> Result<Option<LastMod>, LastModError> {
        self.as_ref().map_or(Ok(None), |time| time.at_unix(per_second))
    }
}

through_pointers!(UnixTime::at_unix(per_second: i64) -> Result<Option<LastMod>, LastModError>);

#[diagnostic::do_not_recommend]
impl<T: LocalTime> LocalTime for Option<T> {
    fn at_offset(&self, minutes: i16) -> Result<Option<LastMod>, LastModError> {
        self.as_ref().map_or(Ok(None), |time| time.at_offset(minutes))
    }
}

through_pointers!(LocalTime::at_offset(minutes: i16) -> Result<Option<LastMod>, LastModError>);

#[cfg(feature = "chrono")]
impl LocalTime for chrono::NaiveDateTime {
    #[inline]
    fn at_offset(&self, minutes: i16) -> Result<Option<LastMod>, LastModError> {
        use chrono::Timelike as _;

        Ok(Some(LastMod::try_from(self.date())?.at(self.num_seconds_from_midnight(), minutes)))
    }
}

#[cfg(feature = "jiff")]
impl LocalTime for jiff::civil::DateTime {
    fn at_offset(&self, minutes: i16) -> Result<Option<LastMod>, LastModError> {
        let clock = self.time();
        let seconds =
            i32::from(clock.hour()) * 3_600 + i32::from(clock.minute()) * 60 + i32::from(clock.second());
        Ok(Some(LastMod::try_from(self.date())?.at(seconds.unsigned_abs(), minutes)))
    }
}

#[cfg(feature = "time")]
impl LocalTime for time::PrimitiveDateTime {
    fn at_offset(&self, minutes: i16) -> Result<Option<LastMod>, LastModError> {
        let (hour, minute, second) = self.as_hms();
        let seconds = u32::from(hour) * 3_600 + u32::from(minute) * 60 + u32::from(second);
        Ok(Some(LastMod::try_from(self.date())?.at(seconds, minutes)))
    }
}
