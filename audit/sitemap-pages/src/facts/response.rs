//! The response that a page's facts are read from.

/// The response to a request for one page, after all redirects.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Response};
///
/// let headers = &[("Content-Type", "text/html; charset=utf-8")];
/// let mut response = Response::new("https://example.com/oak/", 200, headers, b"<title>Oak</title>");
/// response.requested = "https://example.com/oak";
/// assert_eq!(PageFacts::of(&response).title.as_deref(), Some("Oak"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Response<'a> {
    /// The URL that was requested first.
    pub requested: &'a str,
    /// The URL that responded, after all redirects.
    pub url: &'a str,
    /// The status code.
    pub status: u16,
    /// The names and values of the headers, in order. Names can be in any case.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body, decompressed.
    pub body: &'a [u8],
    /// Whether the body was truncated when it was read.
    pub is_cut: bool,
}

impl<'a> Response<'a> {
    /// Creates a response to a request that was not redirected, with its complete body.
    pub fn new(url: &'a str, status: u16, headers: &'a [(&'a str, &'a str)], body: &'a [u8]) -> Self {
        Self { requested: url, url, status, headers, body, is_cut: false }
    }

    /// Returns the values of all headers with this name.
    pub(super) fn all(&self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers
            .iter()
            .filter(move |(found, _)| found.eq_ignore_ascii_case(name))
            .map(|&(_, value)| value)
    }

    /// Returns `true` if the body is only part of the page: the status is 206, although the whole page was requested,
    /// and `Content-Range` doesn't cover all bytes.
    ///
    /// Source: RFC 9110, sections 14.4 and 15.3.7.
    pub(super) fn is_part(&self) -> bool {
        let is_whole = |range: &str| {
            let (first, rest) = range.trim().strip_prefix("bytes ")?.split_once('-')?;
            let (last, length) = rest.split_once('/')?;
            let number = |text: &str| text.trim().parse::<u64>().ok();
            Some(number(first)? == 0 && number(last)?.checked_add(1)? == number(length)?)
        };
        self.status == 206 && self.first("content-range").and_then(is_whole) != Some(true)
    }

    /// Returns the value of the first header with this name.
    pub(super) fn first(&self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }
}
