//! Records how many pages the last updates changed in each section, to help choose the number of hash buckets.

use std::collections::BTreeMap;
use std::fmt;

/// The maximum number of updates to record for a section. It limits the size of the manifest.
const MAX: usize = 16;

/// The number of pages that each of the last updates changed. The key is the section; the oldest update comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangeCounts(BTreeMap<String, Vec<u64>>);

impl ChangeCounts {
    /// Adds an update, and drops the oldest one if there are too many.
    pub(super) fn record(&mut self, section: &str, changes: u64) {
        let counts = self.0.entry(section.to_owned()).or_default();
        counts.push(changes);
        counts.drain(..counts.len().saturating_sub(MAX));
    }

    /// Drops the sections that aren't in the set.
    pub(super) fn retain(&mut self, is_in_set: impl Fn(&str) -> bool) {
        self.0.retain(|section, _| is_in_set(section));
    }

    pub(crate) fn of_section(&self, section: &str) -> &[u64] {
        self.0.get(section).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Parses the output of `Display`. Ignores anything it can't parse, because the numbers are only hints.
    pub(super) fn parse(text: &str) -> Self {
        let mut sections = BTreeMap::new();
        for section in text.split(';') {
            let mut words = section.split(' ');
            let name = words.next().unwrap_or_default();
            let counts: Vec<u64> = words.filter_map(|word| word.parse().ok()).take(MAX).collect();
            if !name.is_empty() && !counts.is_empty() {
                sections.insert(name.to_owned(), counts);
            }
        }
        Self(sections)
    }
}

impl fmt::Display for ChangeCounts {
    /// Writes a string such as `posts 12 7;shop 3`. Section names contain neither spaces nor semicolons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (section, counts)) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { ";" };
            write!(f, "{separator}{section}")?;
            counts.iter().try_for_each(|count| write!(f, " {count}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_sixteen_updates_of_each_section_are_kept() {
        let mut counts = ChangeCounts::default();
        for changes in 1..=18 {
            counts.record("posts", changes);
        }
        counts.record("shop", 7);
        let text = counts.to_string();
        assert_eq!(text, "posts 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18;shop 7");
        assert_eq!(ChangeCounts::parse(&text), counts);
        counts.retain(|section| section == "shop");
        assert_eq!(
            (counts.to_string().as_str(), counts.of_section("posts"), counts.of_section("shop")),
            ("shop 7", &[][..], &[7][..])
        );
    }

    #[test]
    fn what_is_not_understood_is_ignored() {
        for text in ["", ";", "posts", "posts x", " 5", "posts -1;"] {
            assert!(ChangeCounts::parse(text).is_empty(), "{text}");
        }
        assert_eq!(ChangeCounts::parse("posts 5 x 6").to_string(), "posts 5 6");
    }
}
