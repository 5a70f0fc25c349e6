//! The rules of the checker, by subject.
//!
//! | module | rules about |
//! |---|---|
//! | `file` | the root element, the name and size of a file, and files that cannot be read |
//! | `loc` | the spelling of URLs |
//! | `dates` | `lastmod` |
//! | `hints` | `changefreq` and `priority`, and the length of values |
//! | `scope` | the pages and sitemaps that a file may list |
//! | `duplicates` | pages that are listed twice, and the recent section |
//! | `media` | images, videos and news |
//! | `hreflang`, `subtags` | language versions |
//! | `children` | the entries of an index, compared with the child sitemaps |
//!
//! Rules about syntax live where the syntax is read: in [`crate::read`], where the reader repairs it, and in
//! `read/well_formed`.
//!
//! # Add a rule
//!
//! 1. Add a row with all facts about the rule to the file of its subject in `rule/table/`.
//! 2. Report the rule here, in the module of its subject. The function receives a [`Visit`], which holds the entry and
//!    creates the sink for findings. If the rule needs state from one entry to the next, add a field to the struct of
//!    the module.
//! 3. If the row's examples are `Prose` because no short document can show the defect, add a document that breaks the
//!    rule to `tests/it/check/every_rule.rs` and one that follows it to `tests/it/check/examples.rs`.
//!
//! `cargo test -p sitemap-read --all-features --test it check` tests the rule: the wrong example must break it, and the
//! right example must not.
//!
//! The page of rules, `--explain`, `--allow` and the shell completions all read the table. Outside this crate, only
//! these tests know individual rules:
//!
//! | test | fails for |
//! |---|---|
//! | `tests/judge/` and `judge/without_listing.rs` of `sitemap-pages`, `planted` and `pages` of `sitemap-cli` | a rule about pages or moves that no page of the test site breaks |
//! | tests of the command's output | a rule that one of their documents breaks |

mod all_equal;
pub(super) mod children;
mod dates;
pub(super) mod duplicates;
pub(super) mod file;
mod hints;
pub(super) mod hreflang;
mod loc;
mod media;
mod scope;
mod subtags;
mod visit;

use sitemap_core::{LastMod, Loc};

use super::log::Log;
use super::options::CheckOptions;
use super::other_files::{Child, Others};
use super::recent::is_recent;
use super::sink::Sink;
use crate::read::{Document, DocumentKind, PageItem, SitemapItem, SitemapReader};
use visit::{Facts, Visit};

/// The rules for one document, and their state from one entry to the next.
pub(super) struct DocumentRules {
    facts: Facts,
    file: file::FileRules,
    dates: dates::Dates,
    hints: hints::Hints,
    scope: scope::Scope,
    media: media::Media,
    versions: hreflang::Versions,
    children: children::ChildRules,
}

impl DocumentRules {
    pub(super) fn new(
        document: Option<Document>,
        name: &str,
        served_at: Option<Loc<'static>>,
        root_prefix: &[u8],
        options: &CheckOptions,
    ) -> Self {
        let facts = Facts::new(document, is_recent(served_at.as_ref(), name), root_prefix, options);
        Self {
            file: file::FileRules::new(name, served_at.as_ref(), document),
            dates: dates::Dates::default(),
            hints: hints::Hints::new(options),
            scope: scope::Scope::new(served_at, options.private_hosts),
            media: media::Media::default(),
            versions: hreflang::Versions::new(options),
            children: children::ChildRules::default(),
            facts,
        }
    }

    /// Applies the rules about the start of the document.
    pub(super) fn start(&self, reader: &SitemapReader<'_>, sink: &mut Sink<'_>) {
        self.file.start(&self.facts, reader, sink);
    }

    /// Applies the rules for a page.
    #[inline]
    pub(super) fn page(
        &mut self,
        item: &PageItem<'_>,
        others: &mut Others<'_>,
        options: &CheckOptions,
        log: &mut Log,
    ) {
        let visit = &mut Visit { item, facts: &self.facts, options, others, log };
        if self.facts.is(DocumentKind::UrlSet) && !self.facts.is_v0_84 {
            item.inspect(&self.facts.root_prefix, &mut |note| visit.sink().note(&note));
        }
        loc::page(visit);
        self.dates.page(visit);
        self.hints.page(visit);
        self.scope.page(visit);
        self.media.page(visit);
        self.versions.page(visit);
        self.file.measure(item.offsets().end, || item.span());
        duplicates::page(visit);
    }

    /// Applies the rules for a child sitemap.
    pub(super) fn child(
        &mut self,
        item: &SitemapItem<'_>,
        others: &mut Others<'_>,
        options: &CheckOptions,
        log: &mut Log,
    ) {
        let visit = &mut Visit { item, facts: &self.facts, options, others, log };
        if !self.facts.is_v0_84 {
            item.inspect(&self.facts.root_prefix, &mut |note| visit.sink().note(&note));
        }
        loc::child(visit);
        dates::child(visit);
        self.scope.child(visit);
        self.children.child(visit);
        self.file.measure(item.offsets().end, || item.span());
    }

    /// Applies the rules that need the whole document.
    pub(super) fn end(&self, reader: &SitemapReader<'_>, sink: &mut Sink<'_>) {
        self.file.end(&self.facts, reader, sink);
        self.dates.end(&self.facts, sink);
        self.hints.end(&self.facts, sink);
    }

    /// Returns the newest `lastmod` of the pages.
    pub(super) const fn newest(&self) -> Option<LastMod> {
        self.dates.newest()
    }

    /// Returns the child sitemaps that the document lists.
    pub(super) fn into_children(self) -> Vec<Child> {
        self.children.listed
    }
}
