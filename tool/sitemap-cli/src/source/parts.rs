//! The parts of a result that a thread builds from a document's entries.

use sitemap_core::{Entry, Loc};
use sitemap_read::{Finding, SitemapReader};

use super::crawl::read;
use super::walk::Opened;
use super::{Crawled, Document, Problem, Visitor};
use crate::error::Outcome;
use crate::terminal::Progress;

/// The size in bytes at which a part is large enough to be passed on.
pub(crate) const PART: usize = 64 * 1024;

/// Builds parts of a result from the entries of one document, on any thread.
pub(crate) trait Parts {
    type Part: Send;

    /// Takes an entry.
    fn page(&mut self, entry: &Entry<'_>) -> Outcome<()>;

    /// Receives the findings since the last call. Called after each entry and before the end.
    fn findings(&mut self, findings: &mut dyn Iterator<Item = Finding>) {
        let _ = findings;
    }

    /// Returns everything that was added since the previous part, if that is large enough for a [part](PART).
    fn part(&mut self) -> Outcome<Option<Self::Part>> {
        Ok(None)
    }

    /// Returns the last part. Called after the last entry of the document, including indexes.
    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) -> Outcome<Self::Part>;

    /// Returns the size of a part in bytes.
    fn size(part: &Self::Part) -> usize;
}

/// Receives a crawl's messages.
pub(crate) trait Messages {
    /// Receives a problem, which counts as an error.
    fn problem(&mut self, problem: &Problem);

    /// Receives two numbers: how many documents have been opened, and how many are known so far.
    fn advance(&mut self, opened: u64, known: u64) {
        let _ = (opened, known);
    }
}

impl Messages for Progress {
    fn problem(&mut self, problem: &Problem) {
        self.say(&line(problem));
    }

    fn advance(&mut self, opened: u64, known: u64) {
        Self::advance(self, opened, known);
    }
}

/// The lines for stderr.
impl Messages for Vec<String> {
    fn problem(&mut self, problem: &Problem) {
        self.push(line(problem));
    }
}

fn line(problem: &Problem) -> String {
    format!("error: {problem}")
}

/// The counts of a crawl.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// The counts of all completed targets.
    pub(crate) crawled: Crawled,
    /// The target that could not be read completely, with its counts. No later target is read.
    pub(crate) incomplete: Option<(String, Crawled)>,
}

pub(super) fn read_parts<V: Parts>(
    opened: &mut Opened,
    start: &dyn Fn(&Document) -> V,
    problem: &mut dyn FnMut(&Problem),
    send: &mut dyn FnMut(V::Part) -> Outcome<()>,
    follow: &mut dyn FnMut(&Document, usize, &Loc<'_>) -> Result<(), String>,
) -> Outcome<Crawled> {
    let mut sender = Sender { parts: start(&opened.document), send, ended: Ok(()) };
    let crawled = read(opened, &mut sender, problem, follow)?;
    sender.ended?;
    Ok(crawled)
}

struct Sender<'s, V: Parts> {
    parts: V,
    send: &'s mut dyn FnMut(V::Part) -> Outcome<()>,
    ended: Outcome<()>,
}

impl<V: Parts> Visitor for Sender<'_, V> {
    fn page(&mut self, _: &Document, entry: &Entry<'_>) -> Outcome<()> {
        self.parts.page(entry)?;
        match self.parts.part()? {
            Some(part) => (self.send)(part),
            None => Ok(()),
        }
    }

    fn findings(&mut self, _: &Document, findings: &mut dyn Iterator<Item = Finding>) {
        self.parts.findings(findings);
    }

    fn end(&mut self, document: &Document, reader: &mut SitemapReader<'_>) {
        self.ended = self.parts.end(document, reader).and_then(|part| (self.send)(part));
    }
}
