//! Merges the reader's findings with those of the XML check, so that each mistake has one finding.
//!
//! The reader reports the defects that it repairs, in the terms of the sitemap protocol. The XML check finds these
//! defects again, and others too. If both report the same mistake, only the reader's finding is kept.

use crate::read::{Finding, SitemapReader, Violation};
use crate::rule::Rule;

use super::options::CheckOptions;
use super::sink::Sink;

/// The findings of one document, from the reader and from the XML check.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The spans of the reader's findings about XML, as start and end offsets. The end is exclusive. Spans that the XML
    /// check has passed are removed.
    reported: Vec<(u64, u64)>,
    has_truncated: bool,
    has_other_root: bool,
}

/// The maximum number of spans to keep. Once it is reached, the older half is removed.
const MAX_REPORTED: usize = 10_000;

impl Findings {
    /// Moves new findings to the sink. `is_last` is true at the end of the document.
    pub(super) fn take(&mut self, reader: &mut SitemapReader<'_>, is_last: bool, sink: &mut Sink<'_>) {
        for finding in reader.drain_findings() {
            self.remember(&finding, sink.options);
            sink.add_finding(finding);
        }
        let Some((violations, check)) = reader.violations(is_last) else { return };
        for (rule, count) in check.take_omitted() {
            sink.count(rule, count);
        }
        if !violations.is_empty() {
            self.reported.sort_unstable();
            let mut last = 0;
            // For each span, the largest end offset of this span and all earlier ones.
            let ends: Vec<u64> = self
                .reported
                .iter()
                .map(|&(_, end)| {
                    last = last.max(end);
                    last
                })
                .collect();
            for violation in violations {
                if !self.is_known(&violation, &ends) {
                    sink.add_finding(violation.finding);
                }
            }
        }
        let checked = check.checked();
        self.reported.retain(|&(_, end)| end > checked);
    }

    fn remember(&mut self, finding: &Finding, options: &CheckOptions) {
        let rule = finding.rule();
        if !is_about_xml(rule) || !options.wants(rule) {
            return;
        }
        self.has_truncated |=
            matches!(rule, Rule::Truncated | Rule::LocTruncated | Rule::GzipTruncated | Rule::GzipDamaged);
        self.has_other_root |=
            matches!(rule, Rule::RootMissing | Rule::ContentBeforeRoot | Rule::ContentAfterRoot);
        if self.reported.len() >= MAX_REPORTED {
            self.reported.drain(..MAX_REPORTED / 2);
        }
        self.reported.push(range(finding));
    }

    /// Returns `true` if the reader has already reported the violation.
    fn is_known(&self, violation: &Violation, ends: &[u64]) -> bool {
        let overlaps = |(start, end): (u64, u64)| {
            let before = self.reported.partition_point(|&(other, _)| other < end);
            before > 0 && ends[before - 1] > start
        };
        let rule = violation.finding.rule();
        overlaps(range(&violation.finding))
            || overlaps((violation.from, violation.from + "<a".len() as u64))
            || (rule == Rule::Truncated && self.has_truncated)
            || (rule == Rule::ContentAfterRoot && self.has_other_root)
    }
}

/// Returns the start and end offset of a finding. The end is exclusive.
fn range(finding: &Finding) -> (u64, u64) {
    let span = finding.span();
    (span.start.offset, span.start.offset + span.len.max(1))
}

/// Returns `true` if a reader's finding of this rule means that the document is not well-formed.
const fn is_about_xml(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::GzipTruncated
            | Rule::GzipDamaged
            | Rule::Utf8Invalid
            | Rule::CharacterForbidden
            | Rule::DeclarationNotFirst
            | Rule::ContentBeforeRoot
            | Rule::ContentAfterRoot
            | Rule::RootMissing
            | Rule::Truncated
            | Rule::NamespaceUndeclared
            | Rule::TagCase
            | Rule::TagUnclosed
            | Rule::TagUnmatched
            | Rule::TagMalformed
            | Rule::MarkupStray
            | Rule::AmpersandRaw
            | Rule::EntityUnknown
            | Rule::LocCharacter
            | Rule::LocTruncated
    )
}
