//! Whether versions for other languages point back to each other.

use std::collections::hash_map::Entry as Slot;

use crate::read::{Finding, PageItem, Position, Span, Value};
use crate::rule::Rule;
use sitemap_core::Alternate;

use super::engine::Engine;
use super::options::CheckOptions;
use super::page::place;
use super::report::{Drawer, FileId};
use super::scope::origin;
use super::seen::{ByFingerprint, Fingerprint, FingerprintSet, Fingerprints, Seen};
use super::sink::{Sink, quoted};

/// The versions seen so far.
///
/// A link waits only until the page that it leads to links back, so that little waits where versions
/// stand near each other. Of a page with versions two numbers stay.
#[derive(Debug, Default)]
pub(super) struct Hreflang {
    /// Each page with versions, and the sum of what it lists.
    pages: ByFingerprint<u64>,
    waiting: ByFingerprint<Waiting>,
    /// Where the number of links that may wait was exceeded.
    gave_up: Option<FileId>,
    said_ignored: bool,
}

#[derive(Debug)]
struct Waiting {
    file: FileId,
    span: Span,
    to: Fingerprint,
    from: Box<str>,
    href: Box<str>,
    hreflang: Box<str>,
}

impl Hreflang {
    /// Checks a page that has versions, which begins to wait for them.
    pub(super) fn page(&mut self, page: &PageItem<'_>, fingerprints: &Fingerprints, sink: &mut Sink<'_>) {
        let entry = page.entry();
        let alternates = entry.alternates();
        let spans = page.link_spans(alternates);
        let span_of =
            |number: usize| spans.get(number).copied().flatten().unwrap_or_else(|| place(page, Value::Loc));
        if !self.said_ignored && sink.options.engines.has(Engine::Yandex) {
            self.said_ignored = true;
            sink.say(Rule::HreflangIgnored, span_of(0));
        }
        twice(alternates, &span_of, sink);
        if !alternates.iter().any(|alternate| alternate.href() == entry.loc()) {
            sink.found(Rule::HreflangNoSelf, place(page, Value::Loc), entry.loc().as_str());
        }
        if sink.options.hreflang_pairs > 0 && self.gave_up.is_none() {
            self.pairs(page, &span_of, fingerprints, sink);
        }
    }

    fn pairs(
        &mut self,
        page: &PageItem<'_>,
        span_of: &impl Fn(usize) -> Span,
        fingerprints: &Fingerprints,
        sink: &mut Sink<'_>,
    ) {
        let entry = page.entry();
        let alternates = entry.alternates();
        let own = fingerprints.of(entry.loc().as_str());
        let sum = alternates
            .iter()
            .fold(0_u64, |sum, alternate| sum.wrapping_add(version(alternate, fingerprints)));
        // A page that is listed twice has been dealt with.
        let Slot::Vacant(new) = self.pages.entry(own) else {
            return;
        };
        new.insert(sum);
        let mut targets = FingerprintSet::default();
        let mut differs = None;
        for (number, alternate) in alternates.iter().enumerate() {
            let to = fingerprints.of(alternate.href().as_str());
            if to == own || !targets.insert(to) {
                continue;
            }
            if self.waiting.remove(&fingerprints.pair(to, own)).is_some() {
                if differs.is_none() && self.pages.get(&to).is_some_and(|other| *other != sum) {
                    differs = Some(number);
                }
                continue;
            }
            if self.waiting.len() >= sink.options.hreflang_pairs {
                self.gave_up = Some(sink.id);
                self.waiting = ByFingerprint::default();
                self.pages = ByFingerprint::default();
                return;
            }
            let waiting = Waiting {
                file: sink.id,
                span: span_of(number),
                to,
                from: entry.loc().as_str().into(),
                href: alternate.href().as_str().into(),
                hreflang: alternate.hreflang().as_str().into(),
            };
            self.waiting.insert(fingerprints.pair(own, to), waiting);
        }
        if let Some(number) = differs {
            sink.explain(Rule::HreflangSetsDiffer, span_of(number), || {
                let other = &alternates[number];
                let (tag, href) = (other.hreflang(), quoted(other.href().as_str()));
                format!("the version for `{tag}` lists other versions than this page, found {href}")
            });
        }
    }

    /// Says which links nothing came back for.
    pub(super) fn finish(self, seen: &Seen, drawer: &mut Drawer, options: &CheckOptions) {
        if let Some(id) = self.gave_up {
            let span = Span::new(Position { offset: 0, line: 1, column: 1 }, 0);
            let message = format!("more than {} versions wait to be linked back", options.hreflang_pairs);
            drawer.add(id, Finding::new(Rule::HreflangUnchecked, span, message), options);
        }
        let mut left: Vec<_> = self.waiting.into_values().collect();
        // By place, so that what is kept does not depend on the order of a map.
        left.sort_unstable_by_key(|waiting| (waiting.file.0, waiting.span.start.offset));
        for waiting in left {
            let is_listed =
                self.pages.contains_key(&waiting.to) || seen.has(waiting.to) || !options.duplicates;
            let (tag, href) = (&waiting.hreflang, quoted(&waiting.href));
            let (rule, message) = if is_listed {
                let message =
                    format!("the version for `{tag}` does not point back to {}, found {href}", waiting.from);
                (Rule::HreflangNotReciprocal, message)
            } else if origin(&waiting.from) == origin(&waiting.href) {
                let message = format!(
                    "the version for `{tag}` of {} has no entry of its own, found {href}",
                    waiting.from
                );
                (Rule::HreflangNotListed, message)
            } else {
                // Another host lists its pages in its own sitemap.
                continue;
            };
            drawer.add(waiting.file, Finding::new(rule, waiting.span, message), options);
        }
    }
}

/// A version as a number that does not depend on where it stands.
fn version(alternate: &Alternate<'_>, fingerprints: &Fingerprints) -> u64 {
    let tag = alternate.hreflang().as_str().to_ascii_lowercase();
    fingerprints.pair(fingerprints.of(&tag), fingerprints.of(alternate.href().as_str()))
}

/// Checks that no language has two addresses.
fn twice(alternates: &[Alternate<'_>], span_of: &impl Fn(usize) -> Span, sink: &mut Sink<'_>) {
    for (number, alternate) in alternates.iter().enumerate() {
        let tag = alternate.hreflang().as_str();
        // Sites have some dozens of languages; more than this is not compared.
        let before = &alternates[number.saturating_sub(500)..number];
        let is_twice = |other: &&Alternate<'_>| {
            other.hreflang().as_str().eq_ignore_ascii_case(tag) && other.href() != alternate.href()
        };
        if let Some(other) = before.iter().find(is_twice) {
            sink.explain(Rule::HreflangTwice, span_of(number), || {
                let (first, href) = (other.href(), quoted(alternate.href().as_str()));
                format!("`{tag}` is {first} already, found {href}")
            });
        }
    }
}
