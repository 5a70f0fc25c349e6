//! Collects the results of documents that several threads read, and passes them on in the order of the set.

use std::collections::VecDeque;

use sitemap_core::Loc;
use sitemap_core::threads::{Event, Jobs};

use super::crawl::Listed;
use super::parts::{Counted, Messages, Parts, read_parts};
use super::walk::{Opened, Step, Undo, Walk};
use super::{Crawled, Document, Problem, Source};
use crate::error::{Outcome, Stop};

/// The maximum number of steps that may wait for earlier documents. Most of these steps are problems, which are small.
const MAX_WAITING: usize = 1_000;

/// A document that another thread reads.
pub(super) type Job = Box<Opened>;

/// What a thread sends while it reads a document.
pub(super) enum Piece<P> {
    Part(P),
    End(Box<End>),
}

/// What a thread sends at the end of a document.
pub(super) struct End {
    pub(super) problems: Vec<Problem>,
    pub(super) crawled: Outcome<Crawled>,
    /// The child sitemaps that the document lists although it isn't an index, with the document and its depth.
    pub(super) misplaced: Option<(Document, usize, Vec<Loc<'static>>)>,
}

/// A step that waits for earlier ones.
struct Waiting<'s, P> {
    turn: Turn<'s, P>,
    undo: Undo<'s>,
}

enum Turn<'s, P> {
    /// A document that another thread reads.
    There,
    /// An index that this thread has read.
    Here(Vec<P>, Box<End>),
    Other(Step<'s>),
}

/// The caller's side of a crawl. It gives documents to other threads, and handles the results in the order of the
/// documents.
pub(super) struct Ordered<'t, P> {
    source: &'t Source,
    messages: &'t mut dyn Messages,
    receive: &'t mut dyn FnMut(P) -> Outcome<()>,
    of_target: Crawled,
    counted: Counted,
    /// The error that stopped the crawl while it waited for a download.
    stop: Option<Stop>,
    /// The end of the first waiting document, if this document lists child sitemaps although it isn't an index.
    misplaced: Option<Box<End>>,
}

impl<'t, P: Send> Ordered<'t, P> {
    pub(super) fn new(
        source: &'t Source,
        messages: &'t mut dyn Messages,
        receive: &'t mut dyn FnMut(P) -> Outcome<()>,
    ) -> Self {
        let (of_target, counted) = (Crawled::default(), Counted::default());
        Self { source, messages, receive, of_target, counted, stop: None, misplaced: None }
    }

    pub(super) fn finish(self) -> Counted {
        self.counted
    }

    /// Reads all documents on this thread.
    pub(super) fn alone<V: Parts<Part = P>>(
        &mut self,
        walk: &mut Walk<'_>,
        start: &dyn Fn(&Document) -> V,
    ) -> Outcome<()> {
        while self.counted.incomplete.is_none()
            && let Some((step, undo)) = walk.next(&mut || Ok(()))
        {
            self.advance(walk);
            match step {
                Step::Document(opened) => self.read_here(walk, *opened, undo, start)?,
                step => self.take(step)?,
            }
        }
        Ok(())
    }

    /// Lets other threads read documents. Returns `false` if this thread has to read the rest.
    pub(super) fn together<'s, V: Parts<Part = P>>(
        &mut self,
        walk: &mut Walk<'s>,
        start: &dyn Fn(&Document) -> V,
        jobs: &mut Jobs<'_, Job, Piece<P>>,
    ) -> Outcome<bool> {
        let mut waiting = VecDeque::new();
        while self.counted.incomplete.is_none() {
            let mut next = None;
            if waiting.len() < MAX_WAITING && !jobs.is_full() {
                next = walk.next(&mut || self.turn_all(&mut waiting, jobs));
            }
            if let Some(stop) = self.stop.take() {
                return Err(stop);
            }
            // While this thread waited for the next step, a target may have turned out to be incomplete. Nothing after
            // that target is read.
            if self.counted.incomplete.is_some() {
                break;
            }
            match next {
                Some((step, undo)) => {
                    self.advance(walk);
                    match step {
                        Step::Document(opened) => {
                            self.begin(walk, opened, undo, start, &mut waiting, jobs)?;
                        }
                        step => waiting.push_back(Waiting { turn: Turn::Other(step), undo }),
                    }
                    while self.turn(&mut waiting, jobs, false)? {}
                }
                None if waiting.is_empty() => return Ok(true),
                None => {
                    self.turn(&mut waiting, jobs, true)?;
                }
            }
            if let Some(end) = self.misplaced.take() {
                self.read_misplaced(walk, *end, waiting)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn advance(&mut self, walk: &Walk<'_>) {
        let (opened, known) = walk.progress();
        self.messages.advance(opened, known);
    }

    /// Passes a document to another thread, or reads it here if it is an index or the only document.
    fn begin<'s, V: Parts<Part = P>>(
        &mut self,
        walk: &mut Walk<'s>,
        opened: Box<Opened>,
        mut undo: Undo<'s>,
        start: &dyn Fn(&Document) -> V,
        waiting: &mut VecDeque<Waiting<'s, P>>,
        jobs: &mut Jobs<'_, Job, Piece<P>>,
    ) -> Outcome<()> {
        if waiting.is_empty() && (opened.is_index() || walk.is_last()) {
            return self.read_here(walk, *opened, undo, start);
        }
        let turn = if opened.is_index() {
            let mut opened = *opened;
            let (mut listed, mut parts, mut problems) = (Listed::default(), Vec::new(), Vec::new());
            let mut crawled = read_parts(
                &mut opened,
                start,
                &mut |problem| problems.push(problem.clone()),
                &mut |part| {
                    parts.push(part);
                    Ok(())
                },
                &mut |document, depth, loc| listed.add(walk, document, depth, loc),
            );
            if let Ok(crawled) = &mut crawled {
                crawled.repeating += listed.repeating;
            }
            walk.enter(opened.depth(), listed.children, &mut undo);
            Turn::Here(parts, Box::new(End { problems, crawled, misplaced: None }))
        } else {
            jobs.add(opened);
            Turn::There
        };
        waiting.push_back(Waiting { turn, undo });
        Ok(())
    }

    /// Reads a document whose turn it is, and passes its parts on.
    fn read_here<'s, V: Parts<Part = P>>(
        &mut self,
        walk: &mut Walk<'s>,
        mut opened: Opened,
        mut undo: Undo<'s>,
        start: &dyn Fn(&Document) -> V,
    ) -> Outcome<()> {
        let (mut listed, mut problems) = (Listed::default(), Vec::new());
        let crawled = read_parts(
            &mut opened,
            start,
            &mut |problem| problems.push(problem.clone()),
            self.receive,
            &mut |document, depth, loc| listed.add(walk, document, depth, loc),
        );
        // Problems come after all parts, as they do for documents that other threads read.
        for problem in &problems {
            self.messages.problem(problem);
        }
        self.of_target.add(crawled?);
        self.of_target.repeating += listed.repeating;
        walk.enter(opened.depth(), listed.children, &mut undo);
        Ok(())
    }

    /// Handles all results that are ready.
    fn turn_all(
        &mut self,
        waiting: &mut VecDeque<Waiting<'_, P>>,
        jobs: &mut Jobs<'_, Job, Piece<P>>,
    ) -> Result<(), String> {
        loop {
            match self.turn(waiting, jobs, false) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(stop) => {
                    self.stop = Some(stop);
                    return Err(String::new());
                }
            }
        }
    }

    /// Handles the next result of the first waiting step. Returns `false` if there is none yet, or none at all.
    fn turn(
        &mut self,
        waiting: &mut VecDeque<Waiting<'_, P>>,
        jobs: &mut Jobs<'_, Job, Piece<P>>,
        waits: bool,
    ) -> Outcome<bool> {
        if self.misplaced.is_some() || self.counted.incomplete.is_some() {
            return Ok(false);
        }
        let Some(first) = waiting.front() else { return Ok(false) };
        if matches!(first.turn, Turn::There) {
            let event = if waits { jobs.event() } else { jobs.event_so_far() };
            match event {
                Some(Event::Piece(Piece::Part(part))) => (self.receive)(part)?,
                Some(Event::Piece(Piece::End(end))) if end.misplaced.is_some() => self.misplaced = Some(end),
                Some(Event::Piece(Piece::End(end))) => self.end(*end)?,
                Some(Event::End) => drop(waiting.pop_front()),
                None => return Ok(false),
            }
            return Ok(true);
        }
        match waiting.pop_front().map(|first| first.turn) {
            Some(Turn::Here(parts, end)) => {
                parts.into_iter().try_for_each(&mut *self.receive)?;
                self.end(*end)?;
            }
            Some(Turn::Other(step)) => self.take(step)?,
            Some(Turn::There) | None => {}
        }
        Ok(true)
    }

    /// Ends a document.
    fn end(&mut self, end: End) -> Outcome<()> {
        for problem in &end.problems {
            self.messages.problem(problem);
        }
        self.of_target.add(end.crawled?);
        Ok(())
    }

    /// Handles a step that is not a document.
    fn take(&mut self, step: Step<'_>) -> Outcome<()> {
        match step {
            Step::Problem(problem, failed) => {
                self.of_target.failed += failed;
                self.messages.problem(&problem);
            }
            Step::Stop(why) => return Err(why),
            Step::End(target) => {
                self.source.check_cache()?;
                let crawled = std::mem::take(&mut self.of_target);
                self.counted.crawled.add(crawled);
                if crawled.failed > 0 {
                    self.counted.incomplete = Some((target.to_owned(), crawled));
                }
            }
            Step::Document(_) => {}
        }
        Ok(())
    }

    /// Continues with the child sitemaps that the first waiting document lists although it isn't an index. They come
    /// next, so all later steps are undone: these steps were taken without knowing about the child sitemaps, which
    /// count towards the visited places and the maximum number of files.
    fn read_misplaced<'s>(
        &mut self,
        walk: &mut Walk<'s>,
        end: End,
        mut waiting: VecDeque<Waiting<'s, P>>,
    ) -> Outcome<()> {
        while waiting.len() > 1
            && let Some(last) = waiting.pop_back()
        {
            walk.undo(last.undo);
        }
        let (Some((document, depth, locs)), Some(mut first)) = (&end.misplaced, waiting.pop_front()) else {
            return self.end(end);
        };
        let mut listed = Listed::default();
        for loc in locs {
            if let Err(why) = listed.add(walk, document, *depth, loc) {
                self.of_target.failed += 1;
                self.messages.problem(&Problem::unreadable(loc.as_str(), why));
            }
        }
        self.of_target.repeating += listed.repeating;
        walk.enter(*depth, listed.children, &mut first.undo);
        self.end(end)
    }
}
