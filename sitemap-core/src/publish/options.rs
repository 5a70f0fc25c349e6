//! How a set is published.

use std::path::Path;

use super::publisher::Publisher;
use super::storage::Directory;
use crate::dialect::{Dialect, Limits};
use crate::error::Error;
use crate::extension::Extensions;
use crate::site::Site;
use crate::write::{Format, WriteOptions};

/// What happens to a record that has an invalid value or is out of the site's scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnInvalid {
    /// The run stops with an error that names the record; the old set stays as it is.
    #[default]
    Stop,
    /// The record is left out; the [`Summary`](super::Summary) counts it and says why.
    Skip,
}

/// What the index says of when a file last changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// Settings of a [`Publisher`]; made by [`Publisher::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct PublisherBuilder {
    pub(super) site: Site,
    pub(super) write: WriteOptions,
    pub(super) gzip: Option<u32>,
    pub(super) on_invalid: OnInvalid,
    pub(super) index_lastmod: IndexLastMod,
}

impl PublisherBuilder {
    pub(super) fn new(site: Site) -> Self {
        Self {
            site,
            write: WriteOptions::new(),
            gzip: None,
            on_invalid: OnInvalid::default(),
            index_lastmod: IndexLastMod::default(),
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

    /// Compresses the files that the index lists, at level 6 of 9. Default: off.
    ///
    /// `sitemap.xml` itself stays plain, so that its name never changes. Limits count the bytes
    /// before compression, as the protocol does.
    #[cfg(feature = "gzip")]
    pub fn gzip(self) -> Self {
        self.gzip_level(6)
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

    /// What the names of files with pages end with.
    pub(super) fn extension(&self) -> &'static str {
        match (self.write.get_format(), self.gzip) {
            (Format::Xml, None) => ".xml",
            (Format::Xml, Some(_)) => ".xml.gz",
            (Format::Text, None) => ".txt",
            (Format::Text, Some(_)) => ".txt.gz",
        }
    }

    /// Begins to publish into a directory, which is made if it is missing.
    ///
    /// Until [`Publisher::finish`], new files have temporary names; a set that is already there
    /// stays in place.
    ///
    /// # Errors
    ///
    /// If the directory cannot be made or is none.
    pub fn to_dir(self, path: impl AsRef<Path>) -> Result<Publisher, Error> {
        let directory = Directory::open(path.as_ref())?;
        Ok(Publisher::new(self, directory))
    }
}
