//! `changefreq`: how often a page is likely to change.

use std::fmt;
use std::str::FromStr;

use super::excerpt::Excerpt;

/// How often a page is likely to change: one of the protocol's seven words.
///
/// The value is a hint, not a command. Google and Bing say that they ignore it; other search engines use it.
///
/// Source: [sitemaps.org, `changefreq`](https://www.sitemaps.org/protocol.html#changefreqdef).
///
/// ```
/// use sitemap_core::ChangeFreq;
///
/// assert_eq!("weekly".parse(), Ok(ChangeFreq::Weekly));
/// assert_eq!(ChangeFreq::Weekly.to_string(), "weekly");
/// assert_eq!(
///     "wekly".parse::<ChangeFreq>().unwrap_err().to_string(),
///     "unknown change frequency \"wekly\"; use one of always, hourly, daily, weekly, monthly, yearly, never"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeFreq {
    /// A page that changes on every visit.
    Always,
    /// A page that changes every hour.
    Hourly,
    /// A page that changes every day.
    Daily,
    /// A page that changes every week.
    Weekly,
    /// A page that changes every month.
    Monthly,
    /// A page that changes every year.
    Yearly,
    /// An archived page, which no longer changes.
    Never,
}

impl ChangeFreq {
    /// All seven values, from the most to the least frequent.
    pub const ALL: [Self; 7] =
        [Self::Always, Self::Hourly, Self::Daily, Self::Weekly, Self::Monthly, Self::Yearly, Self::Never];

    /// Returns the protocol's word for the value, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Hourly => "hourly",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Yearly => "yearly",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for ChangeFreq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ChangeFreq {
    type Err = ChangeFreqError;

    /// Parses one of the seven words, spelled exactly as in the protocol.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeFreqError`] for any other string.
    fn from_str(word: &str) -> Result<Self, ChangeFreqError> {
        Self::ALL.into_iter().find(|freq| freq.as_str() == word).ok_or_else(|| ChangeFreqError::new(word))
    }
}

/// A string that is not one of the seven change frequencies.
///
/// ```
/// use sitemap_core::ChangeFreq;
///
/// let error = "often".parse::<ChangeFreq>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown change frequency \"often\"; use one of always, hourly"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeFreqError {
    found: Excerpt,
}

impl ChangeFreqError {
    /// Creates an error for your own conversion when it cannot convert `found`.
    #[must_use]
    pub const fn new(found: &str) -> Self {
        Self { found: Excerpt::new(found) }
    }
}

impl fmt::Display for ChangeFreqError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown change frequency {}; use one of ", self.found)?;
        for (n, freq) in ChangeFreq::ALL.into_iter().enumerate() {
            let separator = if n == 0 { "" } else { ", " };
            write!(f, "{separator}{freq}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ChangeFreqError {}

/// A value that can be a page's `changefreq`.
///
/// Implement it for your own type to use that type in a field with the `changefreq` role.
///
/// ```
/// use sitemap_core::ChangeFreq;
/// use sitemap_core::value::{ChangeFreqError, ToChangeFreq};
///
/// enum Activity {
///     Unknown,
///     Busy,
///     Named(String),
/// }
///
/// impl ToChangeFreq for Activity {
///     fn to_change_freq(&self) -> Result<Option<ChangeFreq>, ChangeFreqError> {
///         match self {
///             Self::Unknown => Ok(None),
///             Self::Busy => Ok(Some(ChangeFreq::Hourly)),
///             Self::Named(word) => word.parse().map(Some),
///         }
///     }
/// }
///
/// assert_eq!(Activity::Unknown.to_change_freq()?, None);
/// assert_eq!(Activity::Busy.to_change_freq()?, Some(ChangeFreq::Hourly));
/// assert_eq!(Activity::Named("often".into()).to_change_freq(), Err(ChangeFreqError::new("often")));
/// # Ok::<(), ChangeFreqError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a sitemap `changefreq`",
    label = "not a change frequency",
    note = "use `ChangeFreq` or an `Option` of it, or convert the value with `#[sitemap(changefreq, with = path)]`",
    note = "if the field is not meant for the sitemap, mark it `#[sitemap(skip)]`"
)]
pub trait ToChangeFreq {
    /// Returns the frequency, or `None` to omit `changefreq`.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeFreqError`] if the value does not correspond to one of the protocol's seven words.
    fn to_change_freq(&self) -> Result<Option<ChangeFreq>, ChangeFreqError>;
}

impl ToChangeFreq for ChangeFreq {
    fn to_change_freq(&self) -> Result<Option<ChangeFreq>, ChangeFreqError> {
        Ok(Some(*self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToChangeFreq> ToChangeFreq for Option<T> {
    fn to_change_freq(&self) -> Result<Option<ChangeFreq>, ChangeFreqError> {
        self.as_ref().map_or(Ok(None), T::to_change_freq)
    }
}

through_pointers!(ToChangeFreq::to_change_freq() -> Result<Option<ChangeFreq>, ChangeFreqError>);
