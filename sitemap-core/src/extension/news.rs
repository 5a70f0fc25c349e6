//! `news:news`: what Google News wants to know of an article.
//!
//! [`News`] and [`Publication`] are also at the crate's root.

use std::borrow::Cow;
use std::time::Duration;

use super::error::{ExtensionError, ExtensionErrorKind, excerpt};
use super::image::owned;
use super::text::{ANY_LENGTH, checked, full_date};
use super::words::words;
use crate::value::{LastMod, Precision};

/// An article of the last two days.
///
/// Google wants the metadata, or the whole entry, removed from articles that are older.
/// [`PublisherBuilder::news_since`](crate::publish::PublisherBuilder::news_since) does that. A file may have
/// 1,000 articles; writers and publishers treat it as full then.
///
/// Source: [Google, news sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
///
/// ```
/// use sitemap_core::{LastMod, News};
/// use sitemap_core::extension::Publication;
///
/// let paper = Publication::new("The Example Times", "en")?;
/// let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Companies A, B in merger talks")?;
/// assert_eq!(news.publication().language(), "en");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct News<'a> {
    publication: Publication<'a>,
    access: Option<Access>,
    genres: Vec<Genre>,
    publication_date: LastMod,
    title: Cow<'a, str>,
    keywords: Option<Cow<'a, str>>,
    stock_tickers: Vec<Cow<'a, str>>,
}

impl<'a> News<'a> {
    /// The most articles that one file may have.
    pub const MAX_PER_FILE: u64 = 1_000;
    /// How long an article is news: two days.
    pub const FRESH: Duration = Duration::from_secs(2 * 86_400);
    /// The most stock tickers of one article.
    pub const MAX_STOCK_TICKERS: usize = 5;

    /// An article with all that Google requires; the date is when it was first published.
    ///
    /// # Errors
    ///
    /// If the date is no more than a year or month, or the title is empty or has a character that XML
    /// forbids.
    pub fn new(
        publication: Publication<'a>,
        publication_date: LastMod,
        title: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        Ok(Self {
            publication,
            access: None,
            genres: Vec::new(),
            publication_date: full_date("news:publication_date", publication_date, true)?,
            title: checked("news:title", title, ANY_LENGTH)?,
            keywords: None,
            stock_tickers: Vec::new(),
        })
    }

    /// Sets what readers need to see the article; `None` leaves it out.
    pub fn with_access(mut self, access: impl Into<Option<Access>>) -> Self {
        self.access = access.into();
        self
    }

    /// Sets what kinds of article it is; none leaves the element out.
    pub fn with_genres(mut self, genres: impl IntoIterator<Item = Genre>) -> Self {
        self.genres = genres.into_iter().collect();
        self
    }

    /// Sets keywords, separated by commas.
    ///
    /// # Errors
    ///
    /// If they are empty or have a character that XML forbids.
    pub fn with_keywords(mut self, keywords: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        self.keywords = Some(checked("news:keywords", keywords, ANY_LENGTH)?);
        Ok(self)
    }

    /// Sets up to five stock tickers, as in `NASDAQ:GOOG`; none leaves the element out.
    ///
    /// # Errors
    ///
    /// If there are more than five, or one is not an exchange and a symbol with `:` between them.
    pub fn with_stock_tickers<T: Into<Cow<'a, str>>>(
        mut self,
        tickers: impl IntoIterator<Item = T>,
    ) -> Result<Self, ExtensionError> {
        let element = "news:stock_tickers";
        let tickers: Vec<_> = tickers.into_iter().map(Into::into).collect();
        if let Some(bad) = tickers.iter().find(|ticker| !is_ticker(ticker)) {
            let expected = "must be exchanges and symbols; write them like `NASDAQ:GOOG`";
            return Err(ExtensionError::new(element, ExtensionErrorKind::Form, expected, excerpt(bad)));
        }
        if tickers.len() > Self::MAX_STOCK_TICKERS {
            let expected = format!("must not name more than {}", Self::MAX_STOCK_TICKERS);
            let found = tickers.len().to_string();
            return Err(ExtensionError::new(element, ExtensionErrorKind::TooMany, expected, found));
        }
        self.stock_tickers = tickers;
        Ok(self)
    }

    /// Where the article appeared.
    pub const fn publication(&self) -> &Publication<'a> {
        &self.publication
    }

    /// What readers need to see the article.
    #[must_use]
    pub const fn access(&self) -> Option<Access> {
        self.access
    }

    /// What kinds of article it is.
    #[must_use]
    pub fn genres(&self) -> &[Genre] {
        &self.genres
    }

    /// When it was first published.
    #[must_use]
    pub const fn publication_date(&self) -> LastMod {
        self.publication_date
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its keywords, separated by commas.
    #[must_use]
    pub fn keywords(&self) -> Option<&str> {
        self.keywords.as_deref()
    }

    /// The companies it is about, by exchange and symbol.
    pub fn stock_tickers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.stock_tickers.iter().map(|ticker| &**ticker)
    }

    /// Whether all that the date says lies before a moment.
    pub(crate) fn is_before(&self, moment: LastMod) -> bool {
        let length = if self.publication_date.precision() == Precision::Day { 86_400 } else { 1 };
        self.publication_date.timestamp() + length <= moment.timestamp()
    }

    /// The same article, independent of what it was made from.
    pub fn into_owned(self) -> News<'static> {
        News {
            publication: self.publication.into_owned(),
            access: self.access,
            genres: self.genres,
            publication_date: self.publication_date,
            title: owned(self.title),
            keywords: self.keywords.map(owned),
            stock_tickers: self.stock_tickers.into_iter().map(owned).collect(),
        }
    }
}

impl News<'_> {
    /// Whether one record may have so many articles.
    pub(crate) fn check_count(articles: u64) -> Result<(), ExtensionError> {
        if articles <= Self::MAX_PER_FILE {
            return Ok(());
        }
        let expected = format!("must not stand more than {} times in one file", Self::MAX_PER_FILE);
        let found = format!("{articles} in one record");
        Err(ExtensionError::new("news:news", ExtensionErrorKind::TooMany, expected, found))
    }
}

fn is_ticker(ticker: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
    ticker.split_once(':').is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
}

/// Where an article appeared: a name and a language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Publication<'a> {
    name: Cow<'a, str>,
    language: Cow<'a, str>,
}

impl<'a> Publication<'a> {
    /// A publication by its name on Google News, without what stands there in parentheses, and its
    /// ISO 639 language: two or three lower-case letters, `zh-cn` or `zh-tw`.
    ///
    /// # Errors
    ///
    /// If the name is empty, has parentheses or a character that XML forbids, or the language is none
    /// of these.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        language: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let name = checked("news:name", name, ANY_LENGTH)?;
        if name.contains(['(', ')']) {
            let expected = "must not have parentheses; write the name alone, as on Google News";
            let found = excerpt(&name);
            return Err(ExtensionError::new("news:name", ExtensionErrorKind::Form, expected, found));
        }
        let language = language.into();
        let is_short = (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
        if !is_short && !matches!(&*language, "zh-cn" | "zh-tw") {
            let expected = "must be two or three lower-case letters, `zh-cn` or `zh-tw`";
            let found = excerpt(&language);
            return Err(ExtensionError::new("news:language", ExtensionErrorKind::Form, expected, found));
        }
        Ok(Self { name, language })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its language.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The same publication, independent of what it was made from.
    pub fn into_owned(self) -> Publication<'static> {
        Publication { name: owned(self.name), language: owned(self.language) }
    }
}

words! {
    /// What readers need to see an article.
    Access of "news:access" {
        /// A paid subscription.
        Subscription = "Subscription",
        /// A free account.
        Registration = "Registration",
    }
}

words! {
    /// A kind of article.
    Genre of "news:genres" {
        /// An official press release.
        PressRelease = "PressRelease",
        /// Ridicules its subject.
        Satire = "Satire",
        /// Published on a blog.
        Blog = "Blog",
        /// Opinion from a page of its own.
        OpEd = "OpEd",
        /// Any other opinion.
        Opinion = "Opinion",
        /// Written by users.
        UserGenerated = "UserGenerated",
    }
}
