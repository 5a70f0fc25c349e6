//! Downloads: the files to download, and how each ended.

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
    /// Returns a download of a URL to a file. The file is created or replaced when the body of the response begins.
    pub fn new(url: impl Into<String>, to: impl Into<PathBuf>) -> Self {
        Self { url: url.into(), to: to.into(), accept: None, is_urgent: false, condition: None }
    }

    /// Sets the header `Accept`, unless the [options](crate::FetchOptions::header) set it. See the [example](Self).
    #[must_use]
    pub fn accept(mut self, types: impl Into<String>) -> Self {
        self.accept = Some(types.into());
        self
    }

    /// Starts the download before the others of its host that have not started.
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

    /// Makes the download conditional: if the file still has these validators, the response has the status 304, and no
    /// file is written.
    ///
    /// `url` is the URL that sent the validators, after all redirects. They are sent only there, because they mean
    /// nothing to another URL.
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

/// The end of a download.
///
#[doc = include_str!("download_example.md")]
#[derive(Debug)]
#[non_exhaustive]
pub struct Downloaded {
    /// The URL of the last request, after all redirects.
    pub url: String,
    /// The redirects.
    pub hops: Vec<Hop>,
    /// The number of requests, with those after redirects and failures.
    pub requests: u32,
    /// Whether the last request had a header `Authorization`.
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
    /// The status. Only with the status 200, the body is in the file.
    pub status: u16,
    /// The headers, their names in lower case.
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

/// The reason why a download has no response, or why its body was not kept.
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
    /// The body is longer than the [limit](crate::FetchOptions::max_body_bytes).
    TooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The file cannot be written.
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

/// The numbers of a [`Downloader`](crate::Downloader).
///
#[doc = include_str!("download_example.md")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DownloadNumbers {
    /// The HTTP requests, with those after redirects and failures.
    pub requests: u64,
    /// The requests that repeat an earlier one, after a failure or an answer that asks for it.
    pub retries: u64,
}

/// The counters that a downloader and its driver share.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) requests: AtomicU64,
    pub(crate) retries: AtomicU64,
}

/// The bytes of a body: those received, and the length that the server states.
#[derive(Debug, Default)]
pub(crate) struct Size {
    pub(crate) received: AtomicU64,
    /// Zero if it is not known.
    pub(crate) stated: AtomicU64,
}
