//! How much a reader takes before it gives up, and how it reads.

/// How much of a document a reader takes.
///
/// Sitemaps come from strangers: a few kilobytes can decompress to gigabytes or nest a million
/// elements. Reading ends with an error that names the limit; what was read until then has been
/// handed out.
///
/// ```
/// use sitemap_read::{ReadLimits, ReadOptions};
///
/// let mut limits = ReadLimits::default();
/// limits.bytes = 1 << 30;
/// let options = ReadOptions::new().limits(limits);
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLimits {
    /// Bytes of a compressed document as they come. Default: 52,428,800.
    pub compressed_bytes: u64,
    /// Bytes of the document, once decompressed. Default: 52,428,800, the protocol's limit for a file.
    pub bytes: u64,
    /// How many times larger a document may become by decompression. Default: 500. Not looked at
    /// before a document has 1 MiB.
    pub expansion: u64,
    /// Entries, good and bad. Default: 1,000,000. That a file has more than the protocol's 50,000 is
    /// a finding, not an error.
    pub entries: u64,
    /// Bytes of one entry with all that is in it. Default: 8 MiB. A reader of a stream holds one
    /// entry in memory.
    pub entry_bytes: usize,
    /// How deep elements may be nested. Default: 64.
    pub depth: usize,
    /// Bytes of one text. Default: 1 MiB.
    pub text_bytes: usize,
    /// Attributes of one element. Default: 128.
    pub attributes: usize,
    /// Findings that wait to be fetched. Default: 1,000. Further ones are counted only.
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

/// How documents are read.
///
/// ```
/// use sitemap_read::{ReadOptions, SitemapReader};
///
/// let xml = b"<urlset><url><loc>https://example.com/</loc></url></urlset>";
/// let mut reader = SitemapReader::from_slice_with(xml, ReadOptions::new().strict(true));
/// assert!(reader.next().is_err(), "no namespace");
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
    /// Lenient, with the default limits, without elements of unknown namespaces.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits. Default: [`ReadLimits::default`].
    pub fn limits(mut self, limits: ReadLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether to stop at the first finding that is an [error](crate::Severity::Error). Default: no.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether to keep elements of namespaces that this crate knows nothing of, see
    /// [`Entry::elements`](sitemap_core::Entry::elements). Default: no.
    ///
    /// A namespace without a prefix gets one. Attributes with a prefix are kept if it is declared, for
    /// another namespace than those of this crate's own extensions.
    pub fn keep_elements(mut self, keep: bool) -> Self {
        self.keep_elements = keep;
        self
    }

    /// Reads every entry by the general parser, to compare the two.
    #[doc(hidden)]
    pub fn without_fast_path(mut self) -> Self {
        self.no_fast_path = true;
        self
    }
}
