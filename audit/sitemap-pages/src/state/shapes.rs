//! The shapes of the pages that a run sees, in memory, so that counting them need not read the pages again.

use crate::content::{Block, Folder, OfPage, distinct};

/// The number of shapes that are kept, where a page takes as much as five. The memory stays below 32 MB.
const MOST: usize = 1 << 23;

/// The distinct shapes of the pages of one run.
#[derive(Debug, Default)]
pub(super) struct SeenShapes {
    run: u64,
    /// The folder of each page, and the end of its shapes.
    pages: Vec<(Folder, u32)>,
    shapes: Vec<u32>,
    /// The shapes of one page, while they are collected.
    room: Vec<u32>,
    /// Whether pages are missing, or one is there twice.
    is_spoiled: bool,
}

impl SeenShapes {
    /// Starts without pages.
    pub(super) fn new(run: u64) -> Self {
        Self { run, ..Self::default() }
    }

    /// Adds a page that the run has not seen before.
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

    /// Forgets the pages, because not all of them can be kept.
    pub(super) fn spoil(&mut self) {
        *self = Self { is_spoiled: true, ..Self::new(self.run) };
    }

    /// Returns whether these are all pages of a run that has seen this many.
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
