//! Dates in URL templates, such as `{published:%Y/%m/%d}`.

use std::time::SystemTime;

use super::{TemplateUrl, push_last};
use crate::value::{LastMod, LastModError, LocError, LocErrorKind, Precision, ToLastMod};

/// A date that can fill a placeholder with a date format, such as `{published:%Y/%m/%d}`.
///
/// All types that implement [`ToLastMod`] also implement this trait, except `Option` and `Result`, because a record
/// without a date would have no URL. Implement it for your own date type:
///
/// ```
/// use sitemap_core::LastMod;
/// use sitemap_core::record::UrlDate;
/// use sitemap_core::value::{LastModError, ToLastMod};
///
/// /// A day of 2026.
/// struct Day(u8);
///
/// impl ToLastMod for Day {
///     fn to_last_mod(&self) -> Result<Option<LastMod>, LastModError> {
///         LastMod::date(2026, 1, self.0).map(Some)
///     }
/// }
///
/// impl UrlDate for Day {}
///
/// fn is_url_date<T: UrlDate>(date: &T) -> bool {
///     date.to_last_mod().is_ok()
/// }
///
/// assert!(is_url_date(&Day(31)));
/// assert!(is_url_date(&std::time::SystemTime::now()));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot fill a placeholder with a date format in a sitemap URL",
    label = "not a date, or a date that may be missing",
    note = "use `SystemTime`, `LastMod`, or a type such as `chrono::DateTime`, `jiff::Zoned` or `time::Date`, or implement `UrlDate`",
    note = "a record with `None` has no URL: leave such records out with `skip_if`, and convert the other values with `#[sitemap(param, with = path)]`"
)]
pub trait UrlDate: ToLastMod {
    /// Returns the date for the URL. Default: the date for `lastmod`.
    ///
    /// # Errors
    ///
    /// Returns an error if the date cannot be converted.
    #[inline]
    fn to_url_date(&self) -> Result<Option<LastMod>, LastModError> {
        self.to_last_mod()
    }
}

impl UrlDate for LastMod {}
impl UrlDate for SystemTime {}

#[diagnostic::do_not_recommend]
impl<T: UrlDate + ?Sized> UrlDate for &T {
    #[inline]
    fn to_url_date(&self) -> Result<Option<LastMod>, LastModError> {
        (**self).to_url_date()
    }
}

#[cfg(feature = "chrono")]
impl UrlDate for chrono::NaiveDate {}
#[cfg(feature = "chrono")]
impl<Tz: chrono::TimeZone> UrlDate for chrono::DateTime<Tz> {}

#[cfg(feature = "jiff")]
impl UrlDate for jiff::civil::Date {}
#[cfg(feature = "jiff")]
impl UrlDate for jiff::Timestamp {}
#[cfg(feature = "jiff")]
impl UrlDate for jiff::Zoned {}

#[cfg(feature = "time")]
impl UrlDate for time::Date {}
#[cfg(feature = "time")]
impl UrlDate for time::OffsetDateTime {}
#[cfg(feature = "time")]
impl UrlDate for time::UtcDateTime {}

/// An item of a date format in a URL template.
#[derive(Clone, Copy, Debug)]
pub enum DateItem {
    /// The four digits of the year, `%Y`.
    Year,
    /// The two digits of the month, `%m`.
    Month,
    /// The month without a leading zero, `%-m`.
    ShortMonth,
    /// The two digits of the day, `%d`.
    Day,
    /// The day without a leading zero, `%-d`.
    ShortDay,
    /// Text between the digits, already encoded. It contains no `&` and no `'`.
    Text(&'static str),
}

impl TemplateUrl {
    /// Appends the parts of a date that a format names. The date is the one in its own UTC offset, as in `lastmod`.
    ///
    /// # Errors
    ///
    /// Returns a [`LocError`] if the date is missing, or if it lacks a month or day that the format needs.
    pub fn date(
        &mut self,
        name: &'static str,
        date: Option<LastMod>,
        format: &[DateItem],
    ) -> Result<(), LocError> {
        let without =
            |part, found: &str| Err(LocError::new(LocErrorKind::DateWithout { param: name, part }, found));
        let Some(date) = date else {
            return without("year", "");
        };
        let (year, month, day) = date.year_month_day();
        for item in format {
            match item {
                DateItem::Year => {
                    push_last::<2>(&mut self.url, u64::from(year / 100));
                    push_last::<2>(&mut self.url, u64::from(year % 100));
                }
                DateItem::Month | DateItem::ShortMonth if date.precision() < Precision::Month => {
                    return without("month", &date.to_string());
                }
                DateItem::Day | DateItem::ShortDay if date.precision() < Precision::Day => {
                    return without("day", &date.to_string());
                }
                DateItem::Month => push_last::<2>(&mut self.url, month.into()),
                DateItem::Day => push_last::<2>(&mut self.url, day.into()),
                DateItem::ShortMonth => super::push_leading(&mut self.url, month.into()),
                DateItem::ShortDay => super::push_leading(&mut self.url, day.into()),
                DateItem::Text(text) => self.url.push_str(text),
            }
        }
        Ok(())
    }
}
