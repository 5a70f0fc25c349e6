//! A builder that collects the crawlers of several operators.

use std::error::Error as StdError;
use std::fmt;

use super::prefixes::{self, PrefixesError};
use super::ranges::Ranges;
use super::{Crawlers, Operator};

/// The names of the known sets of crawlers and their tokens, in the order of the documentation.
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

/// Adds crawlers together with their published IP addresses. Created by [`Crawlers::builder`].
///
/// Each file is JSON in the format that Google and Bing publish:
/// `{"creationTime": "…", "prefixes": [{"ipv4Prefix": "…"}, {"ipv6Prefix": "…"}]}`. You can add several files for the
/// same crawlers.
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
    /// Adds Googlebot and Google's other common crawlers from the contents of `common-crawlers.json`. See the
    /// [example](Self).
    ///
    /// # Errors
    ///
    /// Returns a [`CrawlersError`] if the file doesn't have this format, contains a malformed prefix, or contains no
    /// prefix.
    pub fn google(self, file: &str) -> Result<Self, CrawlersError> {
        self.file("google", file)
    }

    /// Adds the crawlers of Google products that have an agreement with the site, such as `AdsBot`, from the contents
    /// of `special-crawlers.json`. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns a [`CrawlersError`] in the same cases as [`google`](Self::google).
    pub fn google_special(self, file: &str) -> Result<Self, CrawlersError> {
        self.file("google-special", file)
    }

    /// Adds Bingbot from the contents of `bingbot.json`. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns a [`CrawlersError`] in the same cases as [`google`](Self::google).
    pub fn bing(self, file: &str) -> Result<Self, CrawlersError> {
        self.file("bing", file)
    }

    /// Adds the crawlers of a known file by name: `google`, `google-special` or `bing`. Useful when the name comes from
    /// a command-line argument.
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
    /// Returns a [`CrawlersError`] if the name isn't known, and in the same cases as [`google`](Self::google).
    pub fn file(self, name: &str, file: &str) -> Result<Self, CrawlersError> {
        match KNOWN.into_iter().find(|(known, _)| *known == name) {
            Some((_, tokens)) => self.crawler(name, tokens, file),
            None => Err(CrawlersError::new(name, Cause::Unknown)),
        }
    }

    /// Adds the crawlers of another operator that publishes a file in the same format. `tokens` are the product tokens,
    /// without the version, that identify the crawlers in their user agents.
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
    /// Returns a [`CrawlersError`] if there are no tokens or a token is empty, and in the same cases as
    /// [`google`](Self::google).
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

/// The error for an unusable file of crawler IP addresses.
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

    /// Returns the name of the crawlers whose file was added.
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
