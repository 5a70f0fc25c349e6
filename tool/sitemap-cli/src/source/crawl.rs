//! Reads all entries of a target and its child sitemaps.

use std::slice;

use sitemap_core::{Entry, Loc};
use sitemap_read::{Finding, Item, ReadError, SitemapReader};

use super::walk::{Opened, Step, Walk};
use super::{Document, Place, Problem, Source};
use crate::error::{Outcome, Stop, read_message};
use crate::number::counted;
use crate::terminal::{Progress, say};

/// Receives the entries that a crawl reads.
pub(crate) trait Visitor {
    /// Takes an entry.
    fn page(&mut self, document: &Document, entry: &Entry<'_>) -> Outcome<()>;

    /// Returns `false` to skip the entries of a document.
    fn wants(&self, document: &Document) -> bool {
        let _ = document;
        true
    }

    /// Receives the findings since the previous call. Called after each entry, and at the end of each document.
    fn findings(&mut self, document: &Document, findings: &mut dyn Iterator<Item = Finding>) {
        let _ = (document, findings);
    }

    /// Receives the reason why a document can't be read, or can't be read completely. Returns `false` to have the
    /// reason printed.
    fn failed(&mut self, problem: &Problem) -> bool {
        let _ = problem;
        false
    }

    /// Called after the last entry of each document, including indexes.
    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) {
        let _ = (document, reader);
    }
}

/// The number of failures, findings and skipped entries in a crawl.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crawled {
    /// The number of documents that could not be read completely.
    pub(crate) failed: usize,
    /// The number of findings.
    pub(crate) findings: u64,
    /// The number of entries that were skipped because their URL is missing or can't be repaired.
    pub(crate) left_out: u64,
    /// The number of recent-section files, which are not read.
    pub(crate) repeating: u64,
}

impl Crawled {
    /// Adds other counts.
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
        Stop::incomplete(self.failed).map_or(Ok(()), Err)
    }
}

/// Reads a target and all child sitemaps. Skips the recent section, because its pages are also in other files and must
/// not be counted twice.
///
/// If the target can't be opened, that's an error. If a child sitemap can't be opened, it is reported on stderr and
/// counted as failed.
pub(crate) fn crawl(source: &Source, target: &str, visitor: &mut dyn Visitor) -> Outcome<Crawled> {
    let target = target.to_owned();
    let mut walk = Walk::new(source, slice::from_ref(&target));
    let mut crawled = Crawled::default();
    let progress = Progress::with_output("reading files");
    let mut say = |problem: &Problem| progress.say(&format!("error: {problem}"));
    while let Some((step, mut undo)) = walk.next(&mut || Ok(())) {
        let (done, known) = walk.progress();
        progress.advance(done, known);
        match step {
            Step::Document(mut opened) => {
                let mut listed = Listed::default();
                crawled.add(read(&mut opened, visitor, &mut say, &mut |document, depth, loc| {
                    listed.add(&walk, document, depth, loc)
                })?);
                crawled.repeating += listed.repeating;
                walk.enter(opened.depth(), listed.children, &mut undo);
            }
            Step::Problem(problem, failed) => {
                crawled.failed += failed;
                report(visitor, &mut say, &problem);
            }
            Step::Stop(stop) => return Err(stop),
            Step::End(_) => {}
        }
    }
    drop(progress);
    source.check_cache()?;
    Ok(crawled)
}

/// Passes a problem to the visitor, or prints it if the visitor returns `false`.
fn report(visitor: &mut dyn Visitor, say: &mut dyn FnMut(&Problem), problem: &Problem) {
    if !visitor.failed(problem) {
        say(problem);
    }
}

/// The child sitemaps in a document.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The child sitemaps to read.
    pub(super) children: Vec<Place>,
    /// The number of recent-section files.
    pub(super) repeating: u64,
}

impl Listed {
    /// Adds a document's child sitemap. Returns the reason if it can't be read.
    pub(super) fn add(
        &mut self,
        walk: &Walk<'_>,
        document: &Document,
        depth: usize,
        loc: &Loc<'_>,
    ) -> Result<(), String> {
        match walk.child(document, depth, loc)? {
            Some(place) => self.children.push(place),
            None => self.repeating += 1,
        }
        Ok(())
    }
}

/// Decides whether to read a child sitemap. The arguments are the document that lists it, the depth, and the child's
/// URL.
type Follow<'f> = dyn FnMut(&Document, usize, &Loc<'_>) -> Result<(), String> + 'f;

pub(super) fn read(
    opened: &mut Opened,
    visitor: &mut dyn Visitor,
    say: &mut dyn FnMut(&Problem),
    follow: &mut Follow<'_>,
) -> Outcome<Crawled> {
    let mut failed = 0;
    let is_index = opened.is_index();
    let result = read_entries(opened, visitor, say, follow, &mut failed);
    let Opened { document, reader, is_only, .. } = opened;
    // The findings before an error have not been passed on yet.
    visitor.findings(document, &mut reader.drain_findings());
    match result {
        Ok(()) => {}
        Err(Failed::Stop(stop)) => return Err(stop),
        // The target itself is not a sitemap, so there is nothing else to read.
        Err(Failed::Read(error)) if *is_only && reader.entries() == 0 => {
            return Err(Stop::new(format!("cannot read `{}`: {}", document.name, read_message(&error))));
        }
        Err(Failed::Read(error)) => {
            failed += 1;
            report(visitor, say, &Problem::unreadable(&document.name, read_message(&error)));
        }
    }
    visitor.end(document, reader);
    // Each entry that an index lists without a valid URL is a whole sitemap whose pages are missing.
    if let Ok(lost @ 1..) = usize::try_from(reader.dropped_entries())
        && is_index
    {
        failed += lost;
        let sitemaps = counted(lost as u64, "child sitemap");
        report(
            visitor,
            say,
            &Problem::cut_off(
                &document.name,
                format!("{sitemaps} without a valid URL; write it as an absolute URL"),
            ),
        );
    }
    let (findings, left_out) = (reader.findings_total(), reader.dropped_entries());
    Ok(Crawled { failed, findings, left_out, repeating: 0 })
}

/// The reason why a document was not read to the end.
enum Failed {
    Stop(Stop),
    Read(ReadError),
}

/// Reads a document's entries. Increases `failed` by the number of child sitemaps that are missing or nested too
/// deeply, and by one if the document itself is incomplete.
fn read_entries(
    opened: &mut Opened,
    visitor: &mut dyn Visitor,
    say: &mut dyn FnMut(&Problem),
    follow: &mut Follow<'_>,
    failed: &mut usize,
) -> Result<(), Failed> {
    let depth = opened.depth();
    let Opened { document, reader, kind, .. } = opened;
    let wanted = visitor.wants(document);
    if let Err(error) = std::mem::replace(kind, Ok(sitemap_read::DocumentKind::UrlSet)) {
        return Err(Failed::Read(error));
    }
    while let Some(item) = reader.next().map_err(Failed::Read)? {
        match item {
            Item::Page(page) if wanted => {
                visitor.page(document, page.entry()).map_err(Failed::Stop)?;
            }
            Item::Sitemap(sitemap) => {
                if let Err(why) = follow(document, depth, sitemap.loc()) {
                    *failed += 1;
                    report(visitor, say, &Problem::unreadable(sitemap.loc().as_str(), why));
                }
            }
            _ => {}
        }
        visitor.findings(document, &mut reader.drain_findings());
    }
    visitor.findings(document, &mut reader.drain_findings());
    if let Some(rule) = reader.incomplete() {
        *failed += 1;
        let why = format!("{}; {}", rule.summary(), rule.remedy());
        report(visitor, say, &Problem::cut_off(&document.name, why));
    }
    Ok(())
}
