//! The rules for language versions: the versions of a page must link to each other.

use std::collections::hash_map::Entry as Slot;

use crate::read::{Finding, PageItem, Span, Value, quoted};
use crate::rule::Rule;
use sitemap_core::{Alternate, Loc};

use super::engine::Engine;
use super::options::CheckOptions;
use super::page::place;
use super::report::{FileId, ReportBuilder};
use super::scope::origin;
use super::seen::{ByFingerprint, Fingerprint, FingerprintSet, Fingerprints, Seen};
use super::sink::Sink;

/// The pages with language versions, collected from all files so far, and their pending links.
///
/// A link to a language version is pending until that version links back. Few links are pending at a time if the
/// versions of a page are listed near each other. Apart from pending links, the check keeps only two numbers per page.
///
/// A link that the reader ignored, for example because its language tag is invalid, already has a finding. It therefore
/// counts as a link back, but nothing else is expected of it, and the versions of its page are not compared with
/// others.
#[derive(Debug, Default)]
pub(super) struct Hreflang {
    /// A map from the fingerprint of a page to the sum of its versions' fingerprints. Pages that list the same versions
    /// have the same sum. `None` means that the reader ignored some versions of the page.
    pages: ByFingerprint<Option<u64>>,
    /// The pages with an ignored link whose URL is invalid, so that the link may be a link back to any page.
    may_link_anywhere: FingerprintSet,
    waiting: ByFingerprint<Waiting>,
    /// The file in which the number of pending links exceeded the limit. The check of links ended there.
    gave_up: Option<FileId>,
    reported_ignored: bool,
}

#[derive(Debug)]
struct Waiting {
    file: FileId,
    span: Span,
    to: Fingerprint,
    from: Box<str>,
    href: Box<str>,
    /// The language tag, or `None` if the reader ignored the link.
    hreflang: Option<Box<str>>,
}

impl Hreflang {
    /// Checks a page with language versions. The link from the page to a version is kept until that version links back.
    pub(super) fn page(&mut self, page: &PageItem<'_>, fingerprints: &Fingerprints, sink: &mut Sink<'_>) {
        let entry = page.entry();
        let alternates = entry.alternates();
        let spans = page.link_spans(alternates);
        let span_of =
            |number: usize| spans.get(number).copied().flatten().unwrap_or_else(|| place(page, Value::Loc));
        let ignored = page.ignored_versions();
        if !self.reported_ignored && !alternates.is_empty() && sink.options.engines.has(Engine::Yandex) {
            self.reported_ignored = true;
            sink.add(Rule::HreflangIgnored, span_of(0));
        }
        twice(alternates, &span_of, sink);
        let is_own = |href: Option<&Loc<'_>>| href.is_none_or(|href| href == entry.loc());
        if !alternates.is_empty()
            && !alternates.iter().any(|alternate| alternate.href() == entry.loc())
            && !ignored.iter().any(|version| is_own(version.href.as_ref()))
        {
            sink.add_found(Rule::HreflangNoSelf, place(page, Value::Loc), entry.loc().as_str());
        }
        if sink.options.max_hreflang_pairs > 0 && self.gave_up.is_none() {
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
        let ignored = page.ignored_versions();
        let sum = ignored.is_empty().then(|| {
            let versions = alternates.iter().map(|alternate| version(alternate, fingerprints));
            versions.fold(0, u64::wrapping_add)
        });
        // If a page is listed several times, only its first entry is checked.
        let Slot::Vacant(new) = self.pages.entry(own) else {
            return;
        };
        new.insert(sum);
        if ignored.iter().any(|version| version.href.is_none()) {
            self.may_link_anywhere.insert(own);
        }
        let mut targets = FingerprintSet::default();
        let mut differs = None;
        let links = alternates.iter().map(|alternate| (alternate.href(), Some(alternate.hreflang())));
        let ignored = ignored.iter().filter_map(|version| Some((version.href.as_ref()?, None)));
        for (number, (href, hreflang)) in links.chain(ignored).enumerate() {
            let to = fingerprints.of(href.as_str());
            if to == own || !targets.insert(to) {
                continue;
            }
            if self.waiting.remove(&fingerprints.pair(to, own)).is_some() {
                let other = self.pages.get(&to).copied().flatten();
                if differs.is_none() && sum.is_some() && other.is_some() && other != sum {
                    differs = Some(number);
                }
                continue;
            }
            if self.waiting.len() >= sink.options.max_hreflang_pairs {
                self.gave_up = Some(sink.id);
                self.waiting = ByFingerprint::default();
                self.pages = ByFingerprint::default();
                self.may_link_anywhere = FingerprintSet::default();
                return;
            }
            let waiting = Waiting {
                file: sink.id,
                span: span_of(number),
                to,
                from: entry.loc().as_str().into(),
                href: href.as_str().into(),
                hreflang: hreflang.map(|tag| tag.as_str().into()),
            };
            self.waiting.insert(fingerprints.pair(own, to), waiting);
        }
        if let Some(number) = differs {
            sink.add_with(Rule::HreflangSetsDiffer, span_of(number), || {
                let other = &alternates[number];
                let (tag, href) = (other.hreflang(), quoted(other.href().as_str()));
                format!("the version for `{tag}` lists different versions than this page, found {href}")
            });
        }
    }

    /// Reports the links to versions that never linked back.
    pub(super) fn finish(self, seen: &Seen, report: &mut ReportBuilder, options: &CheckOptions) {
        if let Some(id) = self.gave_up {
            let message = format!(
                "more than {} links to language versions are pending, because the versions have not linked back yet, so \
                 no more links were checked",
                options.max_hreflang_pairs
            );
            report.add(id, Finding::new(Rule::HreflangUnchecked, Span::START, message), options);
        }
        let mut left: Vec<_> = self.waiting.into_values().collect();
        // Sorts the links by position, because the map returns them in a different order in each run.
        left.sort_unstable_by_key(|waiting| (waiting.file.0, waiting.span.start.offset));
        for waiting in left {
            let Some(tag) = &waiting.hreflang else { continue };
            if self.may_link_anywhere.contains(&waiting.to) {
                continue;
            }
            let is_listed =
                self.pages.contains_key(&waiting.to) || seen.has(waiting.to) || !options.duplicates;
            let href = quoted(&waiting.href);
            let (rule, message) = if is_listed {
                let message =
                    format!("the version for `{tag}` does not link back to {}, found {href}", waiting.from);
                (Rule::HreflangNotReciprocal, message)
            } else if origin(&waiting.from) == origin(&waiting.href) {
                let message = format!(
                    "the version for `{tag}` of {} has no entry of its own, found {href}",
                    waiting.from
                );
                (Rule::HreflangNotListed, message)
            } else {
                // A version on another host is not reported, because it may be listed in the sitemap of that host.
                continue;
            };
            report.add(waiting.file, Finding::new(rule, waiting.span, message), options);
        }
    }
}

/// Returns the fingerprint of a version's language tag and URL.
fn version(alternate: &Alternate<'_>, fingerprints: &Fingerprints) -> u64 {
    let tag = alternate.hreflang().as_str().to_ascii_lowercase();
    fingerprints.pair(fingerprints.of(&tag), fingerprints.of(alternate.href().as_str()))
}

/// Checks that no language has two URLs.
fn twice(alternates: &[Alternate<'_>], span_of: &impl Fn(usize) -> Span, sink: &mut Sink<'_>) {
    // The first version of each language, and the first one with another URL. Later versions are compared only with
    // these.
    let mut kept: Vec<&Alternate<'_>> = Vec::new();
    for (number, alternate) in alternates.iter().enumerate() {
        let tag = alternate.hreflang().as_str();
        // At most 500 versions are compared, so that an entry with very many languages is checked fast. A real page has
        // fewer.
        let recent = &kept[kept.len().saturating_sub(500)..];
        let of_tag = || recent.iter().filter(|other| other.hreflang().as_str().eq_ignore_ascii_case(tag));
        let differing = of_tag().copied().find(|other| other.href() != alternate.href());
        let is_kept = of_tag().count() < 2 && of_tag().all(|other| other.href() != alternate.href());
        if let Some(other) = differing {
            sink.add_with(Rule::HreflangTwice, span_of(number), || {
                let (first, href) = (other.href(), quoted(alternate.href().as_str()));
                format!("language `{tag}` already has the URL {first}, found {href}")
            });
        }
        if is_kept {
            kept.push(alternate);
        }
    }
}
