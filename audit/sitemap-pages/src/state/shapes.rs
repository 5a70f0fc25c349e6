//! The shapes of the pages that a run sees. They are kept in memory, so that the pages don't have to be read again to
//! count them.

use crate::content::{Block, Folder, OfPage, distinct};

/// The maximum number of shapes in memory, where each page counts as five more. This keeps the memory below 32 MB.
const MOST: usize = 1 << 23;

/// The distinct shapes of one run's pages.
#[derive(Debug, Default)]
pub(super) struct SeenShapes {
    run: u64,
    /// Each page's folder, and the end index of its shapes.
    pages: Vec<(Folder, u32)>,
    shapes: Vec<u32>,
    /// A buffer for the shapes of one page.
    room: Vec<u32>,
    /// Whether pages are missing, or a page occurs twice.
    is_spoiled: bool,
}

impl SeenShapes {
    /// Starts without pages.
    pub(super) fn new(run: u64) -> Self {
        Self { run, ..Self::default() }
    }

    /// Adds a page that the run hasn't visited before.
    pub(super) fn add(&mut self, run: u64, url: &str, blocks: &[Block]) {
        if self.run != run {
            *self = Self::new(run);
        }
        if self.is_spoiled {
            return;
        }
        distinct(blocks, &mut self.room);
        if 5 * (self.pages.len() + 1) + self.shapes.len() + self.room.len() > MOST {
            return self.spoil();
        }
        self.shapes.extend_from_slice(&self.room);
        let end = u32::try_from(self.shapes.len()).unwrap_or(u32::MAX);
        self.pages.push((Folder::of(url), end));
    }

    /// Discards all pages, because there are too many to keep or they are incomplete.
    pub(super) fn spoil(&mut self) {
        *self = Self { is_spoiled: true, ..Self::new(self.run) };
    }

    /// Returns whether all pages of a run are here, given how many the run has seen.
    pub(super) fn is_whole(&self, run: u64, pages: u64) -> bool {
        !self.is_spoiled && self.run == run && self.pages.len() as u64 == pages
    }

    /// Returns all pages.
    pub(super) fn pages(&self) -> impl Iterator<Item = (Folder, OfPage<'_>)> {
        let starts = std::iter::once(0).chain(self.pages.iter().map(|&(_, end)| end as usize));
        let pages = self.pages.iter().zip(starts);
        pages.map(|(&(folder, end), start)| (folder, OfPage::Shapes(&self.shapes[start..end as usize])))
    }
}
