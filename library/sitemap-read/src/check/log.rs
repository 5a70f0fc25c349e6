//! The log of a document's check. It contains the findings, and the pages and links to compare with other documents.

use std::collections::BTreeMap;
use std::mem::size_of;

use sitemap_core::LastMod;

use crate::read::{Finding, Span};
use crate::rule::Rule;

use super::seen_urls::Fingerprint;
use super::sink::Collect;

/// The findings, pages and links that the check of a document has recorded since the previous log.
///
/// A log depends neither on other documents nor on the report, so documents can be checked in parallel. The point where
/// a log ends also depends only on the document.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) notes: Vec<LogNote>,
    /// Findings that are counted but not kept.
    pub(super) counts: BTreeMap<Rule, u64>,
    pub(super) pages: Vec<LoggedPage>,
    /// The URLs of the pages, concatenated.
    pub(super) urls: String,
    pub(super) links: Vec<LoggedLink>,
    /// The URLs of pages with language versions, and the URLs and language tags of links, concatenated.
    pub(super) texts: String,
    room: Room,
}

/// A note in a log, in the order of the document.
#[derive(Debug)]
pub(super) enum LogNote {
    Finding(Finding),
    /// The first page with language versions, recorded because some search engines ignore them.
    VersionsIgnored(Span),
    Versions(LoggedVersions),
}

/// A page, recorded to find duplicates.
#[derive(Debug)]
pub(super) struct LoggedPage {
    pub(super) fingerprint: Fingerprint,
    pub(super) lastmod: Option<LastMod>,
    /// True for a news article. News sitemaps repeat pages of other files.
    pub(super) is_news: bool,
    pub(super) span: Span,
    pub(super) url_end: usize,
}

/// The language versions of a page. The page's links are the next `links` links in the log.
#[derive(Debug)]
pub(super) struct LoggedVersions {
    pub(super) own: Fingerprint,
    /// The sum of the versions' fingerprints, or `None` if the reader ignored some versions of the page.
    pub(super) sum: Option<u64>,
    pub(super) links: usize,
    pub(super) may_link_anywhere: bool,
    pub(super) url_end: usize,
}

/// A link to a language version.
#[derive(Debug)]
pub(super) struct LoggedLink {
    pub(super) to: Fingerprint,
    pub(super) span: Span,
    pub(super) href_end: usize,
    pub(super) tag_end: usize,
    /// True if the reader ignored the link. Its language tag is then unknown.
    pub(super) is_ignored: bool,
}

impl Log {
    /// The size, in bytes, at which a log's strings cause it to be handed over. Findings aren't included, because the
    /// number of findings that are kept depends on earlier documents.
    const MAX_TEXTS: usize = 256 << 10;

    /// Creates an empty log that keeps findings while there is `room`.
    pub(super) fn new(room: Room) -> Self {
        Self { room, ..Self::default() }
    }

    /// Returns `true` if the log is large enough to be handed over.
    pub(super) fn is_large(&self) -> bool {
        self.urls.len() + self.texts.len() >= Self::MAX_TEXTS
    }

    /// Returns the current log and starts the next one.
    pub(super) fn take(&mut self) -> Self {
        let room = std::mem::take(&mut self.room);
        let next = Self {
            // The next part of the document is usually about as long as this one, so reserve that much memory.
            pages: Vec::with_capacity(self.pages.len()),
            urls: String::with_capacity(self.urls.len()),
            room,
            ..Self::default()
        };
        std::mem::replace(self, next)
    }

    /// Returns the size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let message = |note: &LogNote| match note {
            LogNote::Finding(finding) => finding.message().len() + finding.entry().map_or(0, str::len),
            _ => 0,
        };
        size_of::<Self>()
            + self.notes.len() * size_of::<LogNote>()
            + self.notes.iter().map(message).sum::<usize>()
            + self.pages.len() * size_of::<LoggedPage>()
            + self.links.len() * size_of::<LoggedLink>()
            + self.urls.len()
            + self.texts.len()
    }
}

impl Collect for Log {
    fn has_room(&self, rule: Rule) -> bool {
        self.room.has(rule)
    }

    fn count(&mut self, rule: Rule, count: u64) {
        *self.counts.entry(rule).or_default() += count;
    }

    fn add(&mut self, finding: Finding) {
        self.room.take(finding.rule());
        self.notes.push(LogNote::Finding(finding));
    }
}

/// The number of further findings that the report can keep, by rule. Documents that are checked in parallel share this
/// room, so the report may keep fewer.
#[derive(Debug, Default)]
pub(super) struct Room(Vec<u64>);

impl Room {
    /// The room for a rule without a limit.
    pub(super) const ENDLESS: u64 = u64::MAX;

    pub(super) fn new(room_of: impl Fn(Rule) -> u64) -> Self {
        Self(Rule::ALL.iter().map(|&rule| room_of(rule)).collect())
    }

    fn has(&self, rule: Rule) -> bool {
        self.0.get(rule as usize).is_some_and(|&left| left > 0)
    }

    fn take(&mut self, rule: Rule) {
        if let Some(left) = self.0.get_mut(rule as usize)
            && *left != Self::ENDLESS
        {
            *left = left.saturating_sub(1);
        }
    }
}
