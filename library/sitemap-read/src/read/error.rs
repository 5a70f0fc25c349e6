//! Errors that end the reading of a document.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use super::finding::{Finding, quoted};
use super::position::Position;

/// An error that ends the reading of a document.
///
/// The error is one pointer wide. Match on its [`kind`](ReadError::kind) to tell the causes apart.
///
/// ```
/// use sitemap_read::{ReadErrorKind, SitemapReader};
///
/// let error = SitemapReader::from_slice(b"<!DOCTYPE html><html></html>").next().unwrap_err();
/// assert!(matches!(error.kind(), ReadErrorKind::Html));
/// assert_eq!(error.position().to_string(), "1:1");
/// assert_eq!(error.to_string(), "the document is a web page, perhaps an error page; check its URL");
/// ```
pub struct ReadError(Box<Inner>);

struct Inner {
    kind: ReadErrorKind,
    position: Position,
}

/// The cause of a [`ReadError`].
///
/// ```
/// use sitemap_read::{ReadErrorKind, ReadLimits, ReadOptions, SitemapReader};
///
/// let mut limits = ReadLimits::default();
/// limits.bytes = 10;
/// let options = ReadOptions::new().limits(limits);
/// let error = SitemapReader::from_slice_with(b"https://example.com/\n", options).next().unwrap_err();
/// assert!(matches!(error.into_kind(), ReadErrorKind::Limit { limit: "bytes", max: 10 }));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The document is empty or contains only white space.
    Empty,
    /// The document is a web page, often an error page.
    Html,
    /// The document is XML, but not a sitemap or feed. The string is the name of its root element.
    UnknownRoot(Box<str>),
    /// The document is neither XML with a root element nor a list of URLs. The string shows what was found instead,
    /// usually the start of the document.
    NotASitemap(Box<str>),
    /// The document is compressed with gzip, and the feature `gzip` is off.
    NoGzip,
    /// The document is encoded in UTF-16, and the feature `encoding` is off. The string is the name of the encoding.
    Encoding(Box<str>),
    /// The document exceeds a limit.
    Limit {
        /// The name of the exceeded limit, which is a field of [`ReadLimits`](crate::ReadLimits).
        limit: &'static str,
        /// The value of this limit.
        max: u64,
    },
    /// The document is a sitemap index, which doesn't list pages. Only [`Entries`](crate::Entries) returns this error.
    Index,
    /// A strict reader stopped at this finding, the first one that is an error.
    Violation(Finding),
    /// The document's bytes could not be read because of this I/O error.
    Io(io::Error),
    /// [`SitemapReader::document`](crate::SitemapReader::document) was called after an error.
    Aborted,
    /// A [`SitemapSource`](crate::SitemapSource) ended the check with this error.
    Source(Box<dyn StdError + Send + Sync>),
}

impl ReadError {
    #[cold]
    pub(crate) fn new(kind: ReadErrorKind, position: Position) -> Self {
        Self(Box::new(Inner { kind, position }))
    }

    /// Returns the cause of the error.
    #[must_use]
    pub const fn kind(&self) -> &ReadErrorKind {
        &self.0.kind
    }

    /// Converts the error into its cause, for example to take ownership of an I/O error.
    #[must_use]
    pub fn into_kind(self) -> ReadErrorKind {
        self.0.kind
    }

    /// Returns the position where reading stopped. For a [`ReadErrorKind::Violation`], this is the start of the
    /// finding's span.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.0.position
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ReadErrorKind::Empty => f.write_str("the document is empty; write at least the root element"),
            ReadErrorKind::Html => {
                f.write_str("the document is a web page, perhaps an error page; check its URL")
            }
            ReadErrorKind::UnknownRoot(name) => write!(
                f,
                "the document is not a sitemap, found the root element {}; use `urlset`, `sitemapindex`, `rss` \
                 or `feed`",
                quoted(name)
            ),
            ReadErrorKind::NotASitemap(start) => {
                write!(f, "the document is not a sitemap, found {}; use XML or a list of URLs", quoted(start))
            }
            ReadErrorKind::NoGzip => {
                f.write_str("the document is compressed; build `sitemap-read` with the feature `gzip`")
            }
            ReadErrorKind::Encoding(name) => write!(
                f,
                "the document is not UTF-8, found {}; save it as UTF-8 or build `sitemap-read` with the feature \
                 `encoding`",
                quoted(name)
            ),
            ReadErrorKind::Limit { limit, max } => write!(
                f,
                "the document exceeds the limit `{limit}` of {max} at {}; raise `ReadLimits::{limit}` if you \
                 trust the document",
                self.position()
            ),
            ReadErrorKind::Index => f.write_str(
                "the document is a sitemap index, which lists sitemaps and no pages; read it with \
                 `SitemapReader::next`",
            ),
            ReadErrorKind::Violation(finding) => finding.fmt(f),
            ReadErrorKind::Io(error) => {
                write!(f, "cannot read the document after {}: {error}", self.position())
            }
            ReadErrorKind::Aborted => f.write_str("an earlier error ended this reader; create a new reader"),
            ReadErrorKind::Source(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for ReadError {
    /// Writes the same message as `Display`, because Rust prints the `Debug` form of an error that `main` returns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for ReadError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self.kind() {
            // `Display` already prints the inner error. To avoid printing it twice, return the inner error's source.
            ReadErrorKind::Io(error) => error.source(),
            ReadErrorKind::Source(error) => error.source(),
            _ => None,
        }
    }
}
