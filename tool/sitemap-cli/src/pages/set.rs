//! Combines a set's entries with the stored facts about their pages. The entries are not written to the state file.

use std::cell::{Cell, RefCell};
use std::time::SystemTime;

use sitemap_core::Entry;
use sitemap_core::publish::files::is_recent_file;
use sitemap_pages::content::{Blocks, SharedBlocks};
use sitemap_pages::judge::{Crawl, Evidence, Listed, PageRecord, StateEvidence};
use sitemap_pages::state::State;
use sitemap_pages::visit::Visit;
use sitemap_read::{FileReport, Item, ReadOptions, Report, SitemapReader, Span};

use super::hosts::{Hosts, KnownHosts};
use super::state::stop;
use crate::args::PatternArgs;
use crate::error::{Outcome, Stop};
use crate::number::grouped;
use crate::source::{Document, Documents};
use crate::terminal::{Ink, Paint, say};

/// A report's documents, by file number.
#[derive(Debug)]
pub(super) struct SetEntries<'d> {
    documents: Vec<Option<&'d Document>>,
    options: ReadOptions,
    patterns: &'d PatternArgs,
    /// The number of entries that the patterns excluded from the last pass.
    excluded: Cell<u64>,
}

/// Returns `true` if the entries of a document are used. Entries of the recent section are not used, because other
/// files contain them too.
fn is_read(file: &FileReport, document: &Document) -> bool {
    file.document().is_some() && !is_recent_file(document.file_name())
}

impl<'d> SetEntries<'d> {
    pub(super) fn of(
        report: &Report,
        documents: &'d Documents,
        options: &ReadOptions,
        patterns: &'d PatternArgs,
    ) -> Self {
        let document = |name: &str| documents.get(name);
        let files = report.files().iter();
        let documents =
            files.map(|file| document(file.name()).filter(|found| is_read(file, found))).collect();
        Self { documents, options: *options, patterns, excluded: Cell::default() }
    }

    /// Passes on the entries of all documents, each with its file number and its place.
    pub(super) fn each(&self, mut each: impl FnMut(usize, Span, &Entry<'_>) -> Outcome<()>) -> Outcome<()> {
        self.excluded.set(0);
        for (number, document) in self.documents.iter().enumerate() {
            let Some(document) = document else { continue };
            let mut reader = SitemapReader::from_reader_with(document.open()?, self.options);
            loop {
                match reader.next() {
                    Ok(Some(Item::Page(page))) if self.patterns.cover(page.entry().loc().as_str()) => {
                        each(number, page.span(), page.entry())?;
                    }
                    Ok(Some(Item::Page(_))) => self.excluded.set(self.excluded.get() + 1),
                    Ok(Some(_)) => {}
                    // The check has already reported the error. The entries before the error are still used.
                    Ok(None) | Err(_) => break,
                }
                drop(reader.drain_findings());
            }
        }
        Ok(())
    }

    /// Prints how many entries the patterns excluded from the last pass.
    pub(super) fn report_excluded(&self, err: Paint) {
        let excluded = self.excluded.get();
        if excluded > 0 {
            let (note, entries) = (err.ink(Ink::Note, "note"), counted_entries(excluded));
            say(&format!("{note}: {entries} excluded by `--include` or `--exclude`"));
        }
    }
}

fn counted_entries(number: u64) -> String {
    if number == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(number)) }
}

/// The entries of documents, combined with the stored facts about their pages. It's an error if the state file belongs
/// to other hosts.
pub(super) struct SetEvidence<'a> {
    entries: &'a SetEntries<'a>,
    pages: StateEvidence<'a>,
    listed_at: SystemTime,
    /// The hosts in the state file, kept until they have been compared with the hosts of the entries.
    known: RefCell<Option<KnownHosts>>,
}

impl<'a> SetEvidence<'a> {
    /// Uses entries that were read at the given time.
    pub(super) fn new(entries: &'a SetEntries<'a>, state: &'a State, listed_at: SystemTime) -> Outcome<Self> {
        let known = RefCell::new(Some(KnownHosts::of(state)?));
        Ok(Self { entries, pages: StateEvidence::new(state), listed_at, known })
    }
}

impl Evidence for SetEvidence<'_> {
    type Error = Stop;

    fn entries(&self, each: &mut dyn FnMut(&Listed) -> Outcome<()>) -> Outcome<()> {
        let known = self.known.take();
        let mut hosts = Hosts::default();
        self.entries.each(|file, span, entry| {
            if known.is_some() {
                hosts.add(entry.loc().as_str());
            }
            let mut listed = Listed::new(file, span, entry.loc().as_str());
            listed.lastmod = entry.lastmod();
            let version = |one: &sitemap_core::Alternate<'_>| {
                (one.hreflang().to_string(), one.href().as_str().to_owned())
            };
            listed.alternates = entry.alternates().iter().map(version).collect();
            listed.read_at = Some(self.listed_at);
            each(&listed)
        })?;
        known.map_or(Ok(()), |known| known.check(&hosts))
    }

    fn pages(&self, each: &mut dyn FnMut(&PageRecord)) -> Outcome<()> {
        self.pages.pages(each).map_err(stop)
    }

    fn page(&self, url: &str) -> Outcome<Option<PageRecord>> {
        self.pages.page(url).map_err(stop)
    }

    fn blocks(&self, each: &mut dyn FnMut(&str, &Blocks)) -> Outcome<()> {
        self.pages.blocks(each).map_err(stop)
    }

    fn shared_blocks(&self) -> Outcome<Option<SharedBlocks>> {
        self.pages.shared_blocks().map_err(stop)
    }

    fn probes(&self, each: &mut dyn FnMut(&Visit, &Blocks)) -> Outcome<()> {
        self.pages.probes(each).map_err(stop)
    }

    fn crawl(&self) -> Outcome<Option<Crawl>> {
        self.pages.crawl().map_err(stop)
    }

    fn links(&self, each: &mut dyn FnMut(&str, &str)) -> Outcome<()> {
        self.pages.links(each).map_err(stop)
    }
}
