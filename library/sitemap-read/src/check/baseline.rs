//! Findings that an earlier check has already reported.

use std::collections::BTreeMap;

use crate::rule::Rule;

/// The findings of an earlier check, for [`CheckOptions::baseline`](super::CheckOptions::baseline).
///
/// A finding is recognised by its file, rule and message, so it stays known when it moves to another line. If a
/// baseline lists a finding twice, a third occurrence in the same file is new.
///
/// ```
/// use sitemap_read::{Baseline, CheckOptions, Checker, Known, Rule};
///
/// let mut checker = Checker::new(CheckOptions::new().record_baseline(true));
/// checker.check_slice("urls.txt", b"https://example.com/#old\nhttps://example.com/#gone\n")?;
/// let baseline: Baseline = checker.finish().recorded().unwrap().clone();
/// assert_eq!(baseline.findings(), 2);
///
/// let mut checker = Checker::new(CheckOptions::new().baseline(baseline));
/// checker.check_slice("urls.txt", b"https://example.com/\nhttps://example.com/#old\nhttps://example.com/#new\n")?;
/// let report = checker.finish();
/// let new: Vec<_> = report.findings().map(|(_, finding)| finding.span().start.line).collect();
/// assert_eq!(new, [3]);
/// assert_eq!(report.known().into_iter().collect::<Vec<_>>(), [(Rule::LocFragment, 1)]);
/// let message = "a URL has a fragment, which crawlers ignore, found \"https://example.com/#gone\"";
/// let stale = Known { file: "urls.txt", rule: Rule::LocFragment, message, count: 1 };
/// assert_eq!(report.stale().unwrap().iter().collect::<Vec<_>>(), [stale]);
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Box<str>, OfFile>);

/// The findings in one file: for each rule, the messages and how often each occurs.
type OfFile = BTreeMap<Rule, BTreeMap<Box<str>, u64>>;

/// One finding of a [`Baseline`], and how often it occurs in its file.
///
/// ```
/// use sitemap_read::{Baseline, Known, Rule};
///
/// let mut baseline = Baseline::new();
/// baseline.add(Known { file: "a.xml", rule: Rule::Doctype, message: "the document has a DOCTYPE", count: 2 });
/// assert_eq!(baseline.findings(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a row of a file format, which programs create and take apart")]
pub struct Known<'b> {
    /// The name of the file.
    pub file: &'b str,
    /// The broken rule.
    pub rule: Rule,
    /// The finding's message, without values that change from one check to the next.
    pub message: &'b str,
    /// How often the finding occurs in the file.
    pub count: u64,
}

impl Baseline {
    /// Returns an empty baseline.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding, or increases its count.
    ///
    /// ```
    /// use sitemap_read::{Baseline, Known, Rule};
    ///
    /// let mut baseline = Baseline::new();
    /// let finding = Known { file: "./a.xml", rule: Rule::Doctype, message: "the document has a DOCTYPE", count: 1 };
    /// baseline.add(finding);
    /// baseline.add(finding);
    /// assert_eq!(baseline.iter().collect::<Vec<_>>(), [Known { file: "a.xml", count: 2, ..finding }]);
    /// ```
    pub fn add(&mut self, finding: Known<'_>) {
        if finding.count == 0 {
            return;
        }
        let messages =
            self.0.entry(file_key(finding.file).into()).or_default().entry(finding.rule).or_default();
        let message = message_key(finding.rule, finding.message);
        if let Some(count) = messages.get_mut(message) {
            *count = count.saturating_add(finding.count);
        } else {
            messages.insert(message.into(), finding.count);
        }
    }

    /// Returns the findings, sorted by file, rule and message.
    pub fn iter(&self) -> impl Iterator<Item = Known<'_>> {
        self.0.iter().flat_map(|(file, rules)| {
            rules.iter().flat_map(move |(&rule, messages)| {
                messages.iter().map(move |(message, &count)| Known { file, rule, message, count })
            })
        })
    }

    /// Returns the total number of findings.
    #[must_use]
    pub fn findings(&self) -> u64 {
        self.iter().map(|finding| finding.count).fold(0, u64::saturating_add)
    }

    /// Returns `true` if the baseline is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes as many occurrences of a finding as it can, and returns their number.
    pub(super) fn take(&mut self, finding: Known<'_>) -> u64 {
        let left = self
            .0
            .get_mut(file_key(finding.file))
            .and_then(|rules| rules.get_mut(&finding.rule))
            .and_then(|messages| messages.get_mut(message_key(finding.rule, finding.message)));
        left.map_or(0, |left| {
            let taken = finding.count.min(*left);
            *left -= taken;
            taken
        })
    }

    /// Removes findings with a count of zero.
    pub(super) fn drop_empty(&mut self) {
        self.0.retain(|_, rules| {
            rules.retain(|_, messages| {
                messages.retain(|_, count| *count > 0);
                !messages.is_empty()
            });
            !rules.is_empty()
        });
    }
}

/// Removes a leading `./` from a file name, because both spellings mean the same file.
fn file_key(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// Returns the part of a message that stays the same until the defect is fixed.
fn message_key(rule: Rule, message: &str) -> &str {
    match rule {
        // These findings are about a whole file. Their messages contain the file's size or a date, which change with
        // every run.
        Rule::TooLarge
        | Rule::TooManyEntries
        | Rule::LastModAllEqual
        | Rule::PriorityAllEqual
        | Rule::HreflangUnchecked
        | Rule::TooManyChildren => rule.summary(),
        Rule::IndexLastModStale => message.split_once(" the date ").map_or(message, |(before, _)| before),
        _ => message,
    }
}
