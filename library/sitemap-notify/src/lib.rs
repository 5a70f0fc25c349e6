//! Tells search engines which pages of a site have changed, using [IndexNow](https://www.indexnow.org/documentation).
//!
//! [`IndexNow`] builds the request bodies. Each body lists at most 10,000 URLs on one host, and contains a key that
//! proves that the sender controls the host.
//!
//! ```
//! use sitemap_core::Loc;
//! use sitemap_notify::IndexNow;
//!
//! let changed = [Loc::parse("https://example.com/")?, Loc::parse("https://example.com/about")?];
//! let index_now = IndexNow::new(&changed[0], "8f3b-20a1")?;
//!
//! // Serve a file that contains the key:
//! assert_eq!(index_now.key_url(), "https://example.com/8f3b-20a1.txt");
//!
//! // Then POST each body to https://api.indexnow.org/indexnow, as `IndexNow::CONTENT_TYPE`:
//! for request in index_now.batches(changed) {
//!     assert_eq!(
//!         request?.body(),
//!         "{\"host\":\"example.com\",\"key\":\"8f3b-20a1\",\
//!          \"urlList\":[\"https://example.com/\",\"https://example.com/about\"]}"
//!     );
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`IndexNowResponse`] explains the status of the response:
//!
//! ```
//! use sitemap_notify::IndexNowResponse;
//!
//! let refused = IndexNowResponse::from_status(403);
//! assert!(!refused.is_accepted() && !refused.is_retryable());
//! assert_eq!(
//!     refused.to_string(),
//!     "status 403: the key is refused; serve a file that contains exactly the key"
//! );
//! ```
//!
//! # Where to find what
//!
//! | task | item |
//! |---|---|
//! | put the key file elsewhere than in the host's root | [`IndexNow::key_location`] |
//! | find out before sending that a page will be refused | [`IndexNow::check`], [`IndexNowError`] |
//! | decide whether to send a request again | [`IndexNowResponse::is_retryable`] |
//! | compare two sets and send what changed, from a shell | `sitemap notify`, in the crate `sitemap-cli` |
//! | list the sitemap in robots.txt | `Summary::robots_txt`, in the crate `sitemap-core` |
//!
//! The crate has no features.
//!
//! It opens no connections, so send the bodies with any HTTP client. How you find the changed pages is also up to you.

mod error;
mod response;

use std::fmt::Write as _;

pub use self::error::IndexNowError;
pub use self::response::IndexNowResponse;
use sitemap_core::Loc;

/// Builds the bodies of IndexNow requests for the pages on one host.
///
/// Send each body as `POST /indexnow` with the content type [`CONTENT_TYPE`](Self::CONTENT_TYPE), either to one
/// participating search engine or to `api.indexnow.org`. The engines share the URLs with each other. Google does not
/// participate. [`IndexNowResponse`] explains the status of the response.
///
/// To check that the sender controls the host, the search engine fetches the file at [`key_url`](Self::key_url), which
/// must contain the key.
///
/// Source: [IndexNow documentation](https://www.indexnow.org/documentation).
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_notify::IndexNow;
///
/// let page = Loc::parse("https://example.com/about")?;
/// let index_now = IndexNow::new(&page, "8f3b-20a1")?;
/// assert_eq!(index_now.host(), "example.com");
/// assert_eq!(index_now.key(), "8f3b-20a1");
/// assert_eq!(index_now.key_url(), "https://example.com/8f3b-20a1.txt");
/// assert!(index_now.check(&page).is_ok());
///
/// let mut batches = index_now.batches([page]);
/// assert_eq!(
///     batches.next().unwrap()?.body(),
///     "{\"host\":\"example.com\",\"key\":\"8f3b-20a1\",\"urlList\":[\"https://example.com/about\"]}"
/// );
/// assert!(batches.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct IndexNow {
    host: Box<str>,
    key: Box<str>,
    key_location: Option<Loc<'static>>,
}

impl IndexNow {
    /// The maximum number of URLs in one request.
    pub const MAX_URLS: usize = 10_000;

    /// The content type of a request body.
    pub const CONTENT_TYPE: &'static str = "application/json; charset=utf-8";

    /// Creates an `IndexNow` for a page's host, with a key of your choice: 8 to 128 characters from `a-z A-Z 0-9 -`.
    ///
    /// # Errors
    ///
    /// [`IndexNowError::Key`] if the key is too short, too long, or contains any other character.
    pub fn new(page: &Loc<'_>, key: &str) -> Result<Self, IndexNowError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if !(8..=128).contains(&key.len()) || !key.bytes().all(is_allowed) {
            return Err(IndexNowError::Key { found: key.chars().take(200).collect() });
        }
        Ok(Self { host: host(page).into(), key: key.into(), key_location: None })
    }

    /// Sets the URL of the key file. Default: a file in the host's root, named after the key, such as `/8f3b-20a1.txt`.
    ///
    /// Only pages in or below the key file's directory can be sent.
    ///
    /// ```
    /// use sitemap_core::Loc;
    /// use sitemap_notify::IndexNow;
    ///
    /// let index_now = IndexNow::new(&Loc::parse("https://example.com/")?, "8f3b-20a1")?
    ///     .key_location(Loc::parse("https://example.com/shop/key.txt")?)?;
    /// assert_eq!(index_now.key_url(), "https://example.com/shop/key.txt");
    /// assert!(index_now.check(&Loc::parse("https://example.com/shop/kettle")?).is_ok());
    /// assert!(index_now.check(&Loc::parse("https://example.com/about")?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`IndexNowError::KeyOnOtherHost`] if the file is on a different host from the pages.
    pub fn key_location(mut self, file: Loc<'static>) -> Result<Self, IndexNowError> {
        if *host(&file) != *self.host {
            return Err(IndexNowError::KeyOnOtherHost { file: file.as_str().into(), host: self.host });
        }
        self.key_location = Some(file);
        Ok(self)
    }

    /// Returns the host of the pages, including the port if their URLs contain one.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the URL of the key file. The file must contain exactly the [key](Self::key), as UTF-8 text.
    #[must_use]
    pub fn key_url(&self) -> String {
        match &self.key_location {
            Some(file) => file.as_str().to_owned(),
            None => format!("https://{}/{}.txt", self.host, self.key),
        }
    }

    /// Returns the key. It is not a secret.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns an iterator over the requests for these pages. Each request has at most [`MAX_URLS`](Self::MAX_URLS)
    /// pages.
    ///
    /// If [`check`](Self::check) rejects a page, the iterator returns an error instead of the whole request with that
    /// page, and then continues with the next request.
    pub fn batches<'u, I>(&self, pages: I) -> IndexNowBatches<'_, I::IntoIter>
    where
        I: IntoIterator<Item = Loc<'u>>,
    {
        IndexNowBatches { index_now: self, pages: pages.into_iter() }
    }

    /// Checks that a page can be sent: its URL must use `http` or `https`, be on this host, and be in or below the
    /// directory of the [key file](Self::key_location).
    ///
    /// # Errors
    ///
    /// [`IndexNowError::PageOnOtherHost`] if the page is on a different host, [`IndexNowError::OutsideKeyDirectory`] if
    /// it is outside the key file's directory.
    pub fn check(&self, page: &Loc<'_>) -> Result<(), IndexNowError> {
        if *host(page) != *self.host {
            return Err(IndexNowError::PageOnOtherHost {
                page: page.as_str().into(),
                host: self.host.clone(),
            });
        }
        let Some(file) = &self.key_location else { return Ok(()) };
        let file_path = path(file);
        let file_path = &file_path[..file_path.find(['?', '#']).unwrap_or(file_path.len())];
        let directory = &file_path[..file_path.rfind('/').map_or(0, |slash| slash + 1)];
        if path(page).starts_with(directory) {
            return Ok(());
        }
        Err(IndexNowError::OutsideKeyDirectory { page: page.as_str().into(), file: file.as_str().into() })
    }

    fn body_start(&self) -> String {
        // Hosts, keys and URLs never contain a character that JSON requires to be escaped.
        let mut body = format!("{{\"host\":\"{}\",\"key\":\"{}\",", self.host, self.key);
        if let Some(file) = &self.key_location {
            // Writing to a `String` never fails.
            let _ = write!(body, "\"keyLocation\":\"{file}\",");
        }
        body.push_str("\"urlList\":[");
        body
    }
}

/// An iterator over IndexNow requests; made by [`IndexNow::batches`].
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_notify::{IndexNow, IndexNowBatch};
///
/// let pages: Vec<_> =
///     (0..12_000).map(|id| Loc::parse(format!("https://example.com/{id}"))).collect::<Result<_, _>>()?;
/// let index_now = IndexNow::new(&pages[0], "8f3b-20a1")?;
/// let batches: Vec<IndexNowBatch> = index_now.batches(pages).collect::<Result<_, _>>()?;
/// assert_eq!([batches[0].urls(), batches[1].urls()], [10_000, 2_000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct IndexNowBatches<'i, I> {
    index_now: &'i IndexNow,
    pages: I,
}

/// One IndexNow request; made by [`IndexNow::batches`].
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_notify::IndexNow;
///
/// let page = Loc::parse("https://example.com/")?;
/// let batch = IndexNow::new(&page, "8f3b-20a1")?.batches([page]).next().unwrap()?;
/// assert_eq!(batch.urls(), 1);
/// assert!(batch.body().ends_with("\"urlList\":[\"https://example.com/\"]}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexNowBatch {
    body: String,
    urls: usize,
}

impl IndexNowBatch {
    /// Returns the body to send, a JSON object.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Returns the number of URLs in the request, from 1 to 10,000.
    #[must_use]
    pub fn urls(&self) -> usize {
        self.urls
    }
}

impl<'u, I: Iterator<Item = Loc<'u>>> Iterator for IndexNowBatches<'_, I> {
    type Item = Result<IndexNowBatch, IndexNowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut batch = IndexNowBatch { body: self.index_now.body_start(), urls: 0 };
        let mut refused = None;
        for page in self.pages.by_ref().take(IndexNow::MAX_URLS) {
            if let Err(error) = self.index_now.check(&page) {
                refused.get_or_insert(error);
            }
            if batch.urls > 0 {
                batch.body.push(',');
            }
            let _ = write!(batch.body, "\"{page}\"");
            batch.urls += 1;
        }
        batch.body.push_str("]}");
        match refused {
            Some(error) => Some(Err(error)),
            None => (batch.urls > 0).then_some(Ok(batch)),
        }
    }
}

/// Returns the host and port of a URL.
fn host<'l>(loc: &'l Loc<'_>) -> &'l str {
    let rest = after_scheme(loc);
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

/// Returns the path of a URL, with its query and fragment.
fn path<'l>(loc: &'l Loc<'_>) -> &'l str {
    &after_scheme(loc)[host(loc).len()..]
}

fn after_scheme<'l>(loc: &'l Loc<'_>) -> &'l str {
    loc.as_str().split_once("://").map_or("", |(_, rest)| rest)
}
