//! `sitemap list`: prints every entry, one per line.

mod filter;
mod rows;
mod sitemaps;

use std::collections::BTreeSet;
use std::slice;

use sitemap_core::Entry;
use sitemap_read::{DocumentKind, SitemapReader, section_of};

use self::filter::Filter;
use self::rows::Rows;
use crate::args::{ListArgs, ListFormat};
use crate::error::Outcome;
use crate::output::Output;

use crate::source::{Document, PART, Parts, Source, crawl_parts};
use crate::terminal::{Progress, say};

pub(crate) fn run(args: &ListArgs) -> Outcome<()> {
    if args.sitemaps {
        return sitemaps::run(args);
    }
    let source = Source::new(&args.read, [args.target.as_str()])?;
    let (mut output, filter) = (Output::new(), Filter::new(args)?);
    output.lines(&rows::head(args.format, &rows::ENTRY)?)?;
    // The sections of all files that were read.
    let mut sections = BTreeSet::new();
    let mut progress = Progress::with_output("reading files");
    let crawled = crawl_parts(
        &source,
        slice::from_ref(&args.target),
        args.threads.count(),
        &mut progress,
        &|document| Lister::new(args.format, &filter, document),
        &mut |Part { lines, section }| {
            sections.extend(section);
            output.lines(&lines)
        },
    )?
    .crawled;
    drop(progress);
    output.flush()?;
    if let Some(section) = filter.section.filter(|section| !sections.contains(*section)) {
        say(&no_section(section, &sections));
    }
    crawled.report(&args.target)
}

struct Lister<'f> {
    rows: Rows,
    filter: &'f Filter<'f>,
    has_section: bool,
    sitemap: String,
    section: String,
}

/// Some rows of a document, as text. If the command line names a section, the last part also contains the document's
/// section.
struct Part {
    lines: Vec<u8>,
    section: Option<String>,
}

impl<'f> Lister<'f> {
    fn new(format: ListFormat, filter: &'f Filter<'f>, document: &Document) -> Self {
        Self {
            rows: Rows::new(format),
            filter,
            has_section: filter.has_section(document.file_name()),
            sitemap: document.name.clone(),
            section: section_of(document.file_name()).to_owned(),
        }
    }
}

impl Parts for Lister<'_> {
    type Part = Part;

    fn page(&mut self, entry: &Entry<'_>) -> Outcome<()> {
        if self.has_section && self.filter.lists(entry.loc().as_str(), entry.lastmod()) {
            self.rows.entry(entry, &self.sitemap, &self.section)?;
        }
        Ok(())
    }

    fn part(&mut self) -> Outcome<Option<Part>> {
        if self.rows.size() < PART {
            return Ok(None);
        }
        Ok(Some(Part { lines: self.rows.take()?, section: None }))
    }

    fn end(&mut self, _: &Document, reader: &mut SitemapReader<'_>) -> Outcome<Part> {
        let is_index = reader.document().is_ok_and(|document| document.kind == DocumentKind::Index);
        let is_asked_for = self.filter.section.is_some() && !is_index;
        let section = is_asked_for.then(|| self.section.clone());
        Ok(Part { lines: self.rows.take()?, section })
    }

    fn size(part: &Part) -> usize {
        size_of::<Part>() + part.lines.len()
    }
}

/// Returns the message for an unknown section, with the names of the known ones.
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
