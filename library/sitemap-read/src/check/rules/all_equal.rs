//! Detects that all pages in a file have the same value, such as the same `lastmod`.

use crate::read::Span;

/// The minimum number of pages. With fewer, equal values may be a coincidence.
const MIN_PAGES: u64 = 10;

/// The first value in a file, and whether any other page has a different value or none at all.
pub(super) struct AllEqual<T> {
    first: Option<(T, Span)>,
    pages: u64,
    differs: bool,
}

impl<T> Default for AllEqual<T> {
    fn default() -> Self {
        Self { first: None, pages: 0, differs: false }
    }
}

impl<T: Copy + PartialEq> AllEqual<T> {
    /// Adds the value of the next page.
    #[inline]
    pub(super) fn add(&mut self, value: Option<T>, span: impl FnOnce() -> Span) {
        self.pages += 1;
        if self.differs {
            return;
        }
        match (&self.first, value) {
            (_, None) => self.differs = true,
            (None, Some(value)) => self.first = Some((value, span())),
            (Some((first, _)), Some(value)) => self.differs = *first != value,
        }
    }

    /// Returns the value that all pages share, and the span of its first occurrence. Returns `None` if the values
    /// differ, if a page has no value, or if the file has too few pages.
    pub(super) fn value(&self) -> Option<(T, Span)> {
        self.first.filter(|_| !self.differs && self.pages >= MIN_PAGES)
    }
}
