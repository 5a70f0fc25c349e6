//! `news:news`: an article for Google News.

use std::borrow::Cow;
use std::time::Duration;

use super::error::{ExtensionError, ExtensionErrorKind};
use super::fields::{Fields, Value};
use super::group::{Lent, Nested as _, group};
use super::table::{Field, Form, Item, Kind, List, Table, table};
use super::text::ANY_LENGTH;
use super::words::words;
use crate::value::{LastMod, Precision};

table!(news = "news:news" {
    PUBLICATION = Field::child("news:publication", Kind::Group(&publication::TABLE)).required(),
    ACCESS = Field::child("news:access", Kind::Word(Access::WORDS)),
    GENRES = Field::child("news:genres", Kind::List(GENRE_LIST)),
    PUBLICATION_DATE = Field::child("news:publication_date", Kind::Date { minutes: true }).required(),
    TITLE = Field::child("news:title", Kind::Text(ANY_LENGTH)).required(),
    KEYWORDS = Field::child("news:keywords", Kind::Text(ANY_LENGTH)),
    STOCK_TICKERS = Field::child("news:stock_tickers", Kind::List(TICKER_LIST)),
    // The current schema has no `news:geo_locations`, so the reader skips it.
    GEO_LOCATIONS = Field::child("news:geo_locations", Kind::Ignored),
});

table!(publication = "news:publication" {
    NAME = Field::child("news:name", Kind::Form(PUBLICATION_NAME)).required(),
    LANGUAGE = Field::child("news:language", Kind::Form(PUBLICATION_LANGUAGE)).required(),
});

const GENRE_LIST: List = List { separator: ", ", item: Item::Word(Genre::WORDS), most: usize::MAX };

const TICKER_LIST: List = List {
    separator: ", ",
    item: Item::Form(Form {
        takes: is_ticker,
        remedy: "write the exchange and the symbol, like `NASDAQ:GOOG`",
    }),
    most: News::MAX_STOCK_TICKERS,
};

const PUBLICATION_NAME: Form = Form {
    takes: |name| !name.contains(['(', ')']),
    remedy: "write the name as on Google News, without anything in parentheses",
};

const PUBLICATION_LANGUAGE: Form =
    Form { takes: is_language, remedy: "write two or three lower-case letters, `zh-cn` or `zh-tw`" };

fn is_ticker(ticker: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
    ticker.split_once(':').is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
}

fn is_language(language: &str) -> bool {
    let is_short = (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
    is_short || matches!(language, "zh-cn" | "zh-tw")
}

/// A news article that was first published in the last two days.
///
/// Google asks sites to remove older articles from the news sitemap, or at least their `news:news` elements.
/// [`SetOptions::news_since`](crate::publish::SetOptions::news_since) skips the news elements of older
/// articles. A file holds at most 1,000 articles. Once it is full, a writer returns an error, while a replacement starts
/// another file.
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
/// assert_eq!(news.title(), "Companies A, B in merger talks");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct News<'a>(Lent<'a>);

group!(News of news::TABLE);

impl<'a> News<'a> {
    /// The maximum number of articles in one file.
    pub const MAX_PER_FILE: u64 = 1_000;
    /// How long an article counts as news: two days.
    pub const FRESH: Duration = Duration::from_secs(2 * 86_400);
    /// The maximum number of stock tickers in one article.
    pub const MAX_STOCK_TICKERS: usize = 5;

    /// Creates an article with the values that Google requires. `publication_date` is the date when the site first
    /// published the article.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the date has no day, or if the title is blank or contains a character that XML
    /// forbids.
    pub fn new(
        publication: Publication<'a>,
        publication_date: LastMod,
        title: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&news::TABLE)
            .with(news::PUBLICATION, publication.into_value())?
            .with(news::PUBLICATION_DATE, Value::Date(publication_date))?
            .with(news::TITLE, Value::Text(title.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Sets what readers need to see the article: a subscription or a registration. `None` removes the value and opens
    /// the article to everyone.
    pub fn with_access(self, access: impl Into<Option<Access>>) -> Self {
        Self(self.0.put(news::ACCESS, access.into().map(Value::from)))
    }

    /// Sets the genres. An empty list removes the value.
    pub fn with_genres(self, genres: impl IntoIterator<Item = Genre>) -> Self {
        let genres: Vec<_> = genres.into_iter().map(Genre::as_str).collect();
        let genres = genres.join(GENRE_LIST.separator);
        Self(self.0.put(news::GENRES, (!genres.is_empty()).then(|| Value::Text(genres.into()))))
    }

    /// Sets the keywords as one string, separated by commas.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the string is blank or contains a character that XML forbids.
    pub fn with_keywords(self, keywords: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(news::KEYWORDS, Value::Text(keywords.into()))?))
    }

    /// Sets up to five stock tickers, such as `NASDAQ:GOOG`. An empty list removes the value.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if there are more than five stock tickers, or if a ticker does not have the form
    /// `exchange:symbol`.
    pub fn with_stock_tickers<T: AsRef<str>>(
        self,
        tickers: impl IntoIterator<Item = T>,
    ) -> Result<Self, ExtensionError> {
        Ok(Self(Lent::Owned(self.0.into_fields().with_list(news::STOCK_TICKERS, tickers)?)))
    }

    /// Returns the publication that the article appears in.
    pub fn publication(&self) -> Publication<'_> {
        const NONE: &Fields<'static> = &Fields::new(&publication::TABLE);
        Publication::lent(self.0.group(news::PUBLICATION).unwrap_or(NONE))
    }

    /// Returns what readers need to see the article: a subscription or a registration. `None` means that the article is
    /// open to everyone.
    #[must_use]
    pub fn access(&self) -> Option<Access> {
        self.0.text(news::ACCESS).and_then(Access::known)
    }

    /// Returns the genres of the article.
    pub fn genres(&self) -> impl Iterator<Item = Genre> {
        self.0.items(news::GENRES).filter_map(Genre::known)
    }

    /// Returns the date when the site first published the article. `None` if the article was
    /// [read](crate::extension#elements-of-documents) from a document without a valid date for it.
    #[must_use]
    pub fn publication_date(&self) -> Option<LastMod> {
        self.0.date(news::PUBLICATION_DATE)
    }

    /// Returns the title of the article.
    #[must_use]
    pub fn title(&self) -> &str {
        self.0.text(news::TITLE).unwrap_or_default()
    }

    /// Returns the keywords as one string, separated by commas.
    #[must_use]
    pub fn keywords(&self) -> Option<&str> {
        self.0.text(news::KEYWORDS)
    }

    /// Returns the stock tickers of the companies in the article.
    pub fn stock_tickers(&self) -> impl Iterator<Item = &str> {
        self.0.items(news::STOCK_TICKERS)
    }

    /// Returns `true` if the article was published before `moment`. A publication date without a time counts as the end
    /// of that day.
    pub(crate) fn is_before(&self, moment: LastMod) -> bool {
        self.publication_date().is_some_and(|date| {
            let length = if date.precision() == Precision::Day { 86_400 } else { 1 };
            date.timestamp() + length <= moment.timestamp()
        })
    }

    pub(crate) fn fields(&self) -> &Fields<'a> {
        &self.0
    }

    /// Checks that the articles of one record fit into one file.
    pub(crate) fn check_count(articles: u64) -> Result<(), ExtensionError> {
        if articles <= Self::MAX_PER_FILE {
            return Ok(());
        }
        let found = format!("occurs {articles} times in one record");
        let remedy = format!("use at most {}, the limit of a file", Self::MAX_PER_FILE);
        Err(ExtensionError::new("news:news", ExtensionErrorKind::TooMany, found, remedy))
    }
}

/// The publication that an article appears in, with its name and language.
///
/// ```
/// use sitemap_core::extension::Publication;
///
/// let paper = Publication::new("The Example Times", "en")?;
/// assert_eq!((paper.name(), paper.language()), ("The Example Times", "en"));
/// assert!(Publication::new("The Example Times (subscription)", "en").is_err());
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Publication<'a>(Lent<'a>);

group!(Publication of publication::TABLE);

impl<'a> Publication<'a> {
    /// Returns a publication.
    ///
    /// The name must match the publication's name on Google News, without anything in parentheses. The language is an
    /// ISO 639 code of two or three lower-case letters, or `zh-cn` (simplified Chinese) or `zh-tw` (traditional
    /// Chinese).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the name is blank, or contains parentheses or a character that XML forbids, or
    /// if the language has none of these forms.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        language: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&publication::TABLE)
            .with(publication::NAME, Value::Text(name.into()))?
            .with(publication::LANGUAGE, Value::Text(language.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns the name of the publication.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.text(publication::NAME).unwrap_or_default()
    }

    /// Returns the language of the publication.
    #[must_use]
    pub fn language(&self) -> &str {
        self.0.text(publication::LANGUAGE).unwrap_or_default()
    }
}

words! {
    /// What readers need to see an article: a subscription or a registration. An article that is open to everyone has
    /// no `Access`.
    ///
    /// ```
    /// use sitemap_core::extension::news::Access;
    ///
    /// assert_eq!("Registration".parse(), Ok(Access::Registration));
    /// assert_eq!(Access::Subscription.as_str(), "Subscription");
    /// ```
    Access of "news:access" {
        /// Readers need a paid subscription.
        Subscription = "Subscription",
        /// Readers need to register, for free.
        Registration = "Registration",
    }
}

words! {
    /// A genre of an article.
    ///
    /// ```
    /// use sitemap_core::extension::news::Genre;
    ///
    /// assert_eq!("OpEd".parse(), Ok(Genre::OpEd));
    /// assert_eq!(Genre::PressRelease.as_str(), "PressRelease");
    /// ```
    Genre of "news:genres" {
        /// An official press release.
        PressRelease = "PressRelease",
        /// An article that ridicules its subject for didactic purposes.
        Satire = "Satire",
        /// An article on a blog or in blog format.
        Blog = "Blog",
        /// An opinion article from the site's Op-Ed section.
        OpEd = "OpEd",
        /// Any other opinion article.
        Opinion = "Opinion",
        /// Newsworthy content written by users and reviewed by editors.
        UserGenerated = "UserGenerated",
    }
}
