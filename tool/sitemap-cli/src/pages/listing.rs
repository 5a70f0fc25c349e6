//! Writes the entries of a sitemap set to a state file.

use sitemap_core::Entry;
use sitemap_pages::state::{ListedAlternate, ListedPage, NewListing, State};
use sitemap_read::{ReadOptions, Report, Span};

use super::hosts::Hosts;
use super::set::SetEntries;
use super::state::stop;
use crate::error::Outcome;
use crate::source::{Document, Documents, Visitor};

/// Replaces the listing in a state file with the entries in a report's files, if `accept` accepts the hosts of these
/// entries. Files keep their numbers from the report. Returns the hosts.
pub(super) fn of_report(
    state: &mut State,
    report: &Report,
    documents: &Documents,
    options: &ReadOptions,
    accept: impl FnOnce(&Hosts) -> Outcome<()>,
) -> Outcome<Hosts> {
    let mut hosts = Hosts::default();
    let mut listing = state.new_listing().map_err(stop)?;
    for file in report.files() {
        listing.file(file.name()).map_err(stop)?;
    }
    SetEntries::of(report, documents, options).each(|file, span, entry| {
        hosts.add(entry.loc().as_str());
        listing.page(&listed(file as u64, span, entry)).map_err(stop)
    })?;
    accept(&hosts)?;
    listing.finish().map_err(stop)?;
    Ok(hosts)
}

fn listed(file: u64, span: Span, entry: &Entry<'_>) -> ListedPage {
    ListedPage {
        file,
        position: span.start.offset,
        line: span.start.line,
        column: span.start.column,
        len: span.len,
        loc: entry.loc().as_str().to_owned(),
        lastmod: entry.lastmod().map(|date| date.to_string()),
        alternates: entry
            .alternates()
            .iter()
            .map(|alternate| {
                ListedAlternate::new(alternate.hreflang().to_string(), alternate.href().as_str().to_owned())
            })
            .collect(),
    }
}

/// Writes the entries of a crawl of sitemaps into a listing.
pub(super) struct Lister<'a> {
    listing: NewListing<'a>,
    file: Option<(String, u64)>,
    entries: u64,
}

impl<'a> Lister<'a> {
    pub(super) fn new(state: &'a mut State) -> Outcome<Self> {
        Ok(Self { listing: state.new_listing().map_err(stop)?, file: None, entries: 0 })
    }

    pub(super) fn finish(self) -> Outcome<()> {
        self.listing.finish().map_err(stop)
    }
}

impl Visitor for Lister<'_> {
    fn page(&mut self, document: &Document, entry: &Entry<'_>) -> Outcome<()> {
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
