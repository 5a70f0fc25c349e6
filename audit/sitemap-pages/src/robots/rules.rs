//! The groups and rules of a robots.txt, stored without a separate copy of each rule.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::delay::CrawlDelay;
use super::normal_form::push_pattern;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleSet {
    /// The patterns of all rules, as written and in normal form, and the names of all groups.
    stored: Vec<u8>,
    /// The rules of all groups, in the order of the file.
    rules: Vec<RuleEntry>,
    groups: Vec<Place>,
    /// The names of all groups, sorted by name and then by group, without duplicates.
    names: Vec<GroupName>,
}

/// A range of indices, taking half the memory of a `Range<usize>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    start: u32,
    end: u32,
}

impl Place {
    const fn indices(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A rule. Its strings are ranges of [`RuleSet::stored`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleEntry {
    pub(super) line: u32,
    pub(super) is_allow: bool,
    /// The pattern's length, which decides which rule wins.
    pub(super) len: u32,
    written: Place,
    pattern: Place,
}

/// A group and one of its product tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupName {
    name: Place,
    group: u32,
    /// The group's longest delay for this name.
    pub(super) delay: Option<CrawlDelay>,
}

impl RuleSet {
    /// Begins a group.
    pub(super) fn add_group(&mut self) {
        let next = position(self.rules.len());
        self.groups.push(Place { start: next, end: next });
    }

    /// Adds a name to the last group.
    pub(super) fn add_name(&mut self, name: &[u8]) {
        let group = position(self.groups.len() - 1);
        let name = self.store(name);
        self.names.push(GroupName { name, group, delay: None });
    }

    /// Adds a rule to the last group.
    pub(super) fn add_rule(&mut self, line: u64, is_allow: bool, written: &[u8]) {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let place = self.store(written);
        self.push_rule(line, is_allow, place, written);
        if is_allow && let Some(directory) = directory_of_index(written) {
            self.push_rule(line, is_allow, place, &[directory, b"$"].concat());
        }
        if let Some(rules) = self.groups.last_mut() {
            rules.end = position(self.rules.len());
        }
    }

    fn push_rule(&mut self, line: u32, is_allow: bool, written: Place, pattern: &[u8]) {
        let start = position(self.stored.len());
        let len = push_pattern(pattern, &mut self.stored);
        let pattern = Place { start, end: position(self.stored.len()) };
        self.rules.push(RuleEntry { line, is_allow, len, written, pattern });
    }

    fn store(&mut self, bytes: &[u8]) -> Place {
        let start = position(self.stored.len());
        self.stored.extend(bytes);
        Place { start, end: position(self.stored.len()) }
    }

    /// Returns the number of names so far.
    pub(super) fn name_count(&self) -> usize {
        self.names.len()
    }

    /// Sets the delay of all names from the given index on.
    pub(super) fn set_delay(&mut self, first_name: usize, delay: CrawlDelay) {
        for name in &mut self.names[first_name..] {
            name.delay = Some(delay);
        }
    }

    /// Sorts the names. If a group contains the same name several times, keeps the one with the longest delay.
    pub(super) fn sort_names(&mut self) {
        let Self { names, stored, .. } = self;
        let order = |one: &GroupName, other: &GroupName| {
            compare(&stored[one.name.indices()], &stored[other.name.indices()])
                .then(one.group.cmp(&other.group))
        };
        let delay = |name: &GroupName| Reverse(name.delay.map(|delay| (delay.asked, Reverse(delay.line))));
        names.sort_unstable_by(|one, other| order(one, other).then(delay(one).cmp(&delay(other))));
        names.dedup_by(|one, other| order(one, other).is_eq());
    }

    /// Returns the groups that name a product token. Ignores case.
    pub(super) fn groups_of(&self, token: &str) -> &[GroupName] {
        let compare = |group: &GroupName| compare(&self.stored[group.name.indices()], token.as_bytes());
        let start = self.names.partition_point(|group| compare(group).is_lt());
        let end = self.names.partition_point(|group| compare(group).is_le());
        &self.names[start..end]
    }

    pub(super) fn rules_of(&self, group: &GroupName) -> &[RuleEntry] {
        &self.rules[self.groups[group.group as usize].indices()]
    }

    /// Returns the pattern of a rule in normal form.
    pub(super) fn pattern(&self, rule: &RuleEntry) -> &[u8] {
        &self.stored[rule.pattern.indices()]
    }

    /// Returns the pattern of a rule as written.
    pub(super) fn written(&self, rule: &RuleEntry) -> &[u8] {
        &self.stored[rule.written.indices()]
    }
}

/// If a pattern names a directory's index page, returns the directory's pattern: `/x/` for `/x/index.html`.
fn directory_of_index(pattern: &[u8]) -> Option<&[u8]> {
    let slash = pattern.iter().rposition(|octet| *octet == b'/')?;
    pattern[slash + 1..].starts_with(b"index.htm").then(|| &pattern[..=slash])
}

/// Compares two names, ignoring case.
fn compare(one: &[u8], other: &[u8]) -> Ordering {
    let lower = u8::to_ascii_lowercase;
    one.iter().map(lower).cmp(other.iter().map(lower))
}

/// Converts a byte offset to 32 bits. Offsets are far below 4 GiB here, because the text is at most 500 KiB.
fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a byte offset in robots.txt fits in 32 bits")
}
