//! A page's folders, which are the first segments of its path.

use memchr::{memchr, memchr_iter, memchr2};

use super::hash::hash32;

/// The folders that contain a page: one for its first path segment, and one for its first two.
///
/// Parts of a site, such as the blog or the German pages, often have a template of their own. Their pages usually share
/// the first path segments. The last segment is the page itself, unless it ends with a slash.
///
/// ```
/// use sitemap_pages::content::Folder;
///
/// let post = Folder::of("https://example.com/de/blog/oak.html");
/// assert_eq!(post, Folder::of("https://example.com/de/blog/2026/elm.html?page=2"));
/// assert_ne!(post, Folder::of("https://example.com/de/shop/oak.html"));
/// assert_eq!(Folder::of("https://example.com/"), Folder::of("https://example.com/about.html"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Folder {
    first: Option<u32>,
    second: Option<u32>,
}

impl Folder {
    /// Returns a page's folders from its URL.
    pub fn of(url: &str) -> Self {
        let url = &url[..memchr2(b'?', b'#', url.as_bytes()).unwrap_or(url.len())];
        let host = if url.starts_with("https://") { 8 } else { url.find("://").map_or(0, |at| at + 3) };
        let url = url.as_bytes();
        let Some(path) = memchr(b'/', &url[host..]).map(|at| host + at + 1) else { return Self::default() };
        let mut ends = memchr_iter(b'/', &url[path..]).map(|at| hash32(&url[..path + at]));
        Self { first: ends.next(), second: ends.next() }
    }

    /// Returns the folders as hashes.
    pub(super) fn levels(self) -> impl Iterator<Item = u32> {
        [self.first, self.second].into_iter().flatten()
    }
}
