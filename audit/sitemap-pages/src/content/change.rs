//! How a page's main content differs between two runs.

use std::collections::HashMap;

use super::block::Blocks;
use super::folder::Folder;
use super::shared::SharedBlocks;

/// How a page's main content differs between an earlier run and this one.
///
/// Blocks that belong to a template in either run are left out of both versions. Suppose a block was on 19 % of the
/// pages and is now on 21 %: it is ignored in both versions. Comparing two digests instead, each made without its own
/// run's template, would report all of these pages as changed.
///
/// ```
/// use sitemap_pages::content::{Blocks, ContentChange, Folder, SharedBlocks};
///
/// let (before, now) = (SharedBlocks::default(), SharedBlocks::default());
/// let change = |old: &str, new: &str| {
///     let (old, new) = (Blocks::of_html(old.as_bytes()), Blocks::of_html(new.as_bytes()));
///     ContentChange::between((&before, &old), (&now, &new), Folder::default())
/// };
/// let edit = change("<p>Oak<p>Elm", "<p>Oak<p>Beech<p>Ash");
/// assert!(edit.is_change());
/// assert_eq!((edit.removed, edit.added), (1, 2));
/// assert!(!change("<p>Oak", "<div>Oak</div>").is_change());
/// assert!(change("<p>Oak<p>Elm", "<p>Elm<p>Oak").is_change(), "the order counts");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContentChange {
    /// The number of blocks that only the earlier version contains.
    pub removed: usize,
    /// The number of blocks that only the new version contains.
    pub added: usize,
    /// Whether both versions contain the same blocks in a different order.
    pub is_reordered: bool,
}

impl ContentChange {
    /// Compares two versions of a page. Each version is passed along with its run's shared blocks.
    pub fn between(
        (before, old): (&SharedBlocks, &Blocks),
        (now, new): (&SharedBlocks, &Blocks),
        folder: Folder,
    ) -> Self {
        if old == new {
            return Self::default();
        }
        let own = |blocks: &Blocks| -> Vec<u32> {
            let is_own = |block: &_| !before.contains(*block, folder) && !now.contains(*block, folder);
            blocks.iter().filter(|block| is_own(block)).map(|block| block.text).collect()
        };
        let (old, new) = (own(old), own(new));
        if old == new {
            return Self::default();
        }
        let mut balance: HashMap<u32, isize> = HashMap::new();
        for &text in &old {
            *balance.entry(text).or_default() -= 1;
        }
        for &text in &new {
            *balance.entry(text).or_default() += 1;
        }
        let sum = |sign: isize| balance.values().map(|count| (count * sign).max(0).unsigned_abs()).sum();
        let (removed, added) = (sum(-1), sum(1));
        Self { removed, added, is_reordered: removed + added == 0 }
    }

    /// Returns whether the main content changed.
    pub fn is_change(&self) -> bool {
        self.is_reordered || self.removed + self.added > 0
    }
}
