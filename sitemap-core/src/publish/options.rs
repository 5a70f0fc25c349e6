//! The settings of a publisher.

use crate::dialect::{Dialect, Limits};
use crate::extension::{Extensions, Namespace};
use crate::stylesheet::Stylesheet;
use crate::value::LastMod;
use crate::value::Site;
use crate::write::{Format, WriteOptions};

/// What happens to a record that has an invalid value or is out of the site's scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnInvalid {
    /// The run stops with an error that names the record; the old set stays as it is.
    #[default]
    Stop,
    /// The record is left out; the [`Summary`](super::Summary) counts it and says why.
    Skip,
}

/// What the index says of when a file last changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexLastMod {
    /// When the file itself last changed, as the protocol wants it. A file that comes out of a run
    /// with the bytes it had keeps its date.
    #[default]
    FileChanged,
    /// The newest `lastmod` of the pages in the file; nothing when they have none.
    NewestPage,
    /// Nothing.
    Omit,
}

/// How the files that the index lists are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// By section and number, as `sitemap-posts-1.xml.gz`, so that a file keeps its address.
    ///
    /// A reader in the midst of a run's end, or after one that was cut off there, may find files of
    /// the new set under the old index, each of them whole. The next run finishes what one before it
    /// was cut off from.
    #[default]
    Stable,
    /// With a digest of the content, as `sitemap-posts-1-3f2a9c41.xml.gz`. Such a file never changes,
    /// so the renaming of `sitemap.xml` turns the whole old set into the whole new one.
    ///
    /// The files of the set before stay until the next change, for crawlers that still hold its
    /// index. A set of more files than one index lists is replaced index by index, `sitemap.xml` last.
    Digest,
}

/// Settings of a [`Publisher`](crate::Publisher); made by [`Publisher::builder`](crate::Publisher::builder).
#[derive(Clone, Debug)]
#[must_use]
pub struct PublisherBuilder {
    pub(super) site: Site,
    pub(super) write: WriteOptions,
    pub(super) gzip: Option<u32>,
    pub(super) on_invalid: OnInvalid,
    pub(super) index_lastmod: IndexLastMod,
    pub(super) names: Names,
    pub(super) threads: usize,
}

impl PublisherBuilder {
    /// Returns the site whose pages are published.
    #[must_use]
    pub fn site(&self) -> &Site {
        &self.site
    }

    pub(super) fn new(site: Site) -> Self {
        Self {
            site,
            write: WriteOptions::new(),
            gzip: None,
            on_invalid: OnInvalid::default(),
            index_lastmod: IndexLastMod::default(),
            names: Names::default(),
            threads: 1,
        }
    }

    /// Sets the dialect of all files. Default: [`Dialect::V0_9`].
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.write = self.write.dialect(dialect);
        self
    }

    /// Sets the format of the files with pages. Default: [`Format::Xml`].
    ///
    /// A set of text files always has an index, which is XML.
    pub fn format(mut self, format: Format) -> Self {
        self.write = self.write.format(format);
        self
    }

    /// Makes smaller files than the dialect allows. Default: the dialect's limits.
    pub fn lower_limits(mut self, limits: Limits) -> Self {
        self.write = self.write.lower_limits(limits);
        self
    }

    /// Declares the namespaces of these extensions in all files. Default: in each section those of
    /// its first record.
    pub fn extensions(mut self, extensions: Extensions) -> Self {
        self.write = self.write.extensions(extensions);
        self
    }

    /// Declares a namespace for elements of one's own in all files, as
    /// [`WriteOptions::namespace`] does.
    pub fn namespace(mut self, namespace: Namespace<'_>) -> Self {
        self.write = self.write.namespace(namespace);
        self
    }

    /// Writes also what extensions have declared deprecated, as [`WriteOptions::deprecated`] does.
    /// Default: `false`.
    pub fn deprecated(mut self, deprecated: bool) -> Self {
        self.write = self.write.deprecated(deprecated);
        self
    }

    /// Leaves out the news of articles that were first published before a moment, as
    /// [`WriteOptions::news_since`] does; their pages stay. Default: all are written.
    pub fn news_since(mut self, moment: impl Into<Option<LastMod>>) -> Self {
        self.write = self.write.news_since(moment);
        self
    }

    /// Has browsers show the set's XML files by a stylesheet, as [`WriteOptions::stylesheet`] does.
    /// Default: none.
    ///
    /// [`Stylesheet::OWN`] is published beside the set, as `sitemap.css`. It stays there when it is no
    /// longer asked for, as browsers may still have files that name it.
    pub fn stylesheet(mut self, stylesheet: impl Into<Option<Stylesheet>>) -> Self {
        self.write = self.write.stylesheet(stylesheet);
        self
    }

    /// Compresses the files that the index lists, at level 5 of 9, which comes within two parts in a hundred
    /// of the size of level 6 in less time. Default: off.
    ///
    /// `sitemap.xml` itself stays plain, so that its name never changes. Limits count the bytes
    /// before compression, as the protocol does.
    #[cfg(feature = "gzip")]
    pub fn gzip(self) -> Self {
        self.gzip_level(5)
    }

    /// As [`gzip`](Self::gzip), from 0 (none) to 9 (smallest); higher levels count as 9.
    #[cfg(feature = "gzip")]
    pub fn gzip_level(mut self, level: u32) -> Self {
        self.gzip = Some(level.min(9));
        self
    }

    /// Sets what happens to invalid records. Default: [`OnInvalid::Stop`].
    pub fn on_invalid(mut self, on_invalid: OnInvalid) -> Self {
        self.on_invalid = on_invalid;
        self
    }

    /// Sets what the index says of each file's age. Default: [`IndexLastMod::FileChanged`].
    pub fn index_lastmod(mut self, index_lastmod: IndexLastMod) -> Self {
        self.index_lastmod = index_lastmod;
        self
    }

    /// Sets how the files that the index lists are called. Default: [`Names::Stable`].
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// Sets how many threads compress and store files. Default: 1, which is the caller's own.
    ///
    /// From 2 on, so many threads are begun beside the caller's, which then only makes the pages' text and
    /// waits when they are behind: at most two pieces of 512 KiB wait for each. The bytes of all
    /// files are the same for any number. It helps where the time goes into compressing.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// What the names of files with pages end with.
    pub(super) fn extension(&self) -> &'static str {
        match (self.write.get_format(), self.gzip) {
            (Format::Xml, None) => ".xml",
            (Format::Xml, Some(_)) => ".xml.gz",
            (Format::Text, None) => ".txt",
            (Format::Text, Some(_)) => ".txt.gz",
        }
    }
}
