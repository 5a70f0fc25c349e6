//! How a document is written: dialect, format and limits.

use crate::dialect::{Dialect, Limits};
use crate::extension::Extensions;

/// How documents are written.
///
/// ```
/// use sitemap_core::{Dialect, Format, WriteOptions};
///
/// let options = WriteOptions::new().dialect(Dialect::V0_84);
/// assert_eq!(options.limits().bytes, 10_485_760);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct WriteOptions {
    dialect: Dialect,
    format: Format,
    limits: Option<Limits>,
    extensions: Extensions,
}

/// What a file with pages looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// An XML `urlset`.
    #[default]
    Xml,
    /// One URL a line and nothing else: `lastmod`, `changefreq` and `priority` are left out.
    ///
    /// Source: [sitemaps.org, text file](https://www.sitemaps.org/protocol.html#otherformats).
    Text,
}

impl WriteOptions {
    /// XML in dialect 0.9 with its limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the dialect. Default: [`Dialect::V0_9`].
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets the format of files with pages; an index is always XML. Default: [`Format::Xml`].
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Lowers the limits. Default: the dialect's own, which no higher ones replace.
    pub fn lower_limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Declares the namespaces of these extensions, too. Default: those of the first record.
    pub fn extensions(mut self, extensions: Extensions) -> Self {
        self.extensions = extensions;
        self
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let own = self.dialect.limits();
        self.limits.map_or(own, |limits| limits.at_most(own))
    }

    pub(crate) fn get_dialect(&self) -> Dialect {
        self.dialect
    }

    pub(crate) fn get_extensions(&self) -> Extensions {
        self.extensions
    }

    pub(crate) fn get_format(&self) -> Format {
        self.format
    }
}
