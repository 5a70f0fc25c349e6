//! Records the highest page counts of the last weeks, so that many small losses are noticed just like one large loss.
//!
//! Time is divided into periods. The manifest records the highest numbers of the current period and the previous one.
//! Together they cover the last six to twelve weeks, with two numbers per section, however often the set is published.
//! Six weeks are enough to notice a loss of one percent a day: after 36 days, less than 70 percent is left.

use std::collections::BTreeMap;
use std::fmt;

use super::json::ObjectWriter;

/// The length of a period in seconds.
pub(super) const PERIOD: u64 = 6 * 7 * 24 * 60 * 60;

/// The numbers of pages in a set and in each of its sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes<'s> {
    pub(super) set: u64,
    pub(super) sections: BTreeMap<&'s str, u64>,
}

impl<'s> Sizes<'s> {
    /// Adds the pages of a file. In older manifests, a file may have no section.
    pub(super) fn add(&mut self, section: Option<&'s str>, pages: u64) {
        self.set = self.set.saturating_add(pages);
        if let Some(section) = section {
            let sum = self.sections.entry(section).or_default();
            *sum = sum.saturating_add(pages);
        }
    }

    pub(super) fn of_section(&self, section: &str) -> u64 {
        self.sections.get(section).copied().unwrap_or_default()
    }
}

/// The highest numbers of pages of a set and its sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    /// The start of the current period, in seconds since 1970. `None` if nothing is recorded.
    pub(super) since: Option<u64>,
    pub(super) set: Peak,
    pub(super) sections: BTreeMap<String, Peak>,
}

/// The highest number of pages in the current period and in the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Peak {
    pub(super) now: u64,
    pub(super) before: u64,
}

impl Peak {
    /// Adds both numbers to a line of the manifest.
    pub(super) fn push_to(self, line: ObjectWriter<'_>) -> ObjectWriter<'_> {
        line.number("highest", self.now).number("highest-before", self.before)
    }

    pub(super) fn highest(self) -> u64 {
        self.now.max(self.before)
    }

    fn record(&mut self, pages: u64) {
        self.now = self.now.max(pages);
    }
}

impl fmt::Display for History {
    /// Writes the numbers of the sections, such as `posts 30 40;shop 5 0`. Section names contain neither spaces nor
    /// semicolons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (section, Peak { now, before })) in self.sections.iter().enumerate() {
            let separator = if at == 0 { "" } else { ";" };
            write!(f, "{separator}{section} {now} {before}")?;
        }
        Ok(())
    }
}

impl History {
    /// Parses the numbers of the sections, as written by `Display`. Returns `None` for any other string.
    pub(super) fn parse_sections(text: &str) -> Option<BTreeMap<String, Peak>> {
        let parse = |section: &str| {
            let mut words = section.split(' ');
            let name = words.next().filter(|name| !name.is_empty())?;
            let (now, before) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            words.next().is_none().then(|| (name.to_owned(), Peak { now, before }))
        };
        if text.is_empty() { Some(BTreeMap::new()) } else { text.split(';').map(parse).collect() }
    }

    /// Creates the history of a set that starts with these numbers.
    pub(super) fn starting(now: u64, sizes: &Sizes<'_>) -> Self {
        Self::default().at(now).with(sizes)
    }

    /// Returns the history at this time, without the numbers that have become too old.
    pub(super) fn at(mut self, now: u64) -> Self {
        // A start in the future comes from a wrong clock. The numbers are kept for another period.
        let since = self.since.filter(|since| *since <= now).unwrap_or(now);
        let age = now - since;
        self.since = Some(match age / PERIOD {
            0 => since,
            1 => {
                self.rotate();
                since + PERIOD
            }
            _ => {
                (self.set, self.sections) = Default::default();
                now
            }
        });
        self
    }

    fn rotate(&mut self) {
        for peak in self.sections.values_mut().chain([&mut self.set]) {
            *peak = Peak { now: 0, before: peak.now };
        }
        self.sections.retain(|_, peak| peak.before > 0);
    }

    /// Returns the history, updated with the numbers of one more set.
    pub(super) fn with(mut self, sizes: &Sizes<'_>) -> Self {
        self.set.record(sizes.set);
        for (section, pages) in &sizes.sections {
            if let Some(peak) = self.sections.get_mut(*section) {
                peak.record(*pages);
            } else {
                self.sections.insert((*section).to_owned(), Peak { now: *pages, before: 0 });
            }
        }
        self
    }

    /// Drops the sections that aren't in the set.
    pub(super) fn of_sections(mut self, sizes: &Sizes<'_>) -> Self {
        self.sections.retain(|section, _| sizes.of_section(section) > 0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(pages: u64) -> Sizes<'static> {
        let mut sizes = Sizes::default();
        sizes.add(Some("posts"), pages);
        sizes.add(None, 1);
        sizes
    }

    fn peaks(history: &History) -> (Option<u64>, u64, u64) {
        let posts = history.sections.get("posts").copied().unwrap_or_default();
        (history.since, history.set.highest(), posts.highest())
    }

    #[test]
    fn the_numbers_of_the_sections_are_one_text() {
        let peak = |now, before| Peak { now, before };
        let sections = BTreeMap::from([("a".to_owned(), peak(30, 40)), ("b-c".to_owned(), peak(5, 0))]);
        let history = History { sections: sections.clone(), ..History::default() };
        assert_eq!(history.to_string(), "a 30 40;b-c 5 0");
        assert_eq!(History::parse_sections("a 30 40;b-c 5 0"), Some(sections));
        assert_eq!(History::parse_sections(""), Some(BTreeMap::new()));
        for text in ["a", "a 1", "a 1 x", "a 1 2 3", "a 1 2;", " 1 2"] {
            assert_eq!(History::parse_sections(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_stays_for_one_to_two_periods() {
        let start = 1_700_000_000;
        let history = History::starting(start, &sizes(10)).at(start + 5).with(&sizes(7));
        assert_eq!(peaks(&history), (Some(start), 11, 10));
        let history = history.at(start + PERIOD - 1).with(&sizes(7));
        assert_eq!(peaks(&history), (Some(start), 11, 10));
        let history = history.at(start + PERIOD).with(&sizes(7));
        assert_eq!(peaks(&history), (Some(start + PERIOD), 11, 10));
        let history = history.at(start + 2 * PERIOD - 1);
        assert_eq!(peaks(&history), (Some(start + PERIOD), 11, 10));
        let history = history.at(start + 2 * PERIOD).with(&sizes(6));
        assert_eq!(peaks(&history), (Some(start + 2 * PERIOD), 8, 7));
    }

    #[test]
    fn numbers_from_before_a_long_pause_are_left_out() {
        let history = History::starting(1000, &sizes(10)).at(1000 + 2 * PERIOD);
        assert_eq!(peaks(&history), (Some(1000 + 2 * PERIOD), 0, 0));
        assert_eq!(history.sections.len(), 0);
    }

    #[test]
    fn a_clock_that_was_wrong_loses_no_number() {
        let history = History::starting(5 * PERIOD, &sizes(10)).at(1000);
        assert_eq!(peaks(&history), (Some(1000), 11, 10));
    }

    #[test]
    fn a_run_without_a_change_leaves_the_history_unchanged() {
        let history = History::starting(1000, &sizes(10));
        assert_eq!(history.clone().at(1000 + PERIOD - 1).with(&sizes(10)), history);
    }
}
