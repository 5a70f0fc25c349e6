//! A row of the manifest, which describes one file.

use std::sync::Arc;
use std::time::SystemTime;

use super::digest::Digest;
use super::names;
use crate::storage::Metadata;
use crate::value::LastMod;

/// The description of a file in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: Arc<str>,
    /// The section of a file that contains pages. `None` for an index.
    pub(crate) section: Option<Arc<str>>,
    /// The number of hash buckets of the section, if the file is a shard.
    pub(crate) buckets: Option<u32>,
    pub(crate) kind: Kind,
    /// The number of URLs in a file that contains pages, child sitemaps in an index, entries in the recent section, or
    /// changes in the feed. 0 for the HTML page.
    pub(crate) entries: u64,
    /// The size in bytes before compression.
    pub(crate) bytes: u64,
    pub(crate) digest: Digest,
    /// The newest `lastmod` of the pages in the file.
    pub(crate) newest: Option<LastMod>,
    /// `true` if all pages are in the hash bucket of their URL.
    pub(crate) by_url: bool,
    /// The digest of the rows that the shard's hash bucket was written from, if its writer set one.
    pub(crate) source: Option<Digest>,
    /// When the file last changed. The index can use this time as the `lastmod` of the file.
    pub(crate) changed: SystemTime,
    /// The metadata of the file in its storage. If the storage later returns different metadata, another program has
    /// changed the file.
    pub(crate) metadata: Metadata,
    /// The temporary name of a new file. `None` in the manifest of a published set, because its files have their final
    /// names.
    pub(crate) staged: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pages,
    Index,
    /// The only file of the [recent section](names::RECENT). Its pages aren't counted, because other files contain them
    /// too.
    Recent,
    /// The feed, in the file [`names::FEED`].
    Feed,
    /// The HTML page, in the file [`HtmlPage::FILE_NAME`](crate::html_page::HtmlPage::FILE_NAME).
    HtmlPage,
}

impl Row {
    /// Returns the section of a file that contains pages.
    pub(crate) fn section(&self) -> Option<&str> {
        self.section.as_deref()
    }

    /// Returns `true` for an index or the entry point. Crawlers read these files first, so a run replaces them after
    /// the files that they list.
    pub(crate) fn is_top_level(&self) -> bool {
        self.kind == Kind::Index || *self.name == *names::ENTRY_POINT
    }
}
