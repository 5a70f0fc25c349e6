//! Where the sitemaps of a set come from: the caller opens them, over HTTP or from a directory.

use std::error::Error as StdError;
use std::io::{self, Read};

use sitemap_core::Loc;

/// Opens the sitemaps that an index lists. Nothing in this crate fetches anything.
///
/// ```
/// use std::collections::HashMap;
///
/// use sitemap_read::{CheckOptions, Checker, OpenError, OpenedSitemap, Rule, SitemapSource};
/// use sitemap_core::Loc;
///
/// /// Files by their addresses.
/// struct Files(HashMap<&'static str, &'static str>);
///
/// impl SitemapSource for Files {
///     type Content = &'static [u8];
///
///     fn open(&mut self, loc: &Loc<'_>) -> Result<OpenedSitemap<Self::Content>, OpenError> {
///         let file = self.0.get(loc.as_str()).ok_or_else(|| OpenError::missing("no such file"))?;
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
    /// What a sitemap is read from.
    type Content: Read + Send;

    /// Opens the sitemap of an address.
    ///
    /// # Errors
    ///
    /// [`OpenError`] says whether the sitemap is at fault, is not wanted, or all of the check must
    /// end.
    fn open(&mut self, loc: &Loc<'_>) -> Result<OpenedSitemap<Self::Content>, OpenError>;

    /// Whether a host agrees to have its pages listed in a sitemap of another one: whether its
    /// robots.txt has a `Sitemap:` line with the sitemap's address. Default: no.
    ///
    /// `origin` is the scheme and host, as in `https://example.com`. Asked once for each sitemap and
    /// origin, and not for what [`CheckOptions::also_lists`](super::CheckOptions::also_lists) allows.
    fn consents(&mut self, sitemap: &Loc<'_>, origin: &str) -> bool {
        let _ = (sitemap, origin);
        false
    }
}

/// A sitemap that is ready to be read.
#[derive(Clone, Debug)]
#[must_use]
pub struct OpenedSitemap<R> {
    pub(super) name: Box<str>,
    pub(super) content: R,
    pub(super) served_at: Option<Loc<'static>>,
}

impl<R: Read + Send> OpenedSitemap<R> {
    /// A sitemap by the name that the report gives it, and its bytes, compressed or not.
    pub fn new(name: impl Into<Box<str>>, content: R) -> Self {
        Self { name: name.into(), content, served_at: None }
    }

    /// Sets where it was found in the end, after redirects. Default: the address that was asked for.
    pub fn served_at(mut self, loc: Loc<'_>) -> Self {
        self.served_at = Some(loc.into_owned());
        self
    }
}

/// Why a sitemap was not opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// It is not there or cannot be had, for this reason: a finding of its index.
    Missing(Box<str>),
    /// The caller does not want it to be checked.
    Skip,
    /// Checking ends.
    Fatal(Box<dyn StdError + Send + Sync>),
}

impl OpenError {
    /// It is not there, for this reason, as in `HTTP status 404`.
    pub fn missing(why: impl Into<Box<str>>) -> Self {
        Self::Missing(why.into())
    }
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Missing(error.to_string().into())
    }
}

/// The source of what is no index.
pub(super) struct NoSource;

impl SitemapSource for NoSource {
    type Content = io::Empty;

    fn open(&mut self, _: &Loc<'_>) -> Result<OpenedSitemap<io::Empty>, OpenError> {
        Err(OpenError::Skip)
    }
}
