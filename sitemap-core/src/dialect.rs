//! The two dialects of the protocol: namespaces and limits, each said once.

/// Which edition of the protocol a document speaks.
///
/// | | 0.9 | 0.84 |
/// |---|---|---|
/// | published by | sitemaps.org, 2006 | Google, 2005 |
/// | URLs in a file | 50,000 | 50,000 |
/// | bytes of a file, uncompressed | 52,428,800 | 10,485,760 |
/// | sitemaps in an index | 50,000 | 1,000 |
/// | extensions | yes | no |
///
/// Write 0.9 unless a consumer asks for the older one.
///
/// Sources: [sitemaps.org](https://www.sitemaps.org/protocol.html), Google's Sitemap Protocol 0.84.
///
/// ```
/// use sitemap_core::Dialect;
///
/// assert_eq!(Dialect::default(), Dialect::V0_9);
/// assert_eq!(Dialect::V0_84.limits().bytes, 10_485_760);
/// assert_eq!(Dialect::V0_9.namespace(), "http://www.sitemaps.org/schemas/sitemap/0.9");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// sitemaps.org's 0.9, which every search engine reads.
    #[default]
    V0_9,
    /// Google's 0.84, the protocol's first edition.
    V0_84,
}

impl Dialect {
    /// Returns the edition's number: `0.9` or `0.84`.
    #[must_use]
    pub const fn version(self) -> &'static str {
        match self {
            Self::V0_9 => "0.9",
            Self::V0_84 => "0.84",
        }
    }

    /// The XML namespace of the dialect's elements.
    #[must_use]
    pub const fn namespace(self) -> &'static str {
        match self {
            Self::V0_9 => "http://www.sitemaps.org/schemas/sitemap/0.9",
            Self::V0_84 => "http://www.google.com/schemas/sitemap/0.84",
        }
    }

    /// How much one document of this dialect may hold.
    #[must_use]
    pub const fn limits(self) -> Limits {
        match self {
            Self::V0_9 => Limits { urls: 50_000, bytes: 52_428_800, sitemaps: 50_000 },
            Self::V0_84 => Limits { urls: 50_000, bytes: 10_485_760, sitemaps: 1_000 },
        }
    }
}

/// How much one document may hold. The closing tag counts; compression does not.
///
/// A dialect's own are the most that search engines accept. Lower ones make smaller files:
///
/// ```
/// use sitemap_core::Dialect;
///
/// let mut limits = Dialect::V0_9.limits();
/// limits.urls = 10_000;
/// ```
///
/// Writers take the smaller of these and the dialect's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// URLs in a urlset or text sitemap.
    pub urls: u64,
    /// Bytes of any file before compression.
    pub bytes: u64,
    /// Sitemaps in an index.
    pub sitemaps: u64,
}

impl Limits {
    /// The smaller of both, limit by limit.
    #[must_use]
    pub(crate) fn at_most(self, other: Self) -> Self {
        Self {
            urls: self.urls.min(other.urls),
            bytes: self.bytes.min(other.bytes),
            sitemaps: self.sitemaps.min(other.sitemaps),
        }
    }
}
