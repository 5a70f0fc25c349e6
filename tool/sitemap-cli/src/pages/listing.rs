//! Writes the entries of a sitemap set to a state file.

use sitemap_core::Entry;
use sitemap_pages::state::{ListedAlternate, ListedPage, NewListing, State};
use sitemap_read::{Report, Span};

use super::hosts::Hosts;
use super::set::SetEntries;
use super::state::stop;
use crate::args::PatternArgs;
use crate::error::Outcome;
use crate::source::{Document, Visitor};

/// Replaces the listing in a state file with the entries in a report's files, if `accept` accepts the hosts of these
/// entries. Files keep their numbers from the report. Returns the hosts.
pub(super) fn of_report(
    state: &mut State,
    report: &Report,
    entries: &SetEntries<'_>,
    accept: impl FnOnce(&Hosts) -> Outcome<()>,
) -> Outcome<Hosts> {
    let mut hosts = Hosts::default();
    let mut listing = state.new_listing().map_err(stop)?;
    for file in report.files() {
        listing.file(file.name()).map_err(stop)?;
    }
    entries.each(|file, span, entry| {
        hosts.add(entry.loc().as_str());
        listing.page(&listed(file as u64, span, entry)).map_err(stop)
    })?;
    accept(&hosts)?;
    listing.finish().map_err(stop)?;
    Ok(hosts)
}

fn listed(file: u64, span: Span, entry: &Entry<'_>) -> ListedPage {
    let mut page = ListedPage::new(file, entry.loc().as_str());
    (page.position, page.line, page.column) = (span.start.offset, span.start.line, span.start.column);
    page.len = span.len;
    page.lastmod = entry.lastmod().map(|date| date.to_string());
    page.alternates = entry
        .alternates()
        .iter()
        .map(|alternate| {
            ListedAlternate::new(alternate.hreflang().to_string(), alternate.href().as_str().to_owned())
        })
        .collect();
    page
}

/// Writes the entries of a crawl of sitemaps into a listing.
pub(super) struct Lister<'a> {
    listing: NewListing<'a>,
    file: Option<(String, u64)>,
    entries: u64,
    patterns: &'a PatternArgs,
}

impl<'a> Lister<'a> {
    /// Starts a listing of the entries that the patterns select.
    pub(super) fn new(state: &'a mut State, patterns: &'a PatternArgs) -> Outcome<Self> {
        Ok(Self { listing: state.new_listing().map_err(stop)?, file: None, entries: 0, patterns })
    }

    pub(super) fn finish(self) -> Outcome<()> {
        self.listing.finish().map_err(stop)
    }
}

impl Visitor for Lister<'_> {
    fn page(&mut self, document: &Document, entry: &Entry<'_>) -> Outcome<()> {
        if !self.patterns.cover(entry.loc().as_str()) {
            return Ok(());
        }
        let number = match &self.file {
            Some((name, number)) if *name == document.name => *number,
            _ => {
                let number = self.listing.file(&document.name).map_err(stop)?;
                self.file = Some((document.name.clone(), number));
                number
            }
        };
        let span = Span::new(sitemap_read::Position::new(self.entries, 0, 0), 0);
        self.entries += 1;
        self.listing.page(&listed(number, span, entry)).map_err(stop)
    }
}
