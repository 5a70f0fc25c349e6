//! The `Sitemap:` lines of a robots.txt, as Google's parser reads them.

use std::borrow::Cow;

use crate::value::{Loc, LocError};

/// A `Sitemap:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapLine<'a> {
    line: u64,
    value: Cow<'a, str>,
}

impl SitemapLine<'_> {
    /// Which line of the file it is, counted from 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// What it says, as it stands there: not always a URL.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The sitemap's address.
    ///
    /// # Errors
    ///
    /// If the value is no absolute URL.
    pub fn loc(&self) -> Result<Loc<'_>, LocError> {
        Loc::parse(&*self.value)
    }
}

/// The sitemaps that a robots.txt names, in its order.
///
/// Reads what Google's parser reads, oddities included:
///
/// - A `#` ends the line, so an address with a fragment is cut there.
/// - The key is any that *begins* with `sitemap` or `site-map` in any case: `Sitemaps:` counts.
/// - Without a colon, two words count as key and value; but `Sitemap https://example.com/x` is split
///   at the colon there is, and its value is `//example.com/x`.
/// - Lines end with LF, CR or CRLF; of longer ones only the first 16,663 bytes are looked at; a byte
///   order mark at the start is skipped, also a part of one.
/// - The lines belong to no group and may stand anywhere.
///
/// Bytes that are not UTF-8 become U+FFFD. Crawlers read the first 500 KiB of a robots.txt; give no
/// more than you want to be read.
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
    let lines = Lines { rest: skip_mark(robots_txt) };
    (1..).zip(lines).filter_map(|(number, line)| {
        sitemap(line.text).map(|value| SitemapLine { line: number, value: String::from_utf8_lossy(value) })
    })
}

/// What a line is cut to: what the longest URL takes when it is percent-encoded, and more.
const LONGEST_LINE: usize = 2_083 * 8 - 1;

/// The value of a line, if it names a sitemap.
pub(super) fn sitemap(line: &[u8]) -> Option<&[u8]> {
    let line = &line[..line.len().min(LONGEST_LINE)];
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let line = trim(line);
    let (key, value) = if let Some(colon) = line.iter().position(|&byte| byte == b':') {
        (trim(&line[..colon]), trim(&line[colon + 1..]))
    } else {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let blank = line.iter().position(is_blank)?;
        let value = trim(&line[blank..]);
        // A third word makes it no pair.
        if value.iter().any(is_blank) {
            return None;
        }
        (&line[..blank], value)
    };
    let is_key = |name: &[u8]| key.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    (is_key(b"sitemap") || is_key(b"site-map")).then_some(value)
}

/// White space as C's `isspace` knows it.
fn trim(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Each byte of the mark is skipped as long as it is in its place.
fn skip_mark(text: &[u8]) -> &[u8] {
    let len = text.iter().zip(b"\xEF\xBB\xBF").take_while(|(found, mark)| found == mark).count();
    &text[len..]
}

/// A line and what ends it.
pub(super) struct Line<'t> {
    pub(super) text: &'t [u8],
    pub(super) end: &'t [u8],
}

pub(super) struct Lines<'t> {
    pub(super) rest: &'t [u8],
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
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
        Some(Line { text, end })
    }
}
