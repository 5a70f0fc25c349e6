//! The numbers that decide when the recent section is folded into the other sections.

use std::fmt;

/// What the manifest records about the [recent section](crate::publish::files::RECENT). The next update uses it to
/// decide whether the section still saves more bytes than it costs.
///
/// ```
/// use sitemap_core::publish::shards::RecentCounts;
///
/// let counts = RecentCounts::new(3, 5_000, 80_000);
/// assert_eq!((counts.older(), counts.carried(), counts.fold()), (3, 5_000, 80_000));
/// assert_eq!(counts.since(), None);
/// assert_eq!(counts.with_since(1_700_000_000).since(), Some(1_700_000_000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecentCounts {
    older: u64,
    carried: u64,
    fold: u64,
    since: Option<u64>,
}

impl RecentCounts {
    /// Creates the value from these three numbers. Each is described at the getter of the same name.
    #[must_use]
    pub fn new(older: u64, carried: u64, fold: u64) -> Self {
        Self { older, carried, fold, since: None }
    }

    /// Sets the time of the last fold, in seconds since 1970. See the [example](Self).
    #[must_use]
    pub fn with_since(mut self, seconds: u64) -> Self {
        self.since = Some(seconds);
        self
    }

    /// Returns the number of entries at the start of the section that are older than the last fold.
    #[must_use]
    pub fn older(self) -> u64 {
        self.older
    }

    /// Returns the number of stored bytes that updates have spent since the last fold on writing earlier entries again.
    #[must_use]
    pub fn carried(self) -> u64 {
        self.carried
    }

    /// Returns the number of stored bytes that a crawler would have to fetch to get the changes since the last fold if
    /// there were no recent section.
    #[must_use]
    pub fn fold(self) -> u64 {
        self.fold
    }

    /// Returns the time of the last fold, or of the first update with the section, in seconds since 1970. `None` if the
    /// section isn't folded based on its age.
    #[must_use]
    pub fn since(self) -> Option<u64> {
        self.since
    }

    /// Parses the output of `Display`. The numbers are only hints, so anything that can't be parsed becomes 0.
    pub(super) fn parse(text: &str) -> Self {
        let numbers: Option<Vec<u64>> = text.split(' ').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[older, carried, fold]) => Self::new(older, carried, fold),
            Some(&[older, carried, fold, since]) => Self::new(older, carried, fold).with_since(since),
            _ => Self::default(),
        }
    }
}

impl fmt::Display for RecentCounts {
    /// Writes a string such as `3 5000 80000`, or `3 5000 80000 1700000000` with a time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.older, self.carried, self.fold)?;
        self.since.map_or(Ok(()), |since| write!(f, " {since}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_counts_can_be_read_again() {
        let counts = RecentCounts::new(3, 5_000, u64::MAX);
        assert_eq!(counts.to_string(), "3 5000 18446744073709551615");
        assert_eq!(RecentCounts::parse(&counts.to_string()), counts);
        let counts = counts.with_since(17);
        assert_eq!(counts.to_string(), "3 5000 18446744073709551615 17");
        assert_eq!(RecentCounts::parse(&counts.to_string()), counts);
        for text in ["", "3", "3 5", "3 5 x", "3 5 8 9 1", "-1 5 8"] {
            assert_eq!(RecentCounts::parse(text), RecentCounts::default(), "{text}");
        }
    }
}
