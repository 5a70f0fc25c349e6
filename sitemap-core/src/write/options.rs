//! The settings of documents, such as the dialect, the format and the limits.

use super::escape::escaped;
use crate::dialect::{Dialect, Limits};
use crate::extension::{Extensions, Namespace};
use crate::stylesheet::Stylesheet;
use crate::value::LastMod;

/// The settings of documents, such as the dialect, the format, the limits, the declared extensions and the stylesheet.
///
/// ```
/// use sitemap_core::{Dialect, Extensions, Site, SitemapWriter, Stylesheet, WriteOptions};
///
/// let mut limits = Dialect::V0_9.limits();
/// limits.urls = 1;
/// let options = WriteOptions::new()
///     .lower_limits(limits)
///     .extensions(Extensions::IMAGES)
///     .stylesheet(Stylesheet::BUILT_IN);
///
/// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
/// sitemap.add("/")?;
/// assert!(sitemap.add("/about").is_err()); // The file is full.
/// let (xml, _) = sitemap.finish()?;
/// assert_eq!(
///     String::from_utf8_lossy(&xml),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <?xml-stylesheet type="text/css" href="sitemap.css"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
/// <url><loc>https://example.com/</loc></url>
/// </urlset>
/// "#
/// );
/// # Ok::<(), sitemap_core::Error>(())
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

/// The format of a sitemap file.
///
/// ```
/// use sitemap_core::{Format, Site, SitemapWriter, WriteOptions};
///
/// assert_eq!(Format::default(), Format::Xml);
///
/// let options = WriteOptions::new().format(Format::Text);
/// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
/// sitemap.add_all(["/", "/about"])?;
/// assert_eq!(sitemap.finish()?.0, b"https://example.com/\nhttps://example.com/about\n");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An XML `urlset`.
    #[default]
    Xml,
    /// A text file with one URL per line, without `lastmod`, `changefreq`, `priority` and extensions.
    ///
    /// Source: [sitemaps.org, text file](https://www.sitemaps.org/protocol.html#otherformats).
    Text,
}

impl WriteOptions {
    /// Returns the default settings: XML in dialect 0.9, with the limits of that dialect.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the dialect. Default: [`Dialect::V0_9`].
    ///
    /// ```
    /// use sitemap_core::{Dialect, WriteOptions};
    ///
    /// let options = WriteOptions::new().dialect(Dialect::V0_84);
    /// assert_eq!(options.limits().bytes, 10_485_760);
    /// ```
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets the format of sitemaps. A sitemap index is always XML. Default: [`Format::Xml`].
    ///
    /// ```
    /// use sitemap_core::{Format, Site, SitemapWriter, WriteOptions};
    ///
    /// let options = WriteOptions::new().format(Format::Text);
    /// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
    /// sitemap.add("/about")?;
    /// assert_eq!(sitemap.finish()?.0, b"https://example.com/about\n");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Lowers the limits, as in the [example](Self). A value above the dialect's limit has no effect. Default: the
    /// limits of the dialect.
    pub fn lower_limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Declares these extensions, in addition to those that the first record may use. See the [example](Self). Default:
    /// none.
    pub fn extensions(mut self, extensions: Extensions) -> Self {
        self.extensions = extensions;
        self
    }

    /// Declares a namespace for [`Element`](crate::extension::Element)s. It replaces an earlier namespace with the same
    /// prefix. Default: none.
    ///
    /// Writing an element is an error unless its namespace is declared with the same prefix and URI.
    ///
    /// ```
    /// use sitemap_core::extension::{Element, Namespace};
    /// use sitemap_core::{Entry, Loc, Site, SitemapWriter, WriteOptions};
    ///
    /// let mobile = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/")?;
    /// let options = WriteOptions::new().namespace(mobile.clone());
    /// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
    /// let page = Entry::new(Loc::parse("https://example.com/")?);
    /// sitemap.add(&page.with_elements(vec![Element::new(mobile, "mobile")?]))?;
    /// let (xml, _) = sitemap.finish()?;
    /// assert!(String::from_utf8_lossy(&xml).contains("<loc>https://example.com/</loc><mobile:mobile/></url>"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn namespace(mut self, namespace: Namespace<'_>) -> Self {
        self.namespaces.retain(|other| other.prefix() != namespace.prefix());
        self.namespaces.push(namespace.into_owned());
        self
    }

    /// Sets whether to write values that Google has deprecated. For an [`Image`](crate::Image), these are all values
    /// except the URL. For a [`Video`](crate::Video), they are the category, the gallery, the prices, the TV show and
    /// the attributes of the player. Default: `false`.
    ///
    /// ```
    /// use sitemap_core::{Entry, Extensions, Image, Loc, Site, SitemapWriter, WriteOptions};
    ///
    /// let image = Image::new(Loc::parse("https://example.com/tea.jpg")?).with_title("Tea")?;
    /// let page = Entry::new(Loc::parse("https://example.com/")?).with_images(vec![image]);
    ///
    /// let options = WriteOptions::new().extensions(Extensions::IMAGES).deprecated(true);
    /// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
    /// sitemap.add(&page)?;
    /// let (xml, _) = sitemap.finish()?;
    /// assert!(String::from_utf8_lossy(&xml).contains("<image:title>Tea</image:title>"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn deprecated(mut self, deprecated: bool) -> Self {
        self.deprecated = deprecated;
        self
    }

    /// Omits the [news element](crate::News) of each article that was first published before this time, but keeps the
    /// article's page. Default: all news elements are written.
    ///
    /// Google expects news elements only for articles from the last two days. To follow this rule, pass
    /// `LastMod::try_from(SystemTime::now() - News::FRESH)?`. A publication date without a time counts as the end of
    /// that day in UTC. To omit the page of an old article as well, don't add its record.
    ///
    /// ```
    /// use sitemap_core::extension::Publication;
    /// use sitemap_core::{Entry, Extensions, LastMod, Loc, News, Site, SitemapWriter, WriteOptions};
    ///
    /// let paper = Publication::new("The Example Times", "en")?;
    /// let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Tea prices rise")?;
    /// let page = Entry::new(Loc::parse("https://example.com/tea")?).with_news(news);
    ///
    /// let february_3 = LastMod::date(2026, 2, 3)?;
    /// let options = WriteOptions::new().extensions(Extensions::NEWS).news_since(february_3);
    /// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
    /// sitemap.add(&page)?;
    /// let (xml, _) = sitemap.finish()?;
    /// assert!(String::from_utf8_lossy(&xml).contains("<url><loc>https://example.com/tea</loc></url>"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn news_since(mut self, moment: impl Into<Option<LastMod>>) -> Self {
        self.news_since = moment.into();
        self
    }

    /// Sets the stylesheet that browsers use to display XML files, such as [`Stylesheet::BUILT_IN`] in the
    /// [example](Self). Default: none.
    ///
    /// Search engines ignore it. The link to the stylesheet adds one line to each file.
    pub fn stylesheet(mut self, stylesheet: impl Into<Option<Stylesheet>>) -> Self {
        self.stylesheet = stylesheet.into();
        self
    }

    /// Returns the limits that apply: those of the dialect, unless [`lower_limits`](Self::lower_limits) set lower ones.
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

    /// Returns everything before the root element: the XML declaration and the link to the stylesheet, if any.
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
