//! IndexNow: telling search engines which pages changed. What is sent, and what answers mean; nothing here
//! sends anything.

mod answer;
mod error;

use std::fmt::Write as _;

pub use self::answer::IndexNowAnswer;
pub use self::error::IndexNowError;
use sitemap_core::Loc;

/// Makes the bodies of IndexNow requests for the pages of one host.
///
/// A request is `POST /indexnow` to one of the taking engines, or to `api.indexnow.org`; each passes on to
/// the others what it gets. Its content type is [`CONTENT_TYPE`](Self::CONTENT_TYPE), and
/// [`IndexNowAnswer`] says what the status of the answer means. Google does not take part.
///
/// That the sender may speak for the host, the engines see by a file on it that holds the key: see
/// [`key_url`](Self::key_url).
///
/// Source: [IndexNow documentation](https://www.indexnow.org/documentation).
///
/// ```
/// use sitemap_notify::IndexNow;
/// use sitemap_core::Loc;
///
/// let changed = [Loc::parse("https://example.com/")?, Loc::parse("https://example.com/about")?];
/// let index_now = IndexNow::new(&changed[0], "8f3b-20a1")?;
/// assert_eq!(index_now.key_url(), "https://example.com/8f3b-20a1.txt");
///
/// let mut batches = index_now.batches(changed);
/// assert_eq!(
///     batches.next().unwrap()?.body(),
///     "{\"host\":\"example.com\",\"key\":\"8f3b-20a1\",\
///      \"urlList\":[\"https://example.com/\",\"https://example.com/about\"]}"
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
    /// URLs in one request at most.
    pub const MAX_URLS: usize = 10_000;

    /// The content type of a request.
    pub const CONTENT_TYPE: &'static str = "application/json; charset=utf-8";

    /// For the host of a page, with a key that one chooses oneself: 8 to 128 of the characters
    /// `a-z A-Z 0-9 -`.
    ///
    /// # Errors
    ///
    /// [`IndexNowError::Key`] if the key is none.
    pub fn new(page: &Loc<'_>, key: &str) -> Result<Self, IndexNowError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if !(8..=128).contains(&key.len()) || !key.bytes().all(is_allowed) {
            return Err(IndexNowError::Key { found: key.chars().take(200).collect() });
        }
        Ok(Self { host: host(page).into(), key: key.into(), key_location: None })
    }

    /// Says that the key's file is in another place than the host's root. Only the pages in or below that
    /// directory can then be sent.
    ///
    /// # Errors
    ///
    /// [`IndexNowError::KeyHost`] if it is on another host.
    pub fn key_location(mut self, file: Loc<'static>) -> Result<Self, IndexNowError> {
        if *host(&file) != *self.host {
            return Err(IndexNowError::KeyHost { file: file.as_str().into(), host: self.host });
        }
        self.key_location = Some(file);
        Ok(self)
    }

    /// The host whose pages are sent, with its port if it has one.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Where a file must be served whose whole content is the [key](Self::key), as UTF-8 text.
    #[must_use]
    pub fn key_url(&self) -> String {
        match &self.key_location {
            Some(file) => file.as_str().to_owned(),
            None => format!("https://{}/{}.txt", self.host, self.key),
        }
    }

    /// The key, which is not secret.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The requests for these pages, of as many as one may have each.
    ///
    /// A page that cannot be sent, as [`check`](Self::check) finds out, is an error in place of the request;
    /// then the other pages that were meant for it are not sent, either.
    pub fn batches<'u, I>(&self, pages: I) -> IndexNowBatches<'_, I::IntoIter>
    where
        I: IntoIterator<Item = Loc<'u>>,
    {
        IndexNowBatches { index_now: self, pages: pages.into_iter() }
    }

    /// Whether a page can be sent: it is on the host, by http or https, and below the directory of the
    /// [key's file](Self::key_location).
    ///
    /// # Errors
    ///
    /// [`IndexNowError::PageHost`] or [`IndexNowError::OutsideKeyDirectory`].
    pub fn check(&self, page: &Loc<'_>) -> Result<(), IndexNowError> {
        if *host(page) != *self.host {
            return Err(IndexNowError::PageHost { page: page.as_str().into(), host: self.host.clone() });
        }
        let Some(file) = &self.key_location else { return Ok(()) };
        let file_path = path(file);
        let directory = &file_path[..file_path.rfind('/').map_or(0, |slash| slash + 1)];
        if path(page).starts_with(directory) {
            return Ok(());
        }
        Err(IndexNowError::OutsideKeyDirectory { page: page.as_str().into(), file: file.as_str().into() })
    }

    fn begin_body(&self) -> String {
        // Neither hosts nor keys nor addresses have characters that JSON would have escaped.
        let mut body = format!("{{\"host\":\"{}\",\"key\":\"{}\",", self.host, self.key);
        if let Some(file) = &self.key_location {
            // A `String` takes everything.
            let _ = write!(body, "\"keyLocation\":\"{file}\",");
        }
        body.push_str("\"urlList\":[");
        body
    }
}

/// The requests for a number of pages, one after the other; made by [`IndexNow::batches`].
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing until they are asked for items"]
pub struct IndexNowBatches<'i, I> {
    index_now: &'i IndexNow,
    pages: I,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexNowBatch {
    body: String,
    urls: usize,
}

impl IndexNowBatch {
    /// What is sent: a JSON object.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// How many URLs it has: 1 to 10,000.
    #[must_use]
    pub fn urls(&self) -> usize {
        self.urls
    }
}

impl<'u, I: Iterator<Item = Loc<'u>>> Iterator for IndexNowBatches<'_, I> {
    type Item = Result<IndexNowBatch, IndexNowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut batch = IndexNowBatch { body: self.index_now.begin_body(), urls: 0 };
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

/// What is between `//` and the path.
fn host<'l>(loc: &'l Loc<'_>) -> &'l str {
    let rest = after_scheme(loc);
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

/// What is after the host.
fn path<'l>(loc: &'l Loc<'_>) -> &'l str {
    &after_scheme(loc)[host(loc).len()..]
}

fn after_scheme<'l>(loc: &'l Loc<'_>) -> &'l str {
    loc.as_str().split_once("://").map_or("", |(_, rest)| rest)
}
