//! The lines of a robots.txt, read by the rules of Google's parser.

use std::borrow::Cow;

use crate::value::{Loc, LocError};

/// A `Sitemap:` line in a robots.txt, as returned by [`sitemaps`].
///
/// ```
/// use sitemap_core::robots::sitemaps;
///
/// let found: Vec<_> = sitemaps(b"Sitemap: https://example.com/sitemap.xml\nSitemap: /news.xml\n").collect();
/// assert_eq!(found[0].loc()?, "https://example.com/sitemap.xml");
/// assert_eq!((found[1].line(), found[1].value()), (2, "/news.xml"));
/// assert!(found[1].loc().is_err());
/// # Ok::<(), sitemap_core::value::LocError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapLine<'a> {
    line: u64,
    value: Cow<'a, str>,
}

impl SitemapLine<'_> {
    /// Returns the line number, starting at 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Returns the value as written in the file. It may be any string.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the URL of the sitemap.
    ///
    /// # Errors
    ///
    /// Returns a [`LocError`] if the value is not a valid absolute URL.
    pub fn loc(&self) -> Result<Loc<'_>, LocError> {
        Loc::parse(&*self.value)
    }
}

/// Returns the sitemaps listed in a robots.txt, in file order.
///
/// Follows the rules of Google's parser:
///
/// - A `#` ends the line, so a URL loses its fragment.
/// - The key only has to *start* with `sitemap` or `site-map`, in upper or lower case. So a line that starts with
///   `Sitemaps:` is also accepted.
/// - The first colon ends the key. So the line `Sitemap https://example.com/x` has the key `Sitemap https` and the
///   value `//example.com/x`. A line without a colon has a key and a value only if it consists of exactly two words.
/// - Lines end with LF, CR or CRLF. Anything after the first 16,663 bytes of a line is ignored. A byte order mark at
///   the start of the file is skipped, even if it is incomplete.
/// - The lines may be anywhere in the file; they do not belong to a `User-agent` group.
///
/// Invalid UTF-8 becomes U+FFFD. Crawlers read only the first 500 KiB of a robots.txt, but this function reads all of
/// it.
///
/// Sources: [google/robotstxt](https://github.com/google/robotstxt), RFC 9309 §2.2.4.
///
/// ```
/// use sitemap_core::robots::sitemaps;
///
/// let robots = b"User-agent: *\nDisallow: /private\nSITEMAP: https://example.com/sitemap.xml # ours\n";
/// let sitemaps: Vec<_> = sitemaps(robots).collect();
/// assert_eq!(sitemaps[0].value(), "https://example.com/sitemap.xml");
/// assert_eq!(sitemaps[0].line(), 3);
/// ```
pub fn sitemaps(robots_txt: &[u8]) -> impl Iterator<Item = SitemapLine<'_>> {
    lines(robots_txt).filter_map(|line| {
        let value = String::from_utf8_lossy(sitemap_of(line)?);
        Some(SitemapLine { line: line.number, value })
    })
}

/// The maximum number of bytes that are read from a line. This is enough for the longest percent-encoded URL.
const MAX_LINE_LEN: usize = 2_083 * 8 - 1;

/// A line in a robots.txt, as returned by [`lines`].
///
/// ```
/// use sitemap_core::robots::lines;
///
/// let line = lines(b"Disallow: /private # for now\n").next().unwrap();
/// assert_eq!((line.number, line.has_comment), (1, true));
/// let field = line.field.unwrap();
/// assert_eq!((field.key, field.value), (&b"Disallow"[..], &b"/private"[..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'t> {
    /// The line number, starting at 1.
    pub number: u64,
    /// The line without its comment and surrounding white space.
    pub text: &'t [u8],
    /// `true` if the line has a comment.
    pub has_comment: bool,
    /// `true` if the line is longer than 16,663 bytes, so its end was ignored.
    pub is_cut: bool,
    /// The key and the value, if the line has both.
    pub field: Option<Field<'t>>,
}

/// The key and the value of a [`Line`].
///
/// ```
/// use sitemap_core::robots::lines;
///
/// let line = lines(b"Disallow: /private # not for crawlers").next().unwrap();
/// let field = line.field.unwrap();
/// assert!(field.is_key("disallow") && line.has_comment);
/// assert_eq!(field.value, b"/private");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field<'t> {
    /// The key as written.
    pub key: &'t [u8],
    /// The value as written.
    pub value: &'t [u8],
    /// `true` if white space separates the key from the value, instead of a colon.
    pub is_without_colon: bool,
}

impl Field<'_> {
    /// Returns `true` if the key starts with `name`, in upper or lower case.
    #[must_use]
    pub fn is_key(&self, name: &str) -> bool {
        self.key.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// Splits a robots.txt into lines, and the lines into keys and values, by the rules of Google's parser (see
/// [`sitemaps`]).
pub fn lines(robots_txt: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let lines = RawLines { rest: skip_byte_order_mark(robots_txt) };
    (1..).zip(lines).map(|(number, line)| read(number, line.text))
}

fn read(number: u64, line: &[u8]) -> Line<'_> {
    let is_cut = line.len() > MAX_LINE_LEN;
    let line = &line[..line.len().min(MAX_LINE_LEN)];
    let comment = line.iter().position(|&byte| byte == b'#');
    let text = trim(&line[..comment.unwrap_or(line.len())]);
    Line { number, text, has_comment: comment.is_some(), is_cut, field: split(text) }
}

/// Splits a line at its first colon. A line without a colon is split only if it consists of exactly two words.
fn split(text: &[u8]) -> Option<Field<'_>> {
    let colon = text.iter().position(|&byte| byte == b':');
    let (key, value) = if let Some(colon) = colon {
        (trim(&text[..colon]), trim(&text[colon + 1..]))
    } else {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let blank = text.iter().position(is_blank)?;
        let value = trim(&text[blank..]);
        if value.iter().any(is_blank) {
            return None;
        }
        (&text[..blank], value)
    };
    (!key.is_empty()).then_some(Field { key, value, is_without_colon: colon.is_none() })
}

/// Returns the value of a line, or `None` if the line does not name a sitemap.
pub(super) fn sitemap_value(line: &[u8]) -> Option<&[u8]> {
    sitemap_of(read(0, line))
}

fn sitemap_of(line: Line<'_>) -> Option<&[u8]> {
    line.field.filter(|field| field.is_key("sitemap") || field.is_key("site-map")).map(|field| field.value)
}

/// Trims white space, as defined by C's `isspace`, from both ends.
fn trim(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Removes a byte order mark, even if it is incomplete.
fn skip_byte_order_mark(text: &[u8]) -> &[u8] {
    let len = text.iter().zip(b"\xEF\xBB\xBF").take_while(|(found, mark)| found == mark).count();
    &text[len..]
}

/// A line with its line ending.
pub(super) struct RawLine<'t> {
    pub(super) text: &'t [u8],
    pub(super) end: &'t [u8],
}

/// The lines of a string.
pub(super) struct RawLines<'t> {
    pub(super) rest: &'t [u8],
}

impl<'t> Iterator for RawLines<'t> {
    type Item = RawLine<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let len = end.unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(len);
        let end = match rest {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        let (end, rest) = rest.split_at(end);
        self.rest = rest;
        Some(RawLine { text, end })
    }
}
