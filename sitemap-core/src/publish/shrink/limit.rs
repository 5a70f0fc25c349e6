//! The limit on how far a run may shrink the published set.

use std::error::Error as StdError;
use std::fmt;
use std::str::FromStr;

/// The limit on how far a run may shrink the published set, or a section of it. A run that would lose more pages is
/// refused.
///
/// The limit applies to net losses: a run that loses 500 pages and gains 500 others loses none. Default: 30 percent,
/// but a loss of fewer than 100 pages is always allowed.
///
/// ```
/// use sitemap_core::publish::ShrinkLimit;
///
/// let limit: ShrinkLimit = "30%".parse()?;
/// assert_eq!(limit, ShrinkLimit::percent(30));
/// assert_eq!(limit, ShrinkLimit::default());
/// assert_eq!("5000".parse(), Ok(ShrinkLimit::pages(5000)));
/// assert_eq!("off".parse(), Ok(ShrinkLimit::OFF));
/// assert_eq!(
///     "30 %".parse::<ShrinkLimit>().unwrap_err().to_string(),
///     "\"30 %\" is not a limit; write a share such as `30%`, a number of pages such as `5000`, or `off`"
/// );
/// # Ok::<(), sitemap_core::publish::ShrinkLimitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShrinkLimit {
    kind: Kind,
    /// The lowest number of lost pages that can exceed the limit.
    floor: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Off,
    Percent(u8),
    Pages(u64),
}

/// The default floor. In a small set, ordinary edits are a large share of the pages, so a percentage alone would refuse
/// them.
const FLOOR: u64 = 100;

impl ShrinkLimit {
    /// No limit: a run may lose any number of pages.
    pub const OFF: Self = Self { kind: Kind::Off, floor: 0 };

    /// Returns a limit that is a percentage of the pages. Values above 100 are treated as 100. A loss of fewer than 100
    /// pages is always allowed; see [`floor`](Self::floor).
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    ///
    /// assert_eq!(ShrinkLimit::percent(20).to_string(), "20 %, from 100 pages on");
    /// ```
    #[must_use]
    pub const fn percent(percent: u8) -> Self {
        let percent = if percent > 100 { 100 } else { percent };
        Self { kind: Kind::Percent(percent), floor: FLOOR }
    }

    /// Returns a limit that is a number of pages.
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    ///
    /// assert_eq!(ShrinkLimit::pages(5000).to_string(), "5000 pages");
    /// ```
    #[must_use]
    pub const fn pages(pages: u64) -> Self {
        let floor = if pages < FLOOR { pages.saturating_add(1) } else { FLOOR };
        Self { kind: Kind::Pages(pages), floor }
    }

    /// Sets the lowest number of lost pages that can exceed the limit. A smaller loss is always allowed, even if it is
    /// a large share or empties a section. Default: 100, or one more than the number of [`pages`](Self::pages) if that
    /// is less.
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    ///
    /// assert_eq!(ShrinkLimit::percent(30).floor(1000).to_string(), "30 %, from 1000 pages on");
    /// ```
    #[must_use]
    pub const fn floor(mut self, pages: u64) -> Self {
        self.floor = pages;
        self
    }

    /// Returns `true` if removing this many pages exceeds the limit.
    pub(crate) fn refuses_removal(self, of: u64, removed: u64) -> bool {
        removed > 0 && removed >= self.floor && self.is_more(of, removed)
    }

    fn is_more(self, of: u64, lost: u64) -> bool {
        match self.kind {
            Kind::Off => false,
            Kind::Percent(percent) => u128::from(lost) * 100 > u128::from(of) * u128::from(percent),
            Kind::Pages(pages) => lost > pages,
        }
    }

    /// Returns `true` if a drop from one number of pages to another exceeds the limit. A drop to zero always does,
    /// unless the number of lost pages is below the floor.
    pub(crate) fn refuses(self, from: u64, to: u64) -> bool {
        let lost = from.saturating_sub(to);
        let is_off = matches!(self.kind, Kind::Off);
        !is_off && lost > 0 && lost >= self.floor && (self.is_more(from, lost) || to == 0)
    }
}

impl Default for ShrinkLimit {
    fn default() -> Self {
        Self::percent(30)
    }
}

impl fmt::Display for ShrinkLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Off => f.write_str("off"),
            Kind::Percent(percent) => write!(f, "{percent} %, from {} pages on", self.floor),
            Kind::Pages(pages) => write!(f, "{pages} pages"),
        }
    }
}

/// The error for a string that is not a [`ShrinkLimit`].
///
/// ```
/// use sitemap_core::publish::ShrinkLimit;
///
/// let error = "150%".parse::<ShrinkLimit>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "\"150%\" is not a limit; write a share such as `30%`, a number of pages such as `5000`, or `off`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShrinkLimitError {
    found: Box<str>,
}

impl fmt::Display for ShrinkLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a limit; write a share such as `30%`, a number of pages such as `5000`, or `off`",
            self.found
        )
    }
}

impl StdError for ShrinkLimitError {}

impl FromStr for ShrinkLimit {
    type Err = ShrinkLimitError;

    fn from_str(text: &str) -> Result<Self, ShrinkLimitError> {
        let number = |digits: &str| {
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse::<u64>().ok()).flatten()
        };
        let limit = match text.strip_suffix('%') {
            Some(share) => {
                let share = number(share).and_then(|share| u8::try_from(share).ok());
                share.filter(|share| *share <= 100).map(Self::percent)
            }
            None if text == "off" => Some(Self::OFF),
            None => number(text).map(Self::pages),
        };
        limit.ok_or_else(|| ShrinkLimitError { found: text.chars().take(50).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_passes() {
        let limit = ShrinkLimit::default();
        for (from, to, refuses) in [
            (1000, 700, false),
            (1000, 699, true),
            (1_000_003, 700_002, true),
            (1_000_003, 700_003, false),
            (u64::MAX, 1, true),
            (1000, 1000, false),
            (1000, 2000, false),
            (0, 0, false),
        ] {
            assert_eq!(limit.refuses(from, to), refuses, "{from} to {to}");
        }
    }

    #[test]
    fn a_loss_below_the_floor_passes() {
        let limit = ShrinkLimit::default();
        assert!(!limit.refuses(99, 0));
        assert!(limit.refuses(100, 0));
        assert!(!limit.refuses(120, 21));
        assert!(limit.refuses(120, 20));
        assert!(!limit.floor(101).refuses(100, 0));
        assert!(limit.floor(0).refuses(1, 0));
        assert!(!limit.floor(0).refuses(0, 0));
    }

    #[test]
    fn a_number_of_pages_is_its_own_floor() {
        assert!(!ShrinkLimit::pages(50).refuses(60, 10));
        assert!(ShrinkLimit::pages(50).refuses(60, 9));
        assert!(!ShrinkLimit::pages(1000).refuses(5000, 4000));
        assert!(ShrinkLimit::pages(1000).refuses(5000, 3999));
        assert!(ShrinkLimit::pages(0).refuses(5, 4));
    }

    #[test]
    fn a_fall_to_zero_is_refused_within_the_limit() {
        assert!(ShrinkLimit::percent(100).refuses(100, 0));
        assert!(!ShrinkLimit::percent(100).refuses(100, 1));
        assert!(ShrinkLimit::pages(1000).refuses(500, 0));
        assert!(!ShrinkLimit::OFF.refuses(500, 0));
    }

    #[test]
    fn only_shares_numbers_and_off_are_limits() {
        for text in ["", "%", "101%", "-1", "+5", "1.5%", "30 %", "3O%", "Off", "99999999999999999999"] {
            assert!(text.parse::<ShrinkLimit>().is_err(), "{text}");
        }
        assert_eq!("0%".parse(), Ok(ShrinkLimit::percent(0)));
        assert_eq!("0".parse(), Ok(ShrinkLimit::pages(0)));
    }
}
