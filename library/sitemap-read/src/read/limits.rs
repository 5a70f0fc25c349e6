//! The limits and options of a reader.

/// The limits of a reader.
///
/// A malicious sitemap of a few kilobytes can decompress to gigabytes or nest a million elements. When a document
/// exceeds a limit, the reader stops with an error that names the limit. Entries returned before the error remain
/// valid.
///
/// ```
/// use sitemap_read::{ReadLimits, ReadOptions, SitemapReader};
///
/// let mut limits = ReadLimits::default();
/// limits.entries = 1;
/// let options = ReadOptions::new().limits(limits);
/// let urls = b"https://example.com/a\nhttps://example.com/b\n";
/// let mut reader = SitemapReader::from_slice_with(urls, options);
///
/// assert_eq!(reader.next()?.unwrap().loc(), "https://example.com/a");
/// assert_eq!(
///     reader.next().unwrap_err().to_string(),
///     "the document exceeds the limit `entries` of 1 at 2:1; raise `ReadLimits::entries` if you trust the document",
/// );
/// # Ok::<(), sitemap_read::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLimits {
    /// The maximum size of a document before decompression, in bytes. Default: 52,428,800.
    pub compressed_bytes: u64,
    /// The maximum size of a document after decompression, in bytes. Default: 52,428,800, the protocol's limit.
    pub bytes: u64,
    /// The maximum ratio of a document's decompressed size to its compressed size. Default: 500. Applies only to
    /// documents of more than 1 MiB after decompression.
    pub expansion: u64,
    /// The maximum number of entries in a document, valid and invalid. Default: 1,000,000. A file that exceeds the
    /// protocol's limit of 50,000 entries gets a finding, not an error.
    pub entries: u64,
    /// The maximum size of one entry in bytes, including its extensions. Default: 8 MiB. When reading a stream, the
    /// reader keeps one whole entry in memory, so this also limits its memory.
    pub entry_bytes: usize,
    /// The maximum nesting depth of elements. Default: 64.
    pub depth: usize,
    /// The maximum size of the text between two tags, or of a line in a text sitemap, in bytes. Default: 1 MiB.
    pub text_bytes: usize,
    /// The maximum number of attributes per element. Default: 128.
    pub attributes: usize,
    /// The maximum number of findings that are kept until [`drain_findings`](crate::SitemapReader::drain_findings) is
    /// called. Default: 1,000. Further findings are only counted.
    pub findings: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            compressed_bytes: 52_428_800,
            bytes: 52_428_800,
            expansion: 500,
            entries: 1_000_000,
            entry_bytes: 8 << 20,
            depth: 64,
            text_bytes: 1 << 20,
            attributes: 128,
            findings: 1_000,
        }
    }
}

/// The options of a reader.
///
/// ```
/// use sitemap_read::{ReadErrorKind, ReadOptions, Rule, SitemapReader};
///
/// let xml = b"<urlset><url><loc>https://example.com/</loc></url></urlset>";
/// let mut reader = SitemapReader::from_slice_with(xml, ReadOptions::new().strict(true));
/// let error = reader.next().unwrap_err();
/// assert!(
///     matches!(error.kind(), ReadErrorKind::Violation(finding) if finding.rule() == Rule::NamespaceMissing)
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ReadOptions {
    pub(super) limits: ReadLimits,
    pub(super) strict: bool,
    pub(super) keep_elements: bool,
    pub(super) no_fast_path: bool,
}

impl ReadOptions {
    /// Returns the default options: a lenient reader with the default limits that skips elements of unknown namespaces.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits. See the example of [`ReadLimits`]. Default: [`ReadLimits::default`].
    ///
    /// ```
    /// use sitemap_read::{ReadLimits, ReadOptions, SitemapReader};
    ///
    /// let mut limits = ReadLimits::default();
    /// limits.bytes = 10;
    /// let options = ReadOptions::new().limits(limits);
    /// assert!(SitemapReader::from_slice_with(b"https://example.com/\n", options).next().is_err());
    /// ```
    pub fn limits(mut self, limits: ReadLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether the reader stops at the first finding that is an [error](crate::Severity::Error). Default: `false`.
    /// See the [example](Self).
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets whether entries keep elements of unknown namespaces (see
    /// [`Entry::elements`](sitemap_core::Entry::elements)). Default: `false`.
    ///
    /// An element without a prefix gets the prefix `ns`. An attribute with a prefix is dropped if the prefix is
    /// undeclared, or if it is `image`, `video`, `news` or `xhtml`.
    ///
    /// ```
    /// use sitemap_read::{Item, ReadOptions, SitemapReader};
    ///
    /// let xml = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:x">
    /// <url><loc>https://example.com/</loc><x:rank>7</x:rank></url>
    /// </urlset>"#;
    /// let mut reader = SitemapReader::from_slice_with(xml, ReadOptions::new().keep_elements(true));
    /// let Some(Item::Page(page)) = reader.next()? else { unreachable!() };
    /// assert_eq!(page.entry().elements()[0].name(), "rank");
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    pub fn keep_elements(mut self, keep: bool) -> Self {
        self.keep_elements = keep;
        self
    }

    /// Reads every entry with the general parser, even entries that a faster parser could read. The results are the
    /// same, so this is only useful for tests and benchmarks.
    pub fn without_fast_path(mut self) -> Self {
        self.no_fast_path = true;
        self
    }
}
