//! The two dialects of the protocol, with their namespaces and limits.

/// The version of the protocol that a document follows.
///
/// | | 0.9 | 0.84 |
/// |---|---|---|
/// | published by | sitemaps.org, 2006 | Google, 2005 |
/// | URLs in a file | 50,000 | 50,000 |
/// | bytes of a file, uncompressed | 52,428,800 | 10,485,760 |
/// | child sitemaps in an index | 50,000 | 1,000 |
/// | extensions | yes | no |
///
/// Use 0.9 unless a consumer asks for 0.84.
///
/// Sources: [sitemaps.org](https://www.sitemaps.org/protocol.html), Google's Sitemap Protocol 0.84.
///
/// ```
/// use sitemap_core::Dialect;
///
/// assert_eq!(Dialect::default(), Dialect::V0_9);
/// assert_eq!(Dialect::V0_84.limits().bytes, 10_485_760);
/// assert_eq!(Dialect::V0_9.version(), "0.9");
/// assert_eq!(Dialect::V0_9.namespace(), "http://www.sitemaps.org/schemas/sitemap/0.9");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Version 0.9, published by sitemaps.org. Every search engine reads it.
    #[default]
    V0_9,
    /// Version 0.84, the first version, published by Google.
    V0_84,
}

impl Dialect {
    /// Returns the version number of the dialect: `0.9` or `0.84`.
    #[must_use]
    pub const fn version(self) -> &'static str {
        match self {
            Self::V0_9 => "0.9",
            Self::V0_84 => "0.84",
        }
    }

    /// Returns the XML namespace of the dialect's elements.
    #[must_use]
    pub const fn namespace(self) -> &'static str {
        match self {
            Self::V0_9 => "http://www.sitemaps.org/schemas/sitemap/0.9",
            Self::V0_84 => "http://www.google.com/schemas/sitemap/0.84",
        }
    }

    /// Returns the size limits of one document in this dialect.
    #[must_use]
    pub const fn limits(self) -> Limits {
        match self {
            Self::V0_9 => Limits { urls: 50_000, bytes: 52_428_800, sitemaps: 50_000 },
            Self::V0_84 => Limits { urls: 50_000, bytes: 10_485_760, sitemaps: 1_000 },
        }
    }
}

/// The size limits of one document. Bytes are counted before compression and include the closing tag.
///
/// Search engines accept documents up to the limits of the [`Dialect`]. Lower limits split a set into smaller files. A
/// writer's limits can't exceed those of its dialect:
///
/// ```
/// use sitemap_core::{Dialect, WriteOptions};
///
/// let mut limits = Dialect::V0_9.limits();
/// limits.urls = 10_000;
/// limits.sitemaps = 1_000_000;
/// let options = WriteOptions::new().lower_limits(limits);
/// assert_eq!(options.limits().urls, 10_000);
/// assert_eq!(options.limits().sitemaps, 50_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of URLs in a urlset or text sitemap.
    pub urls: u64,
    /// The maximum size of any file in bytes, before compression.
    pub bytes: u64,
    /// The maximum number of child sitemaps in an index.
    pub sitemaps: u64,
}

impl Limits {
    /// Returns the smaller value of each limit.
    #[must_use]
    pub(crate) fn at_most(self, other: Self) -> Self {
        Self {
            urls: self.urls.min(other.urls),
            bytes: self.bytes.min(other.bytes),
            sitemaps: self.sitemaps.min(other.sitemaps),
        }
    }
}
