//! `list --sitemaps`: prints the sitemaps that indexes list.

use sitemap_core::LastMod;
use sitemap_read::{DocumentKind, Item, SitemapReader};

use super::filter::Filter;
use super::rows::{self, Rows};
use crate::args::ListArgs;
use crate::error::{Outcome, Stop, read_message};
use crate::output::Output;
use crate::source::{Crawled, Document, PART, Source};
use crate::terminal::say;

/// Prints the child sitemaps of the target's indexes, without reading them.
pub(super) fn run(args: &ListArgs) -> Outcome<()> {
    let source = Source::new(&args.read, [args.target.as_str()])?;
    let filter = Filter::new(args)?;
    let mut output = Output::new();
    output.lines(&rows::head(args.format, &rows::SITEMAP)?)?;
    let mut printer = Printer { rows: Rows::new(args.format), output };
    let roots = source.roots(&args.target)?;
    source.expect(&roots);
    let mut crawled = Crawled::default();
    let is_one = roots.len() == 1;
    for place in roots {
        let document = match source.open(&place) {
            Ok(document) => document,
            Err(why) if is_one => return Err(Stop::new(format!("cannot read `{place}`: {why}"))),
            Err(why) => {
                crawled.failed += 1;
                say(&format!("error: cannot read `{place}`: {why}"));
                continue;
            }
        };
        let mut reader = SitemapReader::from_reader_with(document.open()?, source.read_options());
        if let Err(why) = print(&document, &mut reader, &filter, &mut printer)? {
            let message = format!("cannot read `{place}`: {why}");
            if is_one && reader.entries() == 0 {
                return Err(Stop::new(message));
            }
            crawled.failed += 1;
            say(&format!("error: {message}"));
        }
        crawled.findings += reader.findings_total();
        crawled.left_out += reader.dropped_entries();
    }
    printer.flush()?;
    source.check_cache()?;
    crawled.report(&args.target)
}

/// A list on stdout.
struct Printer {
    rows: Rows,
    output: Output,
}

impl Printer {
    fn print_sitemap(&mut self, loc: &str, lastmod: Option<LastMod>) -> Outcome<()> {
        self.rows.sitemap(loc, lastmod)?;
        if self.rows.size() < PART {
            return Ok(());
        }
        self.output.lines(&self.rows.take()?)
    }

    fn flush(&mut self) -> Outcome<()> {
        self.output.lines(&self.rows.take()?)?;
        self.output.flush()
    }
}

/// Prints the sitemaps in an index, or the document itself if it is not an index. Returns the reason if the document
/// can't be read completely.
fn print(
    document: &Document,
    reader: &mut SitemapReader<'_>,
    filter: &Filter<'_>,
    printer: &mut Printer,
) -> Outcome<Result<(), String>> {
    match reader.document() {
        Ok(found) if found.kind == DocumentKind::Index => {}
        Ok(_) => {
            if filter.has_section(document.file_name()) && filter.lists(&document.name, None) {
                printer.print_sitemap(&document.name, None)?;
            }
            return Ok(Ok(()));
        }
        Err(error) => return Ok(Err(read_message(&error))),
    }
    loop {
        match reader.next() {
            Ok(Some(Item::Sitemap(sitemap))) => {
                let loc = sitemap.loc().as_str();
                let file_name = loc.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
                if filter.has_section(file_name.unwrap_or_default()) && filter.lists(loc, sitemap.lastmod()) {
                    printer.print_sitemap(loc, sitemap.lastmod())?;
                }
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => return Ok(Err(read_message(&error))),
        }
        // Only the number of findings is printed. The reader has already counted them, so their messages are not
        // needed.
        drop(reader.drain_findings());
    }
    Ok(match reader.incomplete() {
        Some(rule) => Err(format!("{}; {}", rule.summary(), rule.remedy())),
        None => Ok(()),
    })
}
