//! How a document is written: dialect, format and limits.

use super::escape::escaped;
use crate::dialect::{Dialect, Limits};
use crate::extension::{Extensions, Namespace};
use crate::stylesheet::Stylesheet;
use crate::value::LastMod;

/// How documents are written.
///
/// ```
/// use sitemap_core::{Dialect, Format, WriteOptions};
///
/// let options = WriteOptions::new().dialect(Dialect::V0_84);
/// assert_eq!(options.limits().bytes, 10_485_760);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct WriteOptions {
    dialect: Dialect,
    format: Format,
    limits: Option<Limits>,
    extensions: Extensions,
    namespaces: Vec<Namespace<'static>>,
    deprecated: bool,
    news_since: Option<LastMod>,
    stylesheet: Option<Stylesheet>,
}

/// What a file with pages looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

    /// Declares a namespace for [`Element`](crate::extension::Element)s, in place of an earlier one with its
    /// prefix. Default: none.
    ///
    /// An element must have one of these, prefix and URI.
    pub fn namespace(mut self, namespace: Namespace<'_>) -> Self {
        self.namespaces.retain(|other| other.prefix() != namespace.prefix());
        self.namespaces.push(namespace.into_owned());
        self
    }

    /// Writes also what extensions have declared deprecated: all of an [`Image`](crate::Image) but
    /// its address, and a [`Video`](crate::Video)'s category, gallery, prices, television programme
    /// and attributes of its player. Default: `false`.
    pub fn deprecated(mut self, deprecated: bool) -> Self {
        self.deprecated = deprecated;
        self
    }

    /// Leaves out the [`News`](crate::News) of articles that were first published before a moment;
    /// their pages stay. Default: all are written.
    ///
    /// Google wants articles of the last two days only, and from older ones the metadata removed. A
    /// day without a time counts until its end in UTC. To leave out the page, too, leave out the
    /// record.
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use sitemap_core::{LastMod, News, WriteOptions};
    ///
    /// let two_days_ago = LastMod::try_from(SystemTime::now() - News::FRESH)?;
    /// let options = WriteOptions::new().news_since(two_days_ago);
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn news_since(mut self, moment: impl Into<Option<LastMod>>) -> Self {
        self.news_since = moment.into();
        self
    }

    /// Has browsers show XML files by a stylesheet, as with [`Stylesheet::OWN`]. Default: none.
    ///
    /// Search engines do not look at it. It costs each file the bytes of one line.
    pub fn stylesheet(mut self, stylesheet: impl Into<Option<Stylesheet>>) -> Self {
        self.stylesheet = stylesheet.into();
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

    pub(super) fn get_namespaces(&self) -> &[Namespace<'static>] {
        &self.namespaces
    }

    pub(super) fn writes_deprecated(&self) -> bool {
        self.deprecated
    }

    pub(super) fn get_news_since(&self) -> Option<LastMod> {
        self.news_since
    }

    pub(crate) fn get_stylesheet(&self) -> Option<&Stylesheet> {
        self.stylesheet.as_ref()
    }

    /// What comes before the root element.
    pub(super) fn prolog(&self) -> String {
        let mut prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        if let Some(stylesheet) = &self.stylesheet {
            let href = escaped(stylesheet.href());
            prolog.extend(["<?xml-stylesheet type=\"text/css\" href=\"", &href, "\"?>\n"]);
        }
        prolog
    }

    pub(crate) fn get_format(&self) -> Format {
        self.format
    }
}
