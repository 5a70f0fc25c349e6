//! A parsed robots.txt.

use sitemap_core::robots::{SitemapLine, sitemaps};

use super::parse::parse;
use super::rules::RuleSet;

/// The rules of a robots.txt.
///
/// ```
/// use sitemap_pages::robots::RobotsTxt;
///
/// let robots = RobotsTxt::parse(
///     b"User-agent: *\n\
///       Disallow: /search\n\
///       Disallow: /*.pdf$\n\
///       Allow: /search/about\n\
///       \n\
///       Sitemap: https://example.com/sitemap.xml\n",
/// );
/// let agent = robots.agent("sitemap");
/// assert!(agent.is_allowed("https://example.com/"));
/// assert!(agent.is_allowed("/search/about"));
/// assert_eq!(
///     agent.verdict("https://example.com/search?q=tea").to_string(),
///     "disallowed by line 2 of robots.txt, `Disallow: /search`"
/// );
/// assert_eq!(robots.sitemaps().next().unwrap().value(), "https://example.com/sitemap.xml");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsTxt {
    text: Box<[u8]>,
    ignored_bytes: u64,
    pub(super) rules: RuleSet,
}

impl RobotsTxt {
    /// How many bytes are read: 500 KiB, the minimum required by RFC 9309 and Google's limit.
    ///
    /// Download at least one byte more, so that [`ignored_bytes`](Self::ignored_bytes) can report that a file is too
    /// long.
    pub const MAX_LEN: usize = 500 * 1024;

    /// Reads a robots.txt.
    ///
    /// Any byte sequence is a valid robots.txt: meaningless lines have no effect. [`notes`](Self::notes) returns a list
    /// of such lines.
    ///
    /// Reads the first [`MAX_LEN`](Self::MAX_LEN) bytes. If the limit splits a line, the line is ignored, because half
    /// a rule can forbid or allow more than the whole one.
    pub fn parse(robots_txt: &[u8]) -> Self {
        let text = whole_lines(robots_txt);
        let ignored_bytes = (robots_txt.len() - text.len()) as u64;
        Self { text: text.into(), ignored_bytes, rules: parse(text) }
    }

    /// Returns the bytes that were read, at most [`MAX_LEN`](Self::MAX_LEN).
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns how many bytes were ignored because they come after the first [`MAX_LEN`](Self::MAX_LEN) bytes, or
    /// belong to the line that this limit splits.
    pub fn ignored_bytes(&self) -> u64 {
        self.ignored_bytes
    }

    /// Returns the sitemaps that the file names, as read by [`sitemap_core::robots::sitemaps`].
    pub fn sitemaps(&self) -> impl Iterator<Item = SitemapLine<'_>> {
        sitemaps(&self.text)
    }
}

/// Returns the lines that end within the limit.
fn whole_lines(text: &[u8]) -> &[u8] {
    let Some(next) = text.get(RobotsTxt::MAX_LEN) else { return text };
    let read = &text[..RobotsTxt::MAX_LEN];
    if is_line_end(*next) {
        return read;
    }
    let end = read.iter().rposition(|byte| is_line_end(*byte)).map_or(0, |last| last + 1);
    &read[..end]
}

/// Returns `true` for bytes that end a line.
const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
