//! Blocks that many of a site's pages share.

use super::block::{Block, Blocks};
use super::count::{Counted, OfPage, count};
use super::digest::ContentDigest;
use super::folder::Folder;

/// The blocks that belong to the template of a site or of one of its folders, because many pages contain them.
///
/// Blocks are counted by shape, once per page. A block belongs to the template if it is on
/// - a fifth of the site's pages, and at least ten, or
/// - half of a folder's pages, and at least ten, or
/// - more than half of the pages, and at least three, if the site has fewer than 20 pages.
///
/// ```
/// use sitemap_pages::content::{Blocks, Folder, SharedBlocks};
///
/// let page = |number: usize, year: u32| {
///     let name = ["ash", "beech", "elm", "oak"][number];
///     let html = format!("<title>{name} | Woods</title><p>About {name}.</p><p>© {year} Woods</p>");
///     (Folder::of("https://example.com/"), Blocks::of_html(html.as_bytes()))
/// };
/// let site = |year| (0..4).map(move |number| page(number, year)).collect::<Vec<_>>();
/// let shared = |pages: &[(Folder, Blocks)]| SharedBlocks::count(pages.iter().map(|(folder, blocks)| (*folder, &blocks[..])));
///
/// let (last_year, this_year) = (site(2025), site(2026));
/// let (before, now) = (shared(&last_year), shared(&this_year));
/// let (folder, oak) = &this_year[3];
/// assert_eq!(oak.len(), 4, "two parts of the title, and two paragraphs");
/// assert_eq!(now.own(oak, *folder).count(), 2, "`Woods` and the copyright are on all pages");
/// assert_eq!(now.digest(oak, *folder), before.digest(&last_year[3].1, *folder));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedBlocks {
    /// The shapes of the site, sorted.
    site: Vec<u32>,
    /// The shapes of folders, as sorted pairs of folder and shape.
    folders: Vec<(u32, u32)>,
    /// A bitmap indexed by the low bits of each shape. It makes the common case fast, because most shapes belong to no
    /// template. Empty if there are no shapes.
    bits: Vec<u64>,
}

/// The number of bits in that bitmap, a power of two.
const BITS: u32 = 1 << 16;

impl SharedBlocks {
    /// Counts the blocks of all pages of a site. Iterates over the pages three times or more, so that memory use stays
    /// below about 100 MB for a million pages. The result doesn't depend on the order of the pages.
    #[expect(clippy::needless_pass_by_value, reason = "an iterator is passed by value")]
    pub fn count<'a, I>(pages: I) -> Self
    where
        I: Iterator<Item = (Folder, &'a [Block])> + Clone,
    {
        let visit = |visit: &mut dyn FnMut(Folder, &[Block])| {
            pages.clone().for_each(|(folder, blocks)| visit(folder, blocks));
            Ok::<_, std::convert::Infallible>(())
        };
        match Self::try_count(visit) {
            Ok(shared) => shared,
            Err(never) => match never {},
        }
    }

    /// Counts the blocks of all pages of a site, for pages read from elsewhere, such as a database. Calls `pages` three
    /// times or more. Each time, `pages` must pass the same pages, in any order, to the function it is given.
    ///
    /// # Errors
    ///
    /// Returns the first error that `pages` returns.
    pub fn try_count<E>(
        mut pages: impl FnMut(&mut dyn FnMut(Folder, &[Block])) -> Result<(), E>,
    ) -> Result<Self, E> {
        Self::try_count_of(|visit: &mut dyn FnMut(Folder, OfPage<'_>)| {
            pages(&mut |folder, blocks| visit(folder, OfPage::Blocks(blocks)))
        })
    }

    /// Like [`try_count`](Self::try_count), for pages whose distinct shapes may already be known.
    pub(crate) fn try_count_of<E>(
        pages: impl FnMut(&mut dyn FnMut(Folder, OfPage<'_>)) -> Result<(), E>,
    ) -> Result<Self, E> {
        let (mut site, mut folders) = (Vec::new(), Vec::new());
        for counted in count(pages)? {
            match counted {
                Counted::Site(shape) => site.push(shape),
                Counted::Folder(folder, shape) => folders.push((folder, shape)),
            }
        }
        Ok(Self::from_shapes(site, folders))
    }

    /// Returns whether the block belongs to the template of the site or of the folder.
    pub fn contains(&self, block: Block, folder: Folder) -> bool {
        let (word, bit) = place(block.shape);
        if self.bits.get(word).is_none_or(|bits| bits & bit == 0) {
            return false;
        }
        self.site.binary_search(&block.shape).is_ok()
            || folder.levels().any(|level| self.folders.binary_search(&(level, block.shape)).is_ok())
    }

    /// Returns the blocks of a page that don't belong to a template, in order.
    pub fn own<'a>(&self, blocks: &'a Blocks, folder: Folder) -> impl Iterator<Item = Block> + use<'_, 'a> {
        blocks.iter().copied().filter(move |&block| !self.contains(block, folder))
    }

    /// Returns the digest of a page's main content.
    ///
    /// For a page without blocks of its own, returns the digest of all its blocks. Otherwise all such pages, such as a
    /// hundred lists of links, would look like copies of one page.
    pub fn digest(&self, blocks: &Blocks, folder: Folder) -> ContentDigest {
        let mut own = self.own(blocks, folder).peekable();
        if own.peek().is_some() { ContentDigest::of(own) } else { ContentDigest::of(blocks.iter().copied()) }
    }

    /// Returns the number of shapes that belong to a template.
    pub fn len(&self) -> usize {
        self.site.len() + self.folders.len()
    }

    /// Returns whether no block belongs to a template.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the shapes of the site and of its folders, sorted.
    #[cfg(feature = "state")]
    pub(crate) fn shapes(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        (self.site.clone(), self.folders.clone())
    }

    /// Rebuilds the shared blocks from their shapes.
    pub(crate) fn from_shapes(mut site: Vec<u32>, mut folders: Vec<(u32, u32)>) -> Self {
        site.sort_unstable();
        folders.sort_unstable();
        let mut bits = Vec::new();
        for &shape in site.iter().chain(folders.iter().map(|(_, shape)| shape)) {
            bits.resize(BITS as usize / 64, 0);
            let (word, bit) = place(shape);
            bits[word] |= bit;
        }
        Self { site, folders, bits }
    }
}

/// Returns the index of a shape's word in the bitmap, and its bit.
fn place(shape: u32) -> (usize, u64) {
    let bit = shape & (BITS - 1);
    (bit as usize / 64, 1 << (bit % 64))
}
