//! Walks through a set, from an index to its child sitemaps and those of nested indexes.

use std::sync::Arc;
use std::vec;

use sitemap_core::{Dialect, Loc};

use super::document::{Outcome, Started};
use super::file_id::FileId;
use super::options::CheckOptions;
use super::other_files::Child;
use super::recent::is_recent;
use super::rules::children::Problem;
use super::source::{OpenError, SitemapSource};
use crate::read::{Position, ReadError, ReadErrorKind, SitemapReader};

/// Walks through a set in the order of its indexes.
pub(super) struct Walk {
    levels: Vec<Level>,
    opened: u64,
    is_over: bool,
    /// True if the source has skipped a child sitemap.
    has_skipped: bool,
}

/// An index between the first index and the current child sitemap.
struct Level {
    id: FileId,
    name: Arc<str>,
    loc: Option<Loc<'static>>,
    dialect: Option<Dialect>,
    children: vec::IntoIter<Child>,
}

/// The name of a document, and the URL that served it.
pub(super) type Place = (Arc<str>, Option<Loc<'static>>);

/// The next step of a walk.
pub(super) enum Step<'r> {
    /// A child sitemap that is not checked.
    Problem(At, Problem),
    /// A child sitemap to check.
    Document(At, Box<Started<'r>>),
    /// The source has ended the check with this error.
    Fatal(ReadError),
}

/// The index entry of a child sitemap.
pub(super) struct At {
    pub(super) parent: FileId,
    /// The dialect of the index.
    pub(super) dialect: Option<Dialect>,
    pub(super) child: Child,
}

impl Walk {
    /// Starts at an index.
    pub(super) fn new(id: FileId, place: Place, index: &mut Outcome) -> Self {
        Self { levels: vec![Level::new(id, place, index)], opened: 0, is_over: false, has_skipped: false }
    }

    /// Returns `true` if the source skipped a child sitemap.
    pub(super) const fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// Returns the number of child sitemaps in the first index.
    pub(super) fn children(&self) -> usize {
        self.levels.first().map_or(0, |level| level.children.len())
    }

    /// Opens the next child sitemap.
    pub(super) fn next<'r, S: SitemapSource>(
        &mut self,
        options: &CheckOptions,
        source: &mut S,
    ) -> Option<Step<'r>>
    where
        S::Content: 'r,
    {
        while !self.is_over {
            let top = self.levels.last_mut()?;
            let Some(child) = top.children.next() else {
                self.levels.pop();
                continue;
            };
            let (name, at) = (Arc::clone(&top.name), At { parent: top.id, dialect: top.dialect, child });
            if self.levels.iter().any(|level| level.loc.as_ref() == Some(&at.child.loc)) {
                return Some(Step::Problem(at, Problem::Loop));
            }
            if !at.child.is_new {
                continue;
            }
            if self.opened == options.max_children {
                self.is_over = true;
                return Some(Step::Problem(at, Problem::TooMany(self.opened)));
            }
            self.opened += 1;
            return Some(match source.open(&at.child.loc, &name) {
                Ok(file) => {
                    let served_at = file.served_at.unwrap_or_else(|| at.child.loc.clone());
                    let reader = SitemapReader::from_reader_with(file.content, options.read);
                    Step::Document(at, Box::new(Started::new(file.name.into(), Some(served_at), reader)))
                }
                Err(OpenError::Skip) => {
                    self.has_skipped = true;
                    continue;
                }
                Err(OpenError::Loop) => Step::Problem(at, Problem::Loop),
                Err(OpenError::Unavailable(why)) => Step::Problem(at, Problem::Missing(why)),
                Err(OpenError::Fatal(error)) => {
                    self.is_over = true;
                    Step::Fatal(ReadError::new(ReadErrorKind::Source(error), Position::START))
                }
            });
        }
        None
    }

    /// Continues with the child sitemaps of the last document, which is a nested index. Returns `false` if that index
    /// is nested too deeply.
    pub(super) fn enter(
        &mut self,
        id: FileId,
        place: Place,
        index: &mut Outcome,
        options: &CheckOptions,
    ) -> bool {
        let enters = self.levels.len() < options.max_index_depth;
        if enters {
            self.levels.push(Level::new(id, place, index));
        }
        enters
    }
}

impl Level {
    fn new(id: FileId, (name, loc): Place, index: &mut Outcome) -> Self {
        let mut children = std::mem::take(&mut index.children);
        // The recent section comes first, so that its dates are known before other files list the same pages.
        children.sort_by_key(|child| !is_recent(Some(&child.loc), ""));
        let dialect = index.document.and_then(|document| document.dialect);
        Self { id, name, loc, dialect, children: children.into_iter() }
    }
}
