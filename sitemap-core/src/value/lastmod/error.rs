//! Errors of `lastmod`.

use std::fmt;

use crate::value::excerpt::Excerpt;

/// A string or date that is not a W3C datetime.
///
/// ```
/// use sitemap_core::LastMod;
/// use sitemap_core::value::LastModErrorKind;
///
/// let error = LastMod::parse("2024-03-09T16:05").unwrap_err();
/// assert_eq!(error.kind(), LastModErrorKind::NoOffset);
/// assert_eq!(
///     error.to_string(),
///     "`lastmod` has a time without an offset, found \"2024-03-09T16:05\"; add `Z` or an offset like `+01:00`"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastModError {
    pub(super) kind: LastModErrorKind,
    pub(super) found: Found,
}

/// The rule that a `lastmod` breaks, as returned by [`LastModError::kind`].
///
/// ```
/// use sitemap_core::LastMod;
/// use sitemap_core::value::LastModErrorKind;
///
/// assert_eq!(LastMod::date(2023, 2, 29).unwrap_err().kind(), LastModErrorKind::Day);
/// assert_eq!(LastMod::parse("yesterday").unwrap_err().kind(), LastModErrorKind::Form);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LastModErrorKind {
    /// A string in none of the six forms of a W3C datetime.
    Form,
    /// A year outside 0001 to 9999.
    Year,
    /// A month outside 01 to 12.
    Month,
    /// A day that does not exist in its month, such as 30 February.
    Day,
    /// An hour above 23, or a minute or second above 59. `24:00` and leap seconds do not exist.
    Time,
    /// A time without `Z` or an offset.
    NoOffset,
    /// An offset that is beyond `±14:00` or has minutes above 59.
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Text(Excerpt),
    Date(i32, u8, u8),
    Timestamp(i64),
}

impl LastModError {
    /// Creates an error for your own conversion: `found` breaks the rule `kind`.
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

    /// Returns the rule that the value breaks.
    #[must_use]
    pub const fn kind(&self) -> LastModErrorKind {
        self.kind
    }
}

impl fmt::Display for LastModError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (problem, remedy) = match self.kind {
            LastModErrorKind::Form => {
                ("`lastmod` must be a W3C datetime", "; write it like `2024-03-09` or `2024-03-09T16:05:30Z`")
            }
            LastModErrorKind::Year => ("`lastmod` must have a year from 0001 to 9999", ""),
            LastModErrorKind::Month => ("`lastmod` must have a month from 01 to 12", ""),
            LastModErrorKind::Day => ("`lastmod` names a day that its month does not have", ""),
            LastModErrorKind::Time => (
                "`lastmod` must have a time from 00:00:00 to 23:59:59",
                "; write 24:00 as 00:00 of the next day, and second 60 as 59",
            ),
            LastModErrorKind::NoOffset => {
                ("`lastmod` has a time without an offset", "; add `Z` or an offset like `+01:00`")
            }
            LastModErrorKind::Offset => ("`lastmod` must have an offset from -14:00 to +14:00", ""),
        };
        write!(f, "{problem}, found {}{remedy}", self.found)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text}"),
            Self::Date(year, month, day) => write!(f, "{year:04}-{month:02}-{day:02}"),
            Self::Timestamp(seconds) => write!(f, "{seconds} seconds since 1970"),
        }
    }
}

impl std::error::Error for LastModError {}
