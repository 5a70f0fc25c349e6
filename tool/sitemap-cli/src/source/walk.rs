//! Visits the documents of a target: first an index, then its child sitemaps, including those of nested indexes.

use std::collections::{HashSet, VecDeque};

use sitemap_core::Loc;
use sitemap_core::publish::files::is_recent_file;
use sitemap_read::{DocumentKind, ReadError, SitemapReader};

use super::{Document, Place, Problem, Source};
use crate::error::Stop;
use crate::interrupt;

/// The maximum nesting depth of indexes. The protocol doesn't allow nested indexes, but some sites publish them.
const MAX_DEPTH: usize = 3;

/// A walk through the documents of several targets, in the order of the targets and of their indexes.
pub(super) struct Walk<'s> {
    source: &'s Source,
    targets: &'s [String],
    /// The number of targets started so far.
    begun: usize,
    target: Option<Target<'s>>,
    /// The target's documents that are known but haven't been opened.
    queue: VecDeque<At>,
    /// The number of documents opened so far, for all targets.
    opened: usize,
}

/// The current target.
struct Target<'s> {
    name: &'s str,
    seen: HashSet<Place>,
    read: usize,
}

/// The place of a document, and the number of indexes above that document.
struct At {
    place: Place,
    depth: usize,
}

pub(super) enum Step<'s> {
    Document(Box<Opened>),
    /// Some documents can't be read. Contains the problem and the number of these documents.
    Problem(Problem, usize),
    /// The walk ends because of an error.
    Stop(Stop),
    /// The end of a target.
    End(&'s str),
}

/// A document whose start has been read.
pub(super) struct Opened {
    pub(super) document: Document,
    pub(super) reader: SitemapReader<'static>,
    /// The kind of the document.
    pub(super) kind: Result<DocumentKind, ReadError>,
    /// True if the target consists of this document alone.
    pub(super) is_only: bool,
    depth: usize,
}

/// The changes that a step has made, so that they can be undone.
#[derive(Default)]
pub(super) struct Undo<'s> {
    /// The documents that the step has removed from the queue. If `is_opened` is true, the last one was opened.
    taken: Vec<At>,
    is_opened: bool,
    has_begun: bool,
    /// The target that has ended.
    ended: Option<Target<'s>>,
    /// The number of child sitemaps added to the queue.
    entered: usize,
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: &'s Source, targets: &'s [String]) -> Self {
        Self { source, targets, begun: 0, target: None, queue: VecDeque::new(), opened: 0 }
    }

    /// Takes the next step. While waiting for a download, calls `meanwhile` from time to time, and stops if it returns
    /// an error.
    pub(super) fn next(
        &mut self,
        meanwhile: &mut dyn FnMut() -> Result<(), String>,
    ) -> Option<(Step<'s>, Undo<'s>)> {
        let mut undo = Undo::default();
        if self.target.is_none() {
            let name = self.targets.get(self.begun)?;
            self.begun += 1;
            undo.has_begun = true;
            self.target = Some(Target { name, seen: HashSet::new(), read: 0 });
            match self.source.roots(name) {
                Ok(roots) => {
                    self.source.expect(&roots);
                    self.queue.extend(roots.into_iter().map(|place| At { place, depth: 0 }));
                }
                Err(stop) => return Some((Step::Stop(stop), undo)),
            }
        }
        let target = self.target.as_mut()?;
        while let Some(at) = self.queue.pop_front() {
            if target.seen.contains(&at.place) {
                undo.taken.push(at);
                continue;
            }
            if target.read == self.source.max_files() {
                let problem = Problem::too_many(target.name, target.read);
                let failed = 1 + self.queue.len();
                undo.taken.push(at);
                undo.taken.extend(self.queue.drain(..));
                return Some((Step::Problem(problem, failed), undo));
            }
            target.seen.insert(at.place.clone());
            target.read += 1;
            self.opened += 1;
            undo.is_opened = true;
            let step = self.open(&at, meanwhile);
            undo.taken.push(at);
            return Some((step, undo));
        }
        let name = target.name;
        undo.ended = self.target.take();
        Some((Step::End(name), undo))
    }

    fn open(&self, At { place, depth }: &At, meanwhile: &mut dyn FnMut() -> Result<(), String>) -> Step<'s> {
        let document = match self.source.open_meanwhile(place, meanwhile) {
            Ok(document) => document,
            Err(why) if *depth == 0 => return Step::Stop(Stop::new(format!("cannot read `{place}`: {why}"))),
            Err(why) => {
                return match interrupt::check() {
                    Ok(()) => Step::Problem(Problem::unreadable(place.to_string(), why), 1),
                    Err(error) => Step::Stop(Stop::new(error.to_string())),
                };
            }
        };
        let file = match document.open() {
            Ok(file) => file,
            Err(stop) => return Step::Stop(stop),
        };
        let mut reader = SitemapReader::from_reader_with(file, self.source.read_options());
        let kind = reader.document().map(|document| document.kind);
        let is_only = *depth == 0 && self.queue.is_empty();
        Step::Document(Box::new(Opened { document, reader, kind, is_only, depth: *depth }))
    }

    /// Returns the place of a child sitemap, or `None` if it's skipped because its pages are also in other files.
    pub(super) fn child(
        &self,
        index: &Document,
        depth: usize,
        loc: &Loc<'_>,
    ) -> Result<Option<Place>, String> {
        if is_recent_file(loc.as_str()) {
            return Ok(None);
        }
        let place = self.source.child(index, loc)?;
        if place == index.place {
            return Err("the index lists itself; remove the entry".to_owned());
        }
        if depth + 1 >= MAX_DEPTH {
            return Err(format!("indexes are nested more than {MAX_DEPTH} levels deep"));
        }
        Ok(Some(place))
    }

    /// Continues with the child sitemaps of the last document, in order.
    pub(super) fn enter(&mut self, depth: usize, children: Vec<Place>, undo: &mut Undo<'s>) {
        self.source.expect(&children);
        undo.entered += children.len();
        for place in children.into_iter().rev() {
            self.queue.push_front(At { place, depth: depth + 1 });
        }
    }

    /// Undoes the last step.
    pub(super) fn undo(&mut self, undo: Undo<'s>) {
        let Undo { taken, is_opened, has_begun, ended, entered } = undo;
        self.queue.drain(..entered);
        if let Some(ended) = ended {
            self.target = Some(ended);
        }
        if has_begun {
            // All documents in the queue belong to the target, which starts again.
            self.queue.clear();
            self.target = None;
            self.begun -= 1;
            self.opened -= usize::from(is_opened);
            return;
        }
        if let (true, Some(target), Some(last)) = (is_opened, &mut self.target, taken.last()) {
            target.seen.remove(&last.place);
            target.read -= 1;
            self.opened -= 1;
        }
        taken.into_iter().rev().for_each(|at| self.queue.push_front(at));
    }

    /// Returns `true` if no other document is known.
    pub(super) fn is_last(&self) -> bool {
        self.queue.is_empty() && self.begun == self.targets.len()
    }

    /// Returns the number of documents opened so far, and the number of documents known so far.
    pub(super) fn progress(&self) -> (u64, u64) {
        let known = self.opened + self.queue.len() + (self.targets.len() - self.begun);
        (self.opened as u64, known as u64)
    }
}

impl Opened {
    pub(super) fn is_index(&self) -> bool {
        matches!(self.kind, Ok(DocumentKind::Index))
    }

    pub(super) const fn depth(&self) -> usize {
        self.depth
    }
}
