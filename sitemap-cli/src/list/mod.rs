//! `sitemap list`: every entry, one per line.

mod filter;
mod printer;
mod sitemaps;

use std::collections::BTreeSet;

use sitemap_core::Entry;
use sitemap_read::{DocumentKind, SitemapReader};

use self::filter::Filter;
use self::printer::Printer;
use crate::args::ListArgs;
use crate::error::Outcome;
use crate::section::section_of;
use crate::source::{Document, Source, Visitor, crawl};
use crate::terminal::say;

pub(crate) fn run(args: &ListArgs) -> Outcome<()> {
    if args.sitemaps {
        return sitemaps::run(args);
    }
    let source = Source::new(&args.read, [args.target.as_str()])?;
    let mut lister = Lister {
        printer: Printer::new(args.format, &["loc", "lastmod", "changefreq", "priority"])?,
        filter: Filter::new(args)?,
        sections: BTreeSet::new(),
    };
    let crawled = crawl(&source, &args.target, &mut lister)?;
    lister.printer.flush()?;
    if let Some(section) = lister.filter.section.filter(|section| !lister.sections.contains(*section)) {
        say(&no_section(section, &lister.sections));
    }
    crawled.report(&args.target)
}

struct Lister<'a> {
    printer: Printer,
    filter: Filter<'a>,
    /// The sections of all files that were read.
    sections: BTreeSet<String>,
}

impl Visitor for Lister<'_> {
    fn wants(&self, document: &Document) -> bool {
        self.filter.has_section(document.file_name())
    }

    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        if self.filter.lists(entry.loc().as_str(), entry.lastmod()) {
            self.printer.print(entry)?;
        }
        Ok(())
    }

    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) {
        let is_index = reader.document().is_ok_and(|document| document.kind == DocumentKind::Index);
        let section = section_of(document.file_name());
        if self.filter.section.is_some() && !is_index && !self.sections.contains(section) {
            self.sections.insert(section.to_owned());
        }
    }
}

/// Returns the message for an unknown section, which names the known sections.
fn no_section(section: &str, sections: &BTreeSet<String>) -> String {
    const MAX_SHOWN: usize = 20;

    let names: Vec<_> = sections.iter().take(MAX_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match sections.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match sections.len() {
        0 => format!("no section `{section}`; the sitemap has no sections"),
        1 => format!("no section `{section}`; the only section is {}", names.join("")),
        _ => format!("no section `{section}`; the sections are {}{more}", names.join(", ")),
    }
}
