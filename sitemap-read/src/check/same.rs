//! A test of whether all pages of a file have the same value.

use crate::read::Span;

/// The smallest number of pages for which it is suspicious that all have the same value.
const MANY: u64 = 10;

/// The first of a file's values, compared with all others.
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

    /// Returns the value that all `entries` have, and the span of its first occurrence.
    pub(super) fn all_of(&self, entries: u64) -> Option<(T, Span)> {
        let is_same = !self.differs && self.count == entries && entries >= MANY;
        self.first.filter(|_| is_same)
    }
}
