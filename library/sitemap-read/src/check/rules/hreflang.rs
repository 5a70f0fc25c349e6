//! The rules for language versions, which must link to each other.

use std::collections::hash_map::Entry as Slot;

use sitemap_core::{Alternate, Loc};

use super::scope::origin;
use super::subtags;
use super::visit::{Item, Visit};
use crate::check::file_id::FileId;
use crate::check::log::{Log, LogNote, LoggedLink, LoggedVersions};
use crate::check::options::CheckOptions;
use crate::check::report::ReportBuilder;
use crate::check::same_page::same_page;
use crate::check::seen_urls::{ByFingerprint, Fingerprint, FingerprintSet, Fingerprints, SeenUrls};
use crate::check::sink::Sink;
use crate::read::{Finding, PageItem, Span, Value, quoted};
use crate::rule::{Engine, Rule};

/// The pages with language versions in all files so far, and their pending links.
///
/// A link to a language version is pending until that version links back. Few links are pending at a time if the
/// versions of a page are listed close together. Apart from pending links, the check keeps only two numbers per page.
///
/// The reader may ignore a link, for example because its language tag is invalid. Such a link already has a finding. It
/// still counts as a link back, but the check doesn't expect a link back from its target, and doesn't compare the
/// language versions of its page with those of other pages.
#[derive(Debug, Default)]
pub(crate) struct Hreflang {
    /// Maps each page's fingerprint to the sum of its versions' fingerprints. Pages that list the same versions have
    /// the same sum. `None` means that the reader ignored some of the versions.
    pages: ByFingerprint<Option<u64>>,
    /// Pages with an ignored link whose URL is invalid. That link could be a link back to any page.
    may_link_anywhere: FingerprintSet,
    waiting: ByFingerprint<Waiting>,
    /// The last file with links, and how many of its links are pending.
    last: (Option<FileId>, u64),
    /// The file in which the limit on pending links was exceeded. From there on, no more links are checked.
    gave_up: Option<FileId>,
    reported_ignored: bool,
    /// True if a sitemap was skipped. It may list language versions that no other sitemap lists.
    skips_unlisted: bool,
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

/// A link from a page to one of its language versions.
pub(crate) struct Link<'t> {
    pub(crate) to: Fingerprint,
    pub(crate) span: Span,
    pub(crate) href: &'t str,
    /// The language tag, or `None` if the reader ignored the link.
    pub(crate) tag: Option<&'t str>,
}

impl Hreflang {
    /// Turns off findings about versions that no sitemap lists. Used when some sitemaps aren't checked.
    pub(crate) const fn skip_unlisted(&mut self) {
        self.skips_unlisted = true;
    }

    /// Reports, at most once per set, that a search engine ignores language versions.
    pub(crate) fn ignored(&mut self, span: Span, sink: &mut Sink<'_>) {
        if !std::mem::replace(&mut self.reported_ignored, true) {
            sink.add(Rule::HreflangIgnored, span);
        }
    }

    /// Adds the links of the page `from`. A link is kept until its target links back.
    pub(crate) fn add(
        &mut self,
        (versions, from, links): (&LoggedVersions, &str, &[Link<'_>]),
        fingerprints: &Fingerprints,
        (sink, file): (&mut Sink<'_>, FileId),
    ) {
        if self.gave_up.is_some() {
            return;
        }
        let &LoggedVersions { own, sum, may_link_anywhere, .. } = versions;
        // If a page is listed several times, only its first entry is checked.
        let Slot::Vacant(new) = self.pages.entry(own) else {
            return;
        };
        new.insert(sum);
        if may_link_anywhere {
            self.may_link_anywhere.insert(own);
        }
        if self.last.0 != Some(file) {
            self.last = (Some(file), 0);
        }
        let mut targets = FingerprintSet::default();
        let mut differs = None;
        for link in links {
            let to = link.to;
            if to == own || !targets.insert(to) {
                continue;
            }
            if let Some(answered) = self.waiting.remove(&fingerprints.pair(to, own)) {
                self.last.1 -= u64::from(answered.file == file);
                let other = self.pages.get(&to).copied().flatten();
                if differs.is_none() && sum.is_some() && other.is_some() && other != sum {
                    differs = Some(link);
                }
                continue;
            }
            if self.waiting.len() >= sink.options.max_hreflang_pairs {
                self.gave_up = Some(file);
                self.waiting = ByFingerprint::default();
                self.pages = ByFingerprint::default();
                self.may_link_anywhere = FingerprintSet::default();
                return;
            }
            let waiting = Waiting {
                file,
                span: link.span,
                to,
                from: from.into(),
                href: link.href.into(),
                hreflang: link.tag.map(Into::into),
            };
            self.waiting.insert(fingerprints.pair(own, to), waiting);
            self.last.1 += 1;
        }
        if let Some(Link { span, href, tag, .. }) = differs {
            sink.add_with(Rule::HreflangSetsDiffer, *span, || {
                let (tag, href) = (tag.unwrap_or_default(), quoted(href));
                format!("the version for `{tag}` lists different versions than this page, found {href}")
            });
        }
    }

    /// Returns `true` if [`finish`](Self::finish) may still report something about this file, which was the last to add
    /// links.
    pub(crate) fn may_report(&self, file: FileId) -> bool {
        match self.gave_up {
            Some(gave_up) => gave_up == file,
            None => self.last.0 == Some(file) && self.last.1 > 0,
        }
    }

    pub(crate) fn finish(self, seen: [&SeenUrls; 2], report: &mut ReportBuilder, options: &CheckOptions) {
        if let Some(id) = self.gave_up {
            let message = format!(
                "more than {} links to language versions are pending, because the versions have not linked back yet, so \
                 no more links were checked",
                options.max_hreflang_pairs
            );
            report.add(id, Finding::new(Rule::HreflangUnchecked, Span::START, message), options);
        }
        let mut left: Vec<_> = self.waiting.into_values().collect();
        // The map returns the links in a different order in each run, so sort them by position.
        left.sort_unstable_by_key(|waiting| (waiting.file.0, waiting.span.start.offset));
        for waiting in left {
            let Some(tag) = &waiting.hreflang else { continue };
            if self.may_link_anywhere.contains(&waiting.to) {
                continue;
            }
            let is_listed = self.pages.contains_key(&waiting.to)
                || seen.iter().any(|seen| seen.has(waiting.to))
                || !options.duplicates;
            let href = quoted(&waiting.href);
            let (rule, message) = if is_listed {
                let message =
                    format!("the version for `{tag}` does not link back to {}, found {href}", waiting.from);
                (Rule::HreflangNotReciprocal, message)
            } else if origin(&waiting.from) == origin(&waiting.href) && !self.skips_unlisted {
                let message = format!(
                    "the version for `{tag}` of {} has no entry of its own, found {href}",
                    waiting.from
                );
                (Rule::HreflangNotListed, message)
            } else {
                // The version may be listed in a sitemap on another host, or in a sitemap that was skipped.
                continue;
            };
            let finding = Finding::new(rule, waiting.span, message).with_entry(&waiting.from);
            report.add(waiting.file, finding, options);
        }
    }
}

/// The rules for the language versions of one page.
pub(super) struct Versions {
    /// True until the first page with language versions. Only set if a search engine ignores them.
    asks_ignored: bool,
    /// The fingerprints of the versions' URLs of the current page, each with the version's number.
    targets: Vec<(Fingerprint, usize)>,
}

impl Versions {
    pub(super) fn new(options: &CheckOptions) -> Self {
        Self { asks_ignored: options.engines.has(Engine::Yandex), targets: Vec::new() }
    }

    #[inline]
    pub(super) fn page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let page = visit.item;
        if !visit.facts.is_recent
            && (!page.entry().alternates().is_empty() || !page.ignored_versions().is_empty())
        {
            self.versions(visit);
        }
    }

    /// Checks one page with language versions, and logs its links to compare them with other pages.
    fn versions(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let page = visit.item;
        let (loc, alternates, ignored) = (page.loc(), page.entry().alternates(), page.ignored_versions());
        let spans = page.link_spans(alternates);
        let span_of =
            |number: usize| spans.get(number).copied().flatten().unwrap_or_else(|| page.span_of(Value::Loc));
        if self.asks_ignored && !alternates.is_empty() {
            self.asks_ignored = false;
            visit.log.notes.push(LogNote::VersionsIgnored(span_of(0)));
        }
        twice(alternates, &span_of, &mut visit.sink());
        for (number, alternate) in alternates.iter().enumerate() {
            let tag = alternate.hreflang().as_str();
            if let Some(mistake) = subtags::mistake(tag) {
                visit
                    .sink()
                    .add_with(Rule::HreflangUnknown, span_of(number), || format!("{mistake}, found {tag:?}"));
            }
        }
        let is_same = |href: &Loc<'_>| href == loc || same_page(href.as_str()) == same_page(loc.as_str());
        let is_own = |href: Option<&Loc<'_>>| href.is_none_or(is_same);
        if !alternates.is_empty()
            && !alternates.iter().any(|alternate| is_same(alternate.href()))
            && !ignored.iter().any(|version| is_own(version.href.as_ref()))
        {
            visit.sink().add_found(Rule::HreflangNoSelf, page.span_of(Value::Loc), loc.as_str());
        }
        let fingerprints = visit.others.fingerprints;
        self.targets.clear();
        let targets =
            alternates.iter().map(|alternate| fingerprints.of_url(alternate.href().as_str())).zip(0..);
        self.targets.extend(targets);
        if visit.options.max_hreflang_pairs > 0 {
            log_links(page, &self.targets, &span_of, fingerprints, visit.log);
        }
        same_url(&mut self.targets, alternates, &span_of, &mut visit.sink());
    }
}

fn log_links(
    page: &PageItem<'_>,
    targets: &[(Fingerprint, usize)],
    span_of: &impl Fn(usize) -> Span,
    fingerprints: &Fingerprints,
    log: &mut Log,
) {
    let (url, alternates, ignored) =
        (page.entry().loc().as_str(), page.entry().alternates(), page.ignored_versions());
    log.texts.push_str(url);
    let url_end = log.texts.len();
    let before = log.links.len();
    let links = alternates.iter().map(|alternate| (alternate.href(), Some(alternate.hreflang())));
    let others = ignored.iter().filter_map(|version| Some((version.href.as_ref()?, None)));
    for (number, (href, hreflang)) in links.chain(others).enumerate() {
        log.texts.push_str(href.as_str());
        let href_end = log.texts.len();
        log.texts.push_str(hreflang.map_or("", |tag| tag.as_str()));
        log.links.push(LoggedLink {
            to: targets.get(number).map_or_else(|| fingerprints.of_url(href.as_str()), |target| target.0),
            span: span_of(number),
            href_end,
            tag_end: log.texts.len(),
            is_ignored: hreflang.is_none(),
        });
    }
    log.notes.push(LogNote::Versions(LoggedVersions {
        own: fingerprints.of_url(url),
        sum: ignored.is_empty().then(|| {
            let versions = alternates.iter().map(|alternate| version(alternate, fingerprints));
            versions.fold(0, u64::wrapping_add)
        }),
        links: log.links.len() - before,
        may_link_anywhere: ignored.iter().any(|version| version.href.is_none()),
        url_end,
    }));
}

/// Returns a fingerprint of a version's language tag and URL.
fn version(alternate: &Alternate<'_>, fingerprints: &Fingerprints) -> u64 {
    let tag = alternate.hreflang().as_str().to_ascii_lowercase();
    fingerprints.pair(fingerprints.of(&tag), fingerprints.of_url(alternate.href().as_str()))
}

/// Checks that no URL is the version in two languages. `targets` are the fingerprints of the URLs.
fn same_url(
    targets: &mut [(Fingerprint, usize)],
    alternates: &[Alternate<'_>],
    span_of: &impl Fn(usize) -> Span,
    sink: &mut Sink<'_>,
) {
    targets.sort_unstable();
    let language =
        |(_, number): (Fingerprint, usize)| subtags::language(alternates[number].hreflang().as_str());
    for group in targets.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1) {
        let mut named = group.iter().filter_map(|&version| Some((version.1, language(version)?)));
        let Some((_, first)) = named.next() else { continue };
        let Some((number, _)) = named.find(|(_, language)| *language != first) else { continue };
        sink.add_with(Rule::HreflangSameUrl, span_of(number), || {
            let tags: Vec<_> =
                group.iter().take(10).map(|version| alternates[version.1].hreflang().as_str()).collect();
            let (tags, href) = (tags.join("`, `"), quoted(alternates[number].href().as_str()));
            format!("the page lists one URL for several languages (`{tags}`), found {href}")
        });
    }
}

/// Checks that no language has two URLs.
fn twice(alternates: &[Alternate<'_>], span_of: &impl Fn(usize) -> Span, sink: &mut Sink<'_>) {
    // The first version of each language, and the first one that has a different URL. Later versions are compared only
    // with these.
    let mut kept: Vec<&Alternate<'_>> = Vec::new();
    for (number, alternate) in alternates.iter().enumerate() {
        let tag = alternate.hreflang().as_str();
        // Compares at most 500 versions, so that an entry with thousands of languages doesn't slow down the check. Real
        // pages have fewer.
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
