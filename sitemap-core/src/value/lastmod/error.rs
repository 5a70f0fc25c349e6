//! What is wrong with a `lastmod`.

use std::fmt;

use crate::value::excerpt::Excerpt;

/// A text or date that is not a W3C datetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastModError {
    pub(super) kind: LastModErrorKind,
    pub(super) found: Found,
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
pub(super) enum Found {
    Text(Excerpt),
    Date(i32, u8, u8),
    Timestamp(i64),
}

impl LastModError {
    /// An error for a conversion of one's own, from the rule it breaks and the text that was found.
    ///
    /// ```
    /// use sitemap_core::LastMod;
    /// use sitemap_core::value::{LastModError, LastModErrorKind};
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
