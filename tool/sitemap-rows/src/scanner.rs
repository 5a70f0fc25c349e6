//! The scanner, and the URLs of rows.

use std::borrow::Cow;
use std::str;

use memchr::memchr;
use sitemap_core::reading::{KnownOrigin, is_normal_like, normalised_like, trusted_loc};
use sitemap_core::{Entry, Loc, Site};

/// Scans the usual rows of lists of pages of one site.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_rows::Scanner;
///
/// let mut scanner = Scanner::new(&Site::new("https://example.com")?);
/// assert_eq!(scanner.line(b"https://example.com/tea\n").unwrap().entry.loc(), "https://example.com/tea");
/// // A page of another site needs the general parser, which has the error.
/// assert!(scanner.object(b"{\"loc\":\"tea\"}\n").is_none());
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Scanner {
    site: Site,
    /// The origin of the site.
    known: KnownOrigin,
    /// A buffer for the URLs of paths, so that no row allocates.
    joined: String,
}

/// A row of the usual form.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_rows::{Row, Scanner};
///
/// let mut scanner = Scanner::new(&Site::new("https://example.com")?);
/// let text = b"/tea\n/cups\n";
/// let Row { entry, len } = scanner.line(text).unwrap();
/// assert_eq!((entry.loc().as_str(), &text[len..]), ("https://example.com/tea", &b"/cups\n"[..]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'t> {
    /// The entry of the page.
    pub entry: Entry<'t>,
    /// The number of bytes of the row, including its line break.
    pub len: usize,
}

/// Returns the position of the line break at the end of a row. A search of the whole text would take too long if each of many
/// rows has another line break.
#[inline]
pub(crate) fn end_of_row(text: &[u8]) -> Option<usize> {
    /// More than the longest row of the usual form.
    const LONGEST: usize = 4096;

    memchr(b'\n', &text[..text.len().min(LONGEST)])
}

impl Scanner {
    /// Creates a scanner for the pages of a site. A path in a row is relative to the base of the site.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_rows::Scanner;
    ///
    /// let mut scanner = Scanner::new(&Site::new("https://example.com/shop")?);
    /// assert_eq!(scanner.line(b"/tea\n").unwrap().entry.loc(), "https://example.com/shop/tea");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    #[must_use]
    pub fn new(site: &Site) -> Self {
        let mut known = KnownOrigin::default();
        // The base of a site is a URL in its normal form, so this only records its origin.
        let _ = normalised_like(site.base(), &mut known);
        Self { site: site.clone(), known, joined: String::new() }
    }

    /// Returns the URL that a text names. `None` means that the text needs the general parser, perhaps because it is
    /// invalid.
    #[inline]
    pub(crate) fn loc<'t>(&'t mut self, text: &'t [u8]) -> Option<Loc<'t>> {
        if is_normal_like(text, &self.known) {
            return Some(trusted_loc(Cow::Borrowed(str::from_utf8(text).ok()?)));
        }
        // In JSON, a backslash is an escape. Elsewhere it is allowed in no URL, and so is as unusual.
        if text.contains(&b'\\') {
            return None;
        }
        let text = str::from_utf8(text).ok()?;
        if let Some(path) = text.strip_prefix('/') {
            self.joined.clear();
            self.joined.push_str(self.site.base());
            self.joined.push_str(path);
            if is_normal_like(self.joined.as_bytes(), &self.known) {
                return Some(trusted_loc(Cow::Borrowed(&self.joined)));
            }
        }
        self.site.resolve(text).ok()
    }
}
