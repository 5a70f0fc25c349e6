//! Reads all entries of a target, including those of child sitemaps.

use std::collections::{HashSet, VecDeque};

use sitemap_core::Entry;
use sitemap_core::publish::is_recent_file;
use sitemap_read::{Finding, Item, ReadError, SitemapReader};

use super::{Document, Place, Source};
use crate::error::{Outcome, Stop, read_message};
use crate::interrupt;
use crate::terminal::{Progress, say};

/// The maximum depth of nested indexes. The protocol does not allow an index in an index, but some sites publish
/// such indexes.
const MAX_DEPTH: usize = 3;

/// The receiver of the entries that a crawl reads.
pub(crate) trait Visitor {
    /// Takes an entry.
    fn page(&mut self, document: &Document, entry: &Entry<'_>) -> Outcome<()>;

    /// Returns `false` to skip the entries of a document.
    fn wants(&self, document: &Document) -> bool {
        let _ = document;
        true
    }

    /// Takes the findings since the last call. It is called after each entry and at the end of each document.
    fn findings(&mut self, document: &Document, findings: &mut dyn Iterator<Item = Finding>) {
        let _ = (document, findings);
    }

    /// Takes the reason why a document cannot be read, or not to its end. Returns `false` if it is to be printed.
    fn failed(&mut self, name: &str, why: &str) -> bool {
        let _ = (name, why);
        false
    }

    /// Is called after the last entry of each document, also of an index.
    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) {
        let _ = (document, reader);
    }
}

/// The counts of failures, findings and left-out entries in a crawl.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crawled {
    /// The number of documents that could not be read completely.
    pub(crate) failed: usize,
    /// The number of findings.
    pub(crate) findings: u64,
    /// The number of entries left out because their URL is missing or cannot be repaired.
    pub(crate) left_out: u64,
    /// The number of files of recent sections, which were not read.
    pub(crate) repeating: u64,
}

impl Crawled {
    /// Adds the counts of another target.
    pub(crate) fn add(&mut self, other: Self) {
        self.failed += other.failed;
        self.findings += other.findings;
        self.left_out += other.left_out;
        self.repeating += other.repeating;
    }

    /// Prints a warning to stderr if there are findings. Returns an error if a document could not be read.
    pub(crate) fn report(self, target: &str) -> Outcome<()> {
        if self.repeating > 0 {
            say("note: the recent section is left out, because its pages are also in other files");
        }
        if self.findings > 0 {
            let (findings, them) = if self.findings == 1 { ("finding", "it") } else { ("findings", "them") };
            let left_out = match self.left_out {
                0 => String::new(),
                1 => ", 1 entry left out".to_owned(),
                left_out => format!(", {left_out} entries left out"),
            };
            say(&format!(
                "warning: {} {findings}{left_out}; see {them} with `sitemap check {target}`",
                self.findings
            ));
        }
        match self.failed {
            0 => Ok(()),
            1 => Err(Stop::new(
                "the result is incomplete, because 1 sitemap could not be read; see the errors above",
            )),
            failed => Err(Stop::new(format!(
                "the result is incomplete, because {failed} sitemaps could not be read; see the errors above"
            ))),
        }
    }
}

/// Reads a target and all child sitemaps, but not the recent section: its pages are also in other files and count once.
///
/// A target that cannot be opened is an error. A child sitemap that cannot be opened is reported on stderr and
/// counted as failed.
pub(crate) fn crawl(source: &Source, target: &str, visitor: &mut dyn Visitor) -> Outcome<Crawled> {
    let roots = source.roots(target)?;
    source.expect(&roots);
    let mut queue: VecDeque<(Place, usize)> = roots.into_iter().map(|place| (place, 0)).collect();
    let mut seen: HashSet<Place> = HashSet::new();
    let mut crawled = Crawled::default();
    let mut read = 0;
    let progress = Progress::with_output("reading files");
    while let Some((place, depth)) = queue.pop_front() {
        if !seen.insert(place.clone()) {
            continue;
        }
        if read == source.max_files() {
            crawled.failed += 1 + queue.len();
            let why = format!("more than {read} files; allow more with `--max-files`");
            if !visitor.failed(target, &why) {
                progress.say(&format!("error: {why}"));
            }
            break;
        }
        progress.advance(read as u64, (read + 1 + queue.len()) as u64);
        read += 1;
        let document = match source.open(&place) {
            Ok(document) => document,
            Err(why) if depth == 0 => {
                return Err(Stop::new(format!("cannot read `{place}`: {why}")));
            }
            Err(why) => {
                interrupt::check().map_err(|error| Stop::new(error.to_string()))?;
                crawled.failed += 1;
                report(visitor, &progress, &place.to_string(), &why);
                continue;
            }
        };
        let mut reader = SitemapReader::from_reader_with(document.open()?, source.read_options());
        let (mut children, mut repeating) = (Vec::new(), 0);
        let result = read_document(&document, &mut reader, visitor, &progress, &mut |loc| {
            if is_recent_file(loc.as_str()) {
                repeating += 1;
                return Ok(());
            }
            let place = source.child(&document, loc)?;
            if place == document.place {
                return Err("the index lists itself; remove the entry".to_owned());
            }
            if depth + 1 >= MAX_DEPTH {
                return Err(format!("indexes are nested more than {MAX_DEPTH} levels deep"));
            }
            children.push((place, depth + 1));
            Ok(())
        });
        // Those before an error have not been taken yet.
        visitor.findings(&document, &mut reader.drain_findings());
        crawled.repeating += repeating;
        source.expect(children.iter().map(|(place, _)| place));
        // The children come next, in the order in which their index lists them.
        children.into_iter().rev().for_each(|child| queue.push_front(child));
        crawled.findings += reader.findings_total();
        crawled.left_out += reader.dropped_entries();
        match result {
            Ok(failed) => crawled.failed += failed,
            Err(Failed::Stop(stop)) => return Err(stop),
            // The target is not a sitemap, so there is nothing else to read.
            Err(Failed::Read(error)) if depth == 0 && reader.entries() == 0 && queue.is_empty() => {
                return Err(Stop::new(format!("cannot read `{}`: {}", document.name, read_message(&error))));
            }
            Err(Failed::Read(error)) => {
                crawled.failed += 1;
                report(visitor, &progress, &document.name, &read_message(&error));
            }
        }
        visitor.end(&document, &mut reader);
    }
    drop(progress);
    source.check_cache()?;
    Ok(crawled)
}

/// Gives the reason why a document cannot be read to the visitor, or else prints it.
fn report(visitor: &mut dyn Visitor, progress: &Progress, name: &str, why: &str) {
    if !visitor.failed(name, why) {
        progress.say(&format!("error: cannot read `{name}`: {why}"));
    }
}

/// The reason why reading a document ended early.
enum Failed {
    Stop(Stop),
    Read(ReadError),
}

/// Reads a document to its end. Returns the number of child sitemaps that are missing or too deeply nested, plus one if
/// the document itself is cut off.
fn read_document(
    document: &Document,
    reader: &mut SitemapReader<'_>,
    visitor: &mut dyn Visitor,
    progress: &Progress,
    follow: &mut dyn FnMut(&sitemap_core::Loc<'_>) -> Result<(), String>,
) -> Result<usize, Failed> {
    let wanted = visitor.wants(document);
    let mut failed = 0;
    while let Some(item) = reader.next().map_err(Failed::Read)? {
        match item {
            Item::Page(page) if wanted => {
                visitor.page(document, page.entry()).map_err(Failed::Stop)?;
            }
            Item::Sitemap(sitemap) => {
                if let Err(why) = follow(sitemap.loc()) {
                    failed += 1;
                    report(visitor, progress, sitemap.loc().as_str(), &why);
                }
            }
            _ => {}
        }
        visitor.findings(document, &mut reader.drain_findings());
    }
    visitor.findings(document, &mut reader.drain_findings());
    if let Some(rule) = reader.incomplete() {
        failed += 1;
        let (what, remedy) = (rule.summary(), rule.remedy());
        let why = format!("{what}; {remedy}");
        if !visitor.failed(&document.name, &why) {
            progress.say(&format!("error: cannot read all of `{}`: {why}", document.name));
        }
    }
    Ok(failed)
}
