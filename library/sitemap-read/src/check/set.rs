//! Checks a whole set: an index and the sitemaps that it lists.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use sitemap_core::Loc;
use sitemap_core::threads::{self, Event, Jobs, Worker};

use super::document::{self, Outcome, Started};
use super::file_id::FileId;
use super::log::{Log, Room};
use super::options::CheckOptions;
use super::other_files::{Children, Others, RecentPages};
use super::rules::children::{self, Problem};
use super::seen_urls::Fingerprints;
use super::set_state::SetState;
use super::sink::Sink;
use super::source::{RobotsLines, SitemapSource};
use super::walk::{At, Step, Walk};
use crate::read::{ReadError, Span};
use crate::rule::Rule;

/// The maximum number of steps that may be waiting for earlier documents.
const MAX_WAITING: usize = 1_000;

/// Checks all child sitemaps of an index, including those of nested indexes.
pub(super) fn check<S: SitemapSource>(
    set: &mut SetState,
    options: &CheckOptions,
    mut walk: Walk,
    source: &mut S,
) -> Result<(), ReadError> {
    let checked = match options.threads.min(walk.children()) {
        0 | 1 => check_one_by_one(set, options, &mut walk, source),
        threads => threads::run(
            threads,
            |job: Job<'_>, worker: &Worker<'_, _, _>| check_there(job, options, worker),
            |jobs| check_together(set, options, &mut walk, source, jobs),
        ),
    };
    if walk.has_skipped() {
        set.compared.hreflang.skip_unlisted();
    }
    checked
}

fn check_one_by_one<S: SitemapSource>(
    set: &mut SetState,
    options: &CheckOptions,
    walk: &mut Walk,
    source: &mut S,
) -> Result<(), ReadError> {
    while let Some(step) = walk.next(options, source) {
        match step {
            Step::Problem(at, problem) => report(set, options, &at, &problem),
            Step::Fatal(error) => return Err(error),
            Step::Document(at, document) => {
                let (id, index) = (set.begin(&document, options), document.index());
                let mut outcome = check_here(set, id, *document, options, source, None);
                let nested = index.map(|place| walk.enter(id, place, &mut outcome, options));
                end(set, options, (&at, id), &outcome, nested, source);
            }
        }
    }
    Ok(())
}

/// Checks a document on this thread. Its logs are compared with earlier documents right away, or collected in `later`
/// for a later comparison.
pub(super) fn check_here(
    set: &mut SetState,
    id: FileId,
    document: Started<'_>,
    options: &CheckOptions,
    robots: &mut dyn RobotsLines,
    mut later: Option<&mut Vec<Log>>,
) -> Outcome {
    let SetState { compared, fingerprints, children, recent } = set;
    let fingerprints = &*fingerprints;
    let room = compared.report.room(id, options);
    let (name, mut own) = (Arc::clone(&document.name), Children::default());
    // The checker opens child sitemaps only from indexes. If another document contains stray child entries, they are
    // only compared with each other.
    let children = if document.is_index() { children } else { &mut own };
    let mut others = Others { name: &name, fingerprints, recent, children, robots };
    document::check(document, room, options, &mut others, &mut |log| {
        match &mut later {
            Some(later) => later.push(log),
            None => compared.add(id, log, fingerprints, options),
        }
        true
    })
}

/// A document for another thread to check.
struct Job<'r> {
    document: Box<Started<'r>>,
    room: Room,
    fingerprints: Fingerprints,
    recent: Arc<RecentPages>,
}

/// A partial result from another thread.
enum Piece {
    Log(Log),
    End(Box<Outcome>),
}

/// Asks whether the robots.txt of an origin lists a sitemap. Only the thread that owns the source can answer.
struct Question {
    sitemap: Loc<'static>,
    origin: Box<str>,
    answer: SyncSender<Option<bool>>,
}

impl RobotsLines for &Worker<'_, Piece, Question> {
    fn lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        let (answer, answered) = sync_channel(1);
        self.ask(Question { sitemap: sitemap.clone().into_owned(), origin: origin.into(), answer });
        // If there is no answer, the check has already ended, and nobody reads this thread's findings.
        answered.recv().ok().flatten()
    }
}

/// Checks a document on a worker thread.
fn check_there(job: Job<'_>, options: &CheckOptions, mut worker: &Worker<'_, Piece, Question>) {
    let Job { document, room, fingerprints, mut recent } = job;
    let (name, mut children, sender) = (Arc::clone(&document.name), Children::default(), worker);
    let mut others = Others {
        name: &name,
        fingerprints: &fingerprints,
        recent: &mut recent,
        children: &mut children,
        robots: &mut worker,
    };
    let mut outcome = document::check(*document, room, options, &mut others, &mut |log| {
        sender.send(log.size(), Piece::Log(log))
    });
    outcome.children = Vec::new();
    sender.send(size_of::<Outcome>(), Piece::End(Box::new(outcome)));
}

/// A step that waits for earlier documents.
enum Waiting {
    Problem(At, Problem),
    Fatal(ReadError),
    /// A document that a worker thread is checking.
    There(At, FileId),
    /// A document that this thread has already checked.
    Here(At, FileId, Vec<Log>, Outcome, Option<bool>),
}

/// Opens the documents in the order of the indexes and hands them to worker threads. Compares the results in the same
/// order.
fn check_together<'r, S: SitemapSource>(
    set: &mut SetState,
    options: &CheckOptions,
    walk: &mut Walk,
    source: &mut S,
    jobs: &mut Jobs<'_, Job<'r>, Piece, Question>,
) -> Result<(), ReadError>
where
    S::Content: 'r,
{
    let mut waiting = VecDeque::new();
    loop {
        while !jobs.is_full()
            && waiting.len() < MAX_WAITING
            && let Some(step) = walk.next(options, source)
        {
            waiting.push_back(match step {
                Step::Problem(at, problem) => Waiting::Problem(at, problem),
                Step::Fatal(error) => Waiting::Fatal(error),
                Step::Document(at, document) => {
                    let (id, index) = (set.begin(&document, options), document.index());
                    // Indexes are checked here because they list the next documents. Files of the recent section are
                    // checked here because their dates must be known before other files list the same pages.
                    if index.is_some() || document.is_recent() {
                        let mut logs = Vec::new();
                        let mut outcome = check_here(set, id, *document, options, source, Some(&mut logs));
                        let nested = index.map(|place| walk.enter(id, place, &mut outcome, options));
                        Waiting::Here(at, id, logs, outcome, nested)
                    } else {
                        let room = set.compared.report.room(id, options);
                        let recent = Arc::clone(&set.recent);
                        jobs.add(Job { document, room, fingerprints: set.fingerprints.clone(), recent });
                        Waiting::There(at, id)
                    }
                }
            });
        }
        match waiting.pop_front() {
            None => return Ok(()),
            Some(Waiting::Problem(at, problem)) => report(set, options, &at, &problem),
            Some(Waiting::Fatal(error)) => return Err(error),
            Some(Waiting::Here(at, id, logs, outcome, nested)) => {
                for log in logs {
                    set.compared.add(id, log, &set.fingerprints, options);
                }
                end(set, options, (&at, id), &outcome, nested, source);
            }
            Some(Waiting::There(at, id)) => {
                let mut answer = |Question { sitemap, origin, answer }: Question| {
                    // Sending only fails if the thread that asked has panicked.
                    let _ = answer.send(source.robots_lists(&sitemap, &origin));
                };
                if let Some(Event::Piece(piece)) = jobs.event_or_answer(&mut answer) {
                    match piece {
                        Piece::Log(log) => set.compared.add(id, log, &set.fingerprints, options),
                        Piece::End(outcome) => end(set, options, (&at, id), &outcome, None, source),
                    }
                    waiting.push_front(Waiting::There(at, id));
                }
            }
        }
    }
}

/// Reports a problem with the index entry of a child sitemap.
fn report(set: &mut SetState, options: &CheckOptions, at: &At, problem: &Problem) {
    let mut file = set.compared.report.file(at.parent, options);
    let sink = &mut Sink::of_entry(&mut file, options, at.child.loc.as_str());
    children::not_checked(&at.child, problem, sink);
}

/// Finishes the check of a child sitemap. If it is a nested index, `is_followed` states whether the index's child
/// sitemaps are checked next.
fn end<S: SitemapSource>(
    set: &mut SetState,
    options: &CheckOptions,
    (at, id): (&At, FileId),
    outcome: &Outcome,
    is_followed: Option<bool>,
    source: &mut S,
) {
    let report = &mut set.compared.report;
    report.measure(id, outcome.document, outcome.entries, outcome.bytes);
    if let Err(error) = &outcome.end {
        let mut file = report.file(id, options);
        Sink::new(&mut file, options).add_with(Rule::FileUnreadable, Span::START, || error.to_string());
    }
    let mut file = report.file(at.parent, options);
    let sink = &mut Sink::of_entry(&mut file, options, at.child.loc.as_str());
    let own = outcome.document.and_then(|document| document.dialect);
    children::compare(&at.child, outcome.newest, (at.dialect, own), sink);
    if let Some(is_followed) = is_followed {
        children::nested(&at.child, is_followed, sink);
    } else {
        source.checked(set.compared.report.name(id), set.compared.may_have_findings(id));
    }
}
