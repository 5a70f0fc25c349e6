//! Violations of XML, and which of them the reader has already reported.

use std::borrow::Cow;

use crate::rule::Rule;

/// A violation of XML's rules.
#[derive(Debug)]
pub(in super::super) struct Violation {
    pub(in super::super) rule: Rule,
    /// What is wrong. If it is empty, the message uses the rule's summary.
    pub(in super::super) what: Cow<'static, str>,
    /// The offset in the text, and the length in bytes.
    pub(in super::super) at: usize,
    pub(in super::super) len: usize,
    /// The offset in the document of the markup with the violation. If an element isn't closed properly, this is its
    /// start tag.
    pub(in super::super) from: u64,
}

/// The places in the document where the reader has reported a defect of the XML.
///
/// The reader reports the defects that it repairs, in the terms of the sitemap protocol. The check finds these defects
/// again, and others too. If both find the same mistake, only the reader's finding is kept.
#[derive(Debug, Default)]
pub(in super::super) struct Reported {
    /// Start and end offsets. The end is exclusive. Places in consumed text are removed.
    places: Vec<(u64, u64)>,
    has_truncated: bool,
    has_other_root: bool,
}

impl Reported {
    /// Records a finding of the reader, if it means that the document is not well-formed.
    pub(in super::super) fn add(&mut self, rule: Rule, offset: u64, len: u64) {
        if !is_about_xml(rule) {
            return;
        }
        self.has_truncated |=
            matches!(rule, Rule::Truncated | Rule::LocTruncated | Rule::GzipTruncated | Rule::GzipDamaged);
        self.has_other_root |=
            matches!(rule, Rule::RootMissing | Rule::ContentBeforeRoot | Rule::ContentAfterRoot);
        self.places.push((offset, offset + len.max(1)));
    }

    /// Keeps the violations that the reader hasn't reported. `base` is the offset of their text in the document.
    pub(in super::super) fn retain_new(&mut self, violations: &mut Vec<Violation>, base: u64) {
        self.places.sort_unstable();
        // For each place, the largest end offset of this place and all earlier ones.
        let ends: Vec<u64> = self
            .places
            .iter()
            .scan(0, |last, &(_, end)| {
                *last = end.max(*last);
                Some(*last)
            })
            .collect();
        let overlaps = |start: u64, end: u64| {
            let before = self.places.partition_point(|&(other, _)| other < end);
            before > 0 && ends[before - 1] > start
        };
        violations.retain(|violation| {
            let start = base + violation.at as u64;
            let is_known = overlaps(start, start + violation.len.max(1) as u64)
                || overlaps(violation.from, violation.from + "<a".len() as u64)
                || (violation.rule == Rule::Truncated && self.has_truncated)
                || (violation.rule == Rule::ContentAfterRoot && self.has_other_root);
            !is_known
        });
    }

    /// Forgets the places before an offset.
    pub(in super::super) fn forget(&mut self, before: u64) {
        self.places.retain(|&(_, end)| end > before);
    }
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
