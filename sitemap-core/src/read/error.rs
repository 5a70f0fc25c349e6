//! Why a document cannot be read, or not further.

use std::fmt;

use super::finding::{Finding, quoted};
use super::position::Position;

/// A document that cannot be read, or not further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub(super) kind: ReadErrorKind,
    pub(super) position: Position,
}

/// What a [`ReadError`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// There is nothing but blanks.
    Empty,
    /// A web page, mostly an error page.
    Html,
    /// XML with a root element that no sitemap or feed has.
    UnknownRoot(Box<str>),
    /// Neither XML nor a list of URLs; holds how it begins.
    NotASitemap(Box<str>),
    /// Compressed, but built without the feature `gzip`.
    NoGzip,
    /// Not UTF-8, and either an unknown encoding or built without the feature `encoding`.
    Encoding(Box<str>),
    /// A limit is exceeded.
    Limit {
        /// The field of [`ReadLimits`](crate::ReadLimits).
        limit: &'static str,
        /// Its value.
        most: u64,
    },
    /// What a strict reader stops at.
    Violation(Finding),
}

impl ReadError {
    /// What it is about.
    #[must_use]
    pub const fn kind(&self) -> &ReadErrorKind {
        &self.kind
    }

    /// How far reading came.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ReadErrorKind::Empty => f.write_str("document is empty; a sitemap has at least a root element"),
            ReadErrorKind::Html => f.write_str(
                "document is a web page, perhaps an error page; check the URL, found HTML instead of a sitemap",
            ),
            ReadErrorKind::UnknownRoot(name) => write!(
                f,
                "document is no sitemap; its root must be `urlset`, `sitemapindex`, `rss` or `feed`, found {}",
                quoted(name)
            ),
            ReadErrorKind::NotASitemap(start) => write!(
                f,
                "document is no sitemap; it must be XML or a list of URLs, found {}",
                quoted(start)
            ),
            ReadErrorKind::NoGzip => {
                f.write_str("document is compressed; build `sitemap-core` with the feature `gzip`")
            }
            ReadErrorKind::Encoding(name) => write!(
                f,
                "document is not UTF-8; save it as UTF-8 or build `sitemap-core` with the feature \
                 `encoding`, found {}",
                quoted(name)
            ),
            ReadErrorKind::Limit { limit, most } => write!(
                f,
                "document exceeds what a reader takes at {}; raise `ReadLimits::{limit}` if you trust it, \
                 found more than {most}",
                self.position
            ),
            ReadErrorKind::Violation(finding) => finding.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}
