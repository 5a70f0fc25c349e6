//! A test of whether all pages of a file have the same `lastmod`, or the same priority.

use crate::read::Span;

/// The minimum number of pages for the test, because a few pages may have the same value by chance.
const MANY: u64 = 10;

/// The first `lastmod` or priority of a file, and whether a later one differs from it.
pub(super) struct Same<T> {
    first: Option<(T, Span)>,
    count: u64,
    differs: bool,
}

impl<T> Default for Same<T> {
    fn default() -> Self {
        Self { first: None, count: 0, differs: false }
    }
}

impl<T: Copy + PartialEq> Same<T> {
    #[inline]
    pub(super) fn add(&mut self, value: T, span: impl FnOnce() -> Span) {
        self.count += 1;
        if self.differs {
            return;
        }
        match &self.first {
            Some((first, _)) => self.differs = *first != value,
            None => self.first = Some((value, span())),
        }
    }

    /// Returns the value that all pages of a file share, and the span of its first occurrence. Returns `None` if the
    /// values differ, if a page has no value, or if the file has too few pages. `entries` is the number of pages.
    pub(super) fn all_of(&self, entries: u64) -> Option<(T, Span)> {
        let is_same = !self.differs && self.count == entries && entries >= MANY;
        self.first.filter(|_| is_same)
    }
}
