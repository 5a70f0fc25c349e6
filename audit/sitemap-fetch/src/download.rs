//! Files to download, and the result of each download.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use sitemap_pages::visit::{Failure, Hop, Validators};

use crate::request::{Condition, HeaderStatements};

/// A file to download.
///
/// ```
/// use sitemap_fetch::Download;
///
/// let download = Download::new("https://example.com/sitemap.xml", "/tmp/sitemap.xml").accept("application/xml");
/// assert_eq!(download.url(), "https://example.com/sitemap.xml");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    pub(crate) url: String,
    pub(crate) to: PathBuf,
    pub(crate) accept: Option<String>,
    pub(crate) is_urgent: bool,
    pub(crate) condition: Option<Condition>,
}

impl Download {
    /// Creates a download from a URL to a file. The file is created or replaced once the response body starts to
    /// arrive.
    pub fn new(url: impl Into<String>, to: impl Into<PathBuf>) -> Self {
        Self { url: url.into(), to: to.into(), accept: None, is_urgent: false, condition: None }
    }

    /// Sets the `Accept` header, unless the [options](crate::FetchOptions::header) already set it. See the
    /// [example](Self).
    #[must_use]
    pub fn accept(mut self, types: impl Into<String>) -> Self {
        self.accept = Some(types.into());
        self
    }

    /// Moves the download to the front of its host's queue.
    ///
    /// ```
    /// use sitemap_fetch::Download;
    ///
    /// let robots = Download::new("https://example.com/robots.txt", "/tmp/robots.txt").urgent();
    /// assert_eq!(robots.url(), "https://example.com/robots.txt");
    /// ```
    #[must_use]
    pub fn urgent(mut self) -> Self {
        self.is_urgent = true;
        self
    }

    /// Makes the download conditional: if the validators still match, the server responds with status 304 and no file
    /// is written.
    ///
    /// `url` is the URL that sent the validators, after all redirects. They are sent only to this URL, because they
    /// mean nothing to any other.
    ///
    /// Source: RFC 9110, section 13.
    ///
    /// ```
    /// use sitemap_fetch::Download;
    /// use sitemap_pages::visit::Validators;
    ///
    /// let validators = Validators::new(Some("\"a1\"".to_owned()), None);
    /// let download = Download::new("https://example.com/sitemap.xml", "/tmp/sitemap.xml")
    ///     .unless(validators, "https://www.example.com/sitemap.xml");
    /// assert_eq!(download.url(), "https://example.com/sitemap.xml");
    /// ```
    #[must_use]
    pub fn unless(mut self, validators: Validators, url: impl Into<String>) -> Self {
        let stated = HeaderStatements::default();
        self.condition = (!validators.is_empty()).then(|| Condition { url: url.into(), validators, stated });
        self
    }

    /// Returns the URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.to
    }
}

/// The result of a download.
///
#[doc = include_str!("download_example.md")]
#[derive(Debug)]
#[non_exhaustive]
pub struct Downloaded {
    /// The URL of the last request, after all redirects.
    pub url: String,
    /// The redirects.
    pub hops: Vec<Hop>,
    /// The number of requests, including redirects and retries.
    pub requests: u32,
    /// Whether the last request sent an `Authorization` header.
    pub was_authorized: bool,
    /// The last response, or the reason why there is none.
    pub outcome: Result<DownloadResponse, DownloadError>,
}

/// The response that ended a download.
///
#[doc = include_str!("download_example.md")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DownloadResponse {
    /// The status. The file contains the body only if the status is 200.
    pub status: u16,
    /// The headers, with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The number of bytes in the file.
    pub len: u64,
}

impl DownloadResponse {
    /// Returns the first value of a header. `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// Why a download has no response, or why its body was discarded.
///
/// ```
/// use sitemap_fetch::DownloadError;
///
/// let error = DownloadError::TooLong { limit: 1_000 };
/// assert_eq!(error.to_string(), "more than 1000 bytes");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum DownloadError {
    /// The request failed.
    Failed(Failure),
    /// The body exceeds the [limit](crate::FetchOptions::max_body_bytes).
    TooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The file could not be written.
    File(std::io::Error),
}

impl fmt::Display for DownloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => failure.fmt(f),
            Self::TooLong { limit } => write!(f, "more than {limit} bytes"),
            Self::File(error) => write!(f, "cannot write the file: {error}"),
        }
    }
}

impl std::error::Error for DownloadError {}

/// Counters of a [`Downloader`](crate::Downloader).
///
#[doc = include_str!("download_example.md")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DownloadNumbers {
    /// The number of HTTP requests, including redirects and retries.
    pub requests: u64,
    /// The number of requests that were retries, after a failure or because the response asked for it.
    pub retries: u64,
}

/// The counters that a downloader shares with its driver.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) requests: AtomicU64,
    pub(crate) retries: AtomicU64,
}

/// How much of a body has been received, and the length that the server announced.
#[derive(Debug, Default)]
pub(crate) struct Size {
    pub(crate) received: AtomicU64,
    /// Zero if unknown.
    pub(crate) stated: AtomicU64,
}
