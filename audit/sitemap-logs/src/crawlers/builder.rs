//! Adds the crawlers of operators.

use std::error::Error as StdError;
use std::fmt;

use super::prefixes::{self, PrefixesError};
use super::ranges::Ranges;
use super::{Crawlers, Operator};

/// The names of the known sets of crawlers, and the tokens of each. The order is that of the documentation.
const KNOWN: [(&str, &[&str]); 3] = [
    (
        "google",
        &[
            "Googlebot",
            "Googlebot-Image",
            "Googlebot-Video",
            "Googlebot-News",
            "Storebot-Google",
            "Google-InspectionTool",
            "GoogleOther",
            "GoogleOther-Image",
            "GoogleOther-Video",
            "Google-CloudVertexBot",
        ],
    ),
    (
        "google-special",
        &["APIs-Google", "AdsBot-Google", "AdsBot-Google-Mobile", "Mediapartners-Google", "Google-Safety"],
    ),
    ("bing", &["bingbot"]),
];

/// Adds crawlers with their published IP addresses; made by [`Crawlers::builder`].
///
/// A file is JSON of the form that Google and Bing publish:
/// `{"creationTime": "…", "prefixes": [{"ipv4Prefix": "…"}, {"ipv6Prefix": "…"}]}`. Several files of the same crawlers
/// can be added.
///
/// ```
/// use sitemap_logs::Crawlers;
///
/// let bing = r#"{"prefixes": [{"ipv4Prefix": "157.55.39.0/24"}]}"#;
/// let crawlers = Crawlers::builder().bing(bing)?.build();
/// assert_eq!(crawlers.verify("157.55.39.255".parse()?, "Mozilla/5.0 (compatible; bingbot/2.0)"), Some("bingbot"));
/// assert_eq!(crawlers.verify("157.55.40.0".parse()?, "Mozilla/5.0 (compatible; bingbot/2.0)"), None);
///
/// let error = Crawlers::builder().google(r#"{"prefixes": [{"ipv4Prefix": "66.249.64.0/33"}]}"#).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the ranges of `google` have the prefix `66.249.64.0/33`, \
///      which is not an IPv4 prefix, such as `192.0.2.0/24`; download the file again"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct CrawlersBuilder {
    crawlers: Crawlers,
}

impl CrawlersBuilder {
    /// Adds Googlebot and Google's other common crawlers, with the content of `common-crawlers.json`. See the
    /// [example](Self).
    ///
    /// # Errors
    ///
    /// [`CrawlersError`] if the file does not have this form, has a malformed prefix or no prefix.
    pub fn google(self, file: &str) -> Result<Self, CrawlersError> {
        self.file("google", file)
    }

    /// Adds the crawlers of Google's products that have an agreement with the site, such as `AdsBot`, with the content of
    /// `special-crawlers.json`. See the [example](Self).
    ///
    /// # Errors
    ///
    /// [`CrawlersError`] as for [`google`](Self::google).
    pub fn google_special(self, file: &str) -> Result<Self, CrawlersError> {
        self.file("google-special", file)
    }

    /// Adds Bingbot, with the content of `bingbot.json`. See the [example](Self).
    ///
    /// # Errors
    ///
    /// [`CrawlersError`] as for [`google`](Self::google).
    pub fn bing(self, file: &str) -> Result<Self, CrawlersError> {
        self.file("bing", file)
    }

    /// Adds the crawlers of a known file: `google`, `google-special` or `bing`. So names can come from arguments.
    ///
    /// ```
    /// use sitemap_logs::Crawlers;
    ///
    /// let file = r#"{"prefixes": [{"ipv6Prefix": "2001:4860:4801:10::/64"}]}"#;
    /// let crawlers = Crawlers::builder().file("google", file)?.build();
    /// assert!(crawlers.is_verified_bot("2001:4860:4801:10::9".parse()?, "Googlebot/2.1"));
    /// assert_eq!(
    ///     Crawlers::builder().file("gogle", file).unwrap_err().to_string(),
    ///     "the crawlers `gogle` are not known; use `google`, `google-special` or `bing`"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CrawlersError`] if the name is not known, and as for [`google`](Self::google).
    pub fn file(self, name: &str, file: &str) -> Result<Self, CrawlersError> {
        match KNOWN.into_iter().find(|(known, _)| *known == name) {
            Some((_, tokens)) => self.crawler(name, tokens, file),
            None => Err(CrawlersError::new(name, Cause::Unknown)),
        }
    }

    /// Adds crawlers of another operator that publishes a file of the same form. `tokens` are the names by which their
    /// user agents begin, without the version.
    ///
    /// ```
    /// use sitemap_logs::Crawlers;
    ///
    /// let file = r#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}"#;
    /// let crawlers = Crawlers::builder().crawler("example", &["Examplebot"], file)?.build();
    /// assert_eq!(crawlers.verify("192.0.2.7".parse()?, "Examplebot/1.0"), Some("Examplebot"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CrawlersError`] if there is no token or an empty one, and as for [`google`](Self::google).
    pub fn crawler(mut self, name: &str, tokens: &[&str], file: &str) -> Result<Self, CrawlersError> {
        if tokens.is_empty() || tokens.iter().any(|token| token.trim().is_empty()) {
            return Err(CrawlersError::new(name, Cause::Token));
        }
        let prefixes =
            prefixes::read(file).map_err(|error| CrawlersError::new(name, Cause::Prefixes(error)))?;
        let mut tokens: Vec<Box<str>> = tokens.iter().map(|token| (*token).into()).collect();
        tokens.sort_by_key(|token| std::cmp::Reverse(token.len()));
        let operators = &mut self.crawlers.operators;
        match operators.iter_mut().find(|operator| *operator.name == *name && operator.tokens == tokens) {
            Some(operator) => operator.ranges.extend(prefixes),
            None => operators.push(Operator { name: name.into(), tokens, ranges: Ranges::new(prefixes) }),
        }
        Ok(self)
    }

    /// Returns the crawlers.
    #[must_use]
    pub fn build(self) -> Crawlers {
        self.crawlers
    }
}

/// An error of a file with the IP addresses of crawlers.
///
/// ```
/// use sitemap_logs::Crawlers;
///
/// let error = Crawlers::builder().google(r#"{"prefixes": []}"#).unwrap_err();
/// assert_eq!(error.name(), "google");
/// assert_eq!(error.to_string(), "the ranges of `google` have no prefix; download the file again");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlersError {
    name: Box<str>,
    cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Unknown,
    Token,
    Prefixes(PrefixesError),
}

impl CrawlersError {
    fn new(name: &str, cause: Cause) -> Self {
        Self { name: name.chars().take(200).collect(), cause }
    }

    /// Returns the name of the crawlers that the file was added for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for CrawlersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, cause } = self;
        match cause {
            Cause::Unknown => {
                write!(f, "the crawlers `{name}` are not known; use `google`, `google-special` or `bing`")
            }
            Cause::Token => {
                write!(f, "the crawlers `{name}` lack a token; give the names in their user agents")
            }
            Cause::Prefixes(error) => write!(f, "the ranges of `{name}` {error}; download the file again"),
        }
    }
}

impl StdError for CrawlersError {}
