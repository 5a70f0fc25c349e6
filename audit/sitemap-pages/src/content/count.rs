//! Counts how many pages contain each shape, in bounded memory.
//!
//! A first pass finds the folders. A second pass increments an array of small counters, where several shapes can share
//! one counter. Only a shape whose counter reaches the threshold can be on enough pages. A third pass counts these
//! candidates exactly. If there are too many to count at once, several passes count one part each. The size of the
//! array and the number of parts affect how long counting takes, but not the result.

use std::collections::HashMap;

use super::block::Block;
use super::folder::Folder;

/// A shape that is on enough pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// A shape that is on enough pages of the whole site.
    Site(u32),
    /// Of one folder.
    Folder(u32, u32),
}

/// Memory limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The maximum number of counters, a power of two. Each takes one byte.
    pub(super) counters: usize,
    /// The maximum number of shapes that are counted exactly at once. Each takes about 24 bytes.
    pub(super) candidates: usize,
}

const BOUNDS: Bounds = Bounds { counters: 1 << 25, candidates: 1 << 20 };

/// The minimum number of pages that a template's block must be on, except on small sites.
const FEWEST: u32 = 10;

/// The folder that represents the whole site.
const SITE: u32 = 0;

/// Returns how many pages must contain a block for it to belong to the site's template.
const fn site_threshold(pages: u32) -> u32 {
    if pages < 2 * FEWEST {
        // Two pages can be copies of each other. Three are enough to see a pattern.
        let half = pages / 2 + 1;
        return if half < 3 { 3 } else { half };
    }
    let fifth = pages.div_ceil(5);
    if fifth < FEWEST { FEWEST } else { fifth }
}

/// Returns how many pages must contain a block for it to belong to a folder's template.
const fn folder_threshold(pages: u32) -> u32 {
    let half = pages.div_ceil(2);
    if half < FEWEST { FEWEST } else { half }
}

/// The data to count for a page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OfPage<'a> {
    /// All blocks.
    Blocks(&'a [Block]),
    /// The distinct shapes of the blocks.
    #[cfg_attr(not(any(feature = "state", test)), expect(dead_code, reason = "only a state keeps shapes"))]
    Shapes(&'a [u32]),
}

impl<'a> OfPage<'a> {
    fn len(self) -> usize {
        match self {
            Self::Blocks(blocks) => blocks.len(),
            Self::Shapes(shapes) => shapes.len(),
        }
    }

    /// Returns the distinct shapes. If they aren't known yet, collects them in `room`.
    fn distinct(self, room: &'a mut Vec<u32>) -> &'a [u32] {
        match self {
            Self::Blocks(blocks) => {
                distinct(blocks, room);
                room
            }
            Self::Shapes(shapes) => shapes,
        }
    }
}

/// Passes all pages to a function.
pub(super) trait Pages<E>: FnMut(&mut dyn FnMut(Folder, OfPage<'_>)) -> Result<(), E> {}

impl<E, P: FnMut(&mut dyn FnMut(Folder, OfPage<'_>)) -> Result<(), E>> Pages<E> for P {}

/// Returns the shapes that occur on enough pages.
pub(super) fn count<E>(pages: impl Pages<E>) -> Result<Vec<Counted>, E> {
    count_within(BOUNDS, pages)
}

pub(super) fn count_within<E>(bounds: Bounds, mut pages: impl Pages<E>) -> Result<Vec<Counted>, E> {
    let thresholds = Thresholds::find(&mut pages)?;
    let mut room = Vec::new();
    let mut sketch = Sketch::new(bounds.counters.min(thresholds.blocks.next_power_of_two().max(1 << 10)));
    pages(&mut |folder, page| {
        let shapes = page.distinct(&mut room);
        for (level, _) in thresholds.of(folder) {
            for &shape in shapes {
                sketch.add(key(level, shape));
            }
        }
    })?;
    let mut parts = 1;
    loop {
        if let Some(found) = exact(&mut pages, &thresholds, &sketch, parts, bounds.candidates)? {
            return Ok(found);
        }
        parts *= 2;
    }
}

/// Counts the candidates exactly, one part at a time. Returns `None` if a part contains too many candidates.
fn exact<E>(
    pages: &mut impl Pages<E>,
    thresholds: &Thresholds,
    sketch: &Sketch,
    parts: u64,
    most: usize,
) -> Result<Option<Vec<Counted>>, E> {
    let (mut found, mut room) = (Vec::new(), Vec::new());
    for part in 0..parts {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        let mut is_full = false;
        pages(&mut |folder, page| {
            if is_full {
                return;
            }
            let shapes = page.distinct(&mut room);
            for (level, threshold) in thresholds.of(folder) {
                for &shape in shapes {
                    let key = key(level, shape);
                    if mix(key) >> 32 & (parts - 1) == part && sketch.may_reach(key, threshold) {
                        *counts.entry(key).or_default() += 1;
                    }
                }
            }
            is_full = counts.len() > most;
        })?;
        if is_full {
            return Ok(None);
        }
        let reached = counts.into_iter().filter(|&(key, count)| count >= thresholds.of_level(level(key)));
        found.extend(reached.map(|(key, _)| match level(key) {
            SITE => Counted::Site(shape(key)),
            folder => Counted::Folder(folder, shape(key)),
        }));
    }
    Ok(Some(found))
}

/// How many pages a block must be on, for the site and for its larger folders.
struct Thresholds {
    site: u32,
    folders: HashMap<u32, u32>,
    blocks: usize,
}

impl Thresholds {
    fn find<E>(pages: &mut impl Pages<E>) -> Result<Self, E> {
        let (mut number, mut blocks, mut levels) = (0, 0, Vec::new());
        pages(&mut |folder, page| {
            number += 1;
            blocks += page.len();
            levels.extend(folder.levels());
        })?;
        levels.sort_unstable();
        let large = levels.chunk_by(|one, other| one == other).filter_map(|pages| {
            let number = u32::try_from(pages.len()).unwrap_or(u32::MAX);
            // A folder whose hash happens to equal the one reserved for the site gets no template of its own.
            (number >= FEWEST && pages[0] != SITE).then(|| (pages[0], folder_threshold(number)))
        });
        Ok(Self { site: site_threshold(number), folders: large.collect(), blocks })
    }

    /// Returns the levels at which a page's blocks are counted, each with its threshold.
    fn of(&self, folder: Folder) -> impl Iterator<Item = (u32, u32)> {
        let folders = folder.levels().filter_map(|level| Some((level, *self.folders.get(&level)?)));
        std::iter::once((SITE, self.site)).chain(folders)
    }

    fn of_level(&self, level: u32) -> u32 {
        if level == SITE { self.site } else { self.folders.get(&level).copied().unwrap_or(u32::MAX) }
    }
}

/// Collects a page's distinct shapes.
pub(crate) fn distinct(blocks: &[Block], shapes: &mut Vec<u32>) {
    shapes.clear();
    shapes.extend(blocks.iter().map(|block| block.shape));
    shapes.sort_unstable();
    shapes.dedup();
}

/// Counters that stop at 255. Several keys can share one counter.
struct Sketch {
    counters: Vec<u8>,
}

impl Sketch {
    fn new(counters: usize) -> Self {
        Self { counters: vec![0; counters] }
    }

    fn add(&mut self, key: u64) {
        let at = self.place(key);
        self.counters[at] = self.counters[at].saturating_add(1);
    }

    fn may_reach(&self, key: u64, threshold: u32) -> bool {
        u32::from(self.counters[self.place(key)]) >= threshold.min(255)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low bits select a counter")]
    fn place(&self, key: u64) -> usize {
        mix(key) as usize & (self.counters.len() - 1)
    }
}

fn key(level: u32, shape: u32) -> u64 {
    u64::from(level) << 32 | u64::from(shape)
}

fn level(key: u64) -> u32 {
    (key >> 32) as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half of a key")]
fn shape(key: u64) -> u32 {
    key as u32
}

/// Mixes the bits of a key, like the finaliser of `MurmurHash3`.
fn mix(mut key: u64) -> u64 {
    key = (key ^ key >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    key = (key ^ key >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    key ^ key >> 33
}
