//! The source from which the checker opens child sitemaps, such as an HTTP client or a directory.

use std::error::Error as StdError;
use std::io::{self, Read};

use sitemap_core::Loc;

/// Opens the sitemaps that an index lists, for example with an HTTP client or from a directory.
///
/// ```
/// use std::collections::HashMap;
///
/// use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, Rule, SitemapSource};
/// use sitemap_core::Loc;
///
/// /// Files by their URLs.
/// struct Files(HashMap<&'static str, &'static str>);
///
/// impl SitemapSource for Files {
///     type Content = &'static [u8];
///
///     fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
///         let file = self.0.get(loc.as_str()).ok_or_else(|| OpenError::unavailable("no such file"))?;
///         Ok(OpenedSitemap::new(loc.as_str(), file.as_bytes()))
///     }
/// }
///
/// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <sitemap><loc>https://example.com/a.xml</loc></sitemap>
/// <sitemap><loc>https://example.com/b.xml</loc></sitemap>
/// </sitemapindex>"#;
/// let mut files = Files(HashMap::from([(
///     "https://example.com/a.xml",
///     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
/// <url><loc>https://example.com/</loc></url>
/// </urlset>"#,
/// )]));
///
/// let mut checker = Checker::new(CheckOptions::new());
/// checker.check_set(OpenedSitemap::new("sitemap.xml", &index[..]), &mut files)?;
/// let report = checker.finish();
///
/// let (file, finding) = report.findings().next().unwrap();
/// assert_eq!((file.name(), finding.rule()), ("sitemap.xml", Rule::ChildMissing));
/// assert_eq!(finding.span().start.line, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SitemapSource {
    /// The reader that returns a sitemap's bytes.
    type Content: Read + Send;

    /// Opens the sitemap with this URL. `index` is the name of the index that lists it.
    ///
    /// # Errors
    ///
    /// Returns [`OpenError::Unavailable`] if the sitemap can't be opened, [`OpenError::Skip`] to skip it, and
    /// [`OpenError::Fatal`] to end the whole check.
    fn open(&mut self, loc: &Loc<'_>, index: &str) -> Result<OpenedSitemap<Self::Content>, OpenError>;

    /// Returns whether the robots.txt of `origin` has a `Sitemap:` line with the URL of `sitemap`. If so, the sitemap may
    /// list all pages of that origin, also those outside of its own directory or host. Returns `None` if the robots.txt
    /// is not known, as the default implementation does. If there is no robots.txt, the answer is `Some(false)`.
    ///
    /// `origin` is the scheme, host and port of the URLs, such as `https://example.com`. The checker calls this method
    /// at most once per sitemap and origin, and for at most 1,000 origins per sitemap. URLs of further origins are not
    /// allowed. URLs that [`CheckOptions::also_lists`](super::CheckOptions::also_lists) allows don't need a call. With
    /// [several threads](super::CheckOptions::threads), the order of calls for different sitemaps may vary.
    ///
    /// Source: [sitemaps.org, cross-submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
    fn robots_lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        let _ = (sitemap, origin);
        None
    }

    /// Called once for each sitemap that isn't an index, after it has been checked and compared with earlier ones. The
    /// calls come in the order of the report. `name` is the sitemap's name in the report.
    ///
    /// If `may_have_findings` is `false`, the report has no findings about this sitemap and won't get any. If the
    /// source keeps the sitemap's text to show the lines of findings, it can drop that text now. The default
    /// implementation does nothing.
    ///
    /// ```
    /// use sitemap_core::Loc;
    /// use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, SitemapSource};
    ///
    /// /// A source that notes which sitemaps it must keep.
    /// #[derive(Default)]
    /// struct Folder {
    ///     kept: Vec<String>,
    /// }
    ///
    /// impl SitemapSource for Folder {
    ///     type Content = &'static [u8];
    ///
    ///     fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
    ///         let text: &[u8] = match loc.as_str() {
    ///             "https://example.com/a.txt" => b"https://example.com/a\n",
    ///             _ => b"https://example.com/b#top\n",
    ///         };
    ///         Ok(OpenedSitemap::new(loc.as_str(), text))
    ///     }
    ///
    ///     fn checked(&mut self, name: &str, may_have_findings: bool) {
    ///         if may_have_findings {
    ///             self.kept.push(name.to_owned());
    ///         }
    ///     }
    /// }
    ///
    /// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <sitemap><loc>https://example.com/a.txt</loc></sitemap>
    /// <sitemap><loc>https://example.com/b.txt</loc></sitemap>
    /// </sitemapindex>"#;
    /// let (mut checker, mut folder) = (Checker::new(CheckOptions::new()), Folder::default());
    /// checker.check_set(OpenedSitemap::new("sitemap.xml", &index[..]), &mut folder)?;
    /// assert_eq!(folder.kept, ["https://example.com/b.txt"]);
    /// # Ok::<(), sitemap_read::ReadError>(())
    /// ```
    fn checked(&mut self, name: &str, may_have_findings: bool) {
        let _ = (name, may_have_findings);
    }
}

/// An opened sitemap: its bytes, its name in the report, and the URL that served it.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_read::{CheckOptions, Checker, OpenedSitemap};
///
/// let body = &b"https://example.com/shop/\n"[..];
/// let sitemap = OpenedSitemap::new("shop.txt", body)
///     .served_at(Loc::parse("https://example.com/shop/sitemap.txt")?);
///
/// let mut checker = Checker::new(CheckOptions::new());
/// checker.check(sitemap)?;
/// let report = checker.finish();
/// assert_eq!(report.files()[0].name(), "shop.txt");
/// assert_eq!(report.files()[0].served_at().unwrap(), "https://example.com/shop/sitemap.txt");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct OpenedSitemap<R> {
    pub(super) name: Box<str>,
    pub(super) content: R,
    pub(super) served_at: Option<Loc<'static>>,
}

impl<R: Read + Send> OpenedSitemap<R> {
    /// Creates a sitemap from its name in the report and its content. The content may be compressed.
    pub fn new(name: impl Into<Box<str>>, content: R) -> Self {
        Self { name: name.into(), content, served_at: None }
    }

    /// Sets the URL that served the sitemap, after redirects. Default: the URL that the index lists, or
    /// [`CheckOptions::served_at`](super::CheckOptions::served_at) for the first document. See the [example](Self).
    pub fn served_at(mut self, loc: Loc<'_>) -> Self {
        self.served_at = Some(loc.into_owned());
        self
    }
}

/// The reason why a [`SitemapSource`] did not open a sitemap.
///
/// ```
/// use std::io;
///
/// use sitemap_read::OpenError;
///
/// fn open(path: &str) -> Result<std::fs::File, OpenError> {
///     Ok(std::fs::File::open(path)?)
/// }
///
/// assert!(matches!(open("no/such/file"), Err(OpenError::Unavailable(_))));
/// let error = OpenError::unavailable("HTTP status 404");
/// assert!(matches!(error, OpenError::Unavailable(why) if &*why == "HTTP status 404"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The sitemap doesn't exist or can't be opened. The string is the reason, which the report shows in a finding
    /// about the index.
    Unavailable(Box<str>),
    /// The check skips the sitemap without a finding. Because the sitemap may list language versions that other
    /// sitemaps link to, the check then doesn't report [`Rule::HreflangNotListed`](crate::Rule::HreflangNotListed).
    Skip,
    /// The sitemap is an index that lists itself, directly or through other indexes. The checker detects such loops
    /// itself if it knows the first index's URL. Return this error for loops that only the source can see, for example
    /// by file path.
    Loop,
    /// An error that ends the whole check.
    Fatal(Box<dyn StdError + Send + Sync>),
}

impl OpenError {
    /// Creates an [`Unavailable`](Self::Unavailable) error with a reason such as `HTTP status 404`.
    pub fn unavailable(why: impl Into<Box<str>>) -> Self {
        Self::Unavailable(why.into())
    }
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Unavailable(error.to_string().into())
    }
}

/// Answers questions about robots.txt while a document is read.
pub(super) trait RobotsLines {
    /// See [`SitemapSource::robots_lists`].
    fn lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool>;
}

impl<S: SitemapSource> RobotsLines for S {
    fn lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        self.robots_lists(sitemap, origin)
    }
}

/// A source without sitemaps, for documents that are checked alone.
pub(super) struct NoSource;

impl SitemapSource for NoSource {
    type Content = io::Empty;

    fn open(&mut self, _: &Loc<'_>, _: &str) -> Result<OpenedSitemap<io::Empty>, OpenError> {
        Err(OpenError::Skip)
    }
}
