//! `news:news`: an article for Google News.

use std::borrow::Cow;
use std::time::Duration;

use super::error::{ExtensionError, ExtensionErrorKind};
use super::fields::{Fields, Lent, Nested as _, Value, group};
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
    // The schema no longer has it.
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
        expected: "must be exchanges and symbols; write them like `NASDAQ:GOOG`",
    }),
    most: News::MAX_STOCK_TICKERS,
};

const PUBLICATION_NAME: Form = Form {
    takes: |name| !name.contains(['(', ')']),
    expected: "must not have parentheses; write the name alone, as on Google News",
};

const PUBLICATION_LANGUAGE: Form =
    Form { takes: is_language, expected: "must be two or three lower-case letters, `zh-cn` or `zh-tw`" };

fn is_ticker(ticker: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
    ticker.split_once(':').is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
}

fn is_language(language: &str) -> bool {
    let is_short = (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
    is_short || matches!(language, "zh-cn" | "zh-tw")
}

/// An article of the last two days.
///
/// Google wants the metadata of older articles removed, or their entries;
/// [`PublisherBuilder::news_since`](crate::publish::PublisherBuilder::news_since) does that. A file may have 1,000
/// articles, after which writers report it as full and publishers start another.
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
    /// The largest number of articles in one file.
    pub const MAX_PER_FILE: u64 = 1_000;
    /// How long an article counts as news: two days.
    pub const FRESH: Duration = Duration::from_secs(2 * 86_400);
    /// The largest number of stock tickers of one article.
    pub const MAX_STOCK_TICKERS: usize = 5;

    /// Returns an article with the values that Google requires. The date is that of its first publication.
    ///
    /// # Errors
    ///
    /// If the date names no day, or the title is empty or has a character that XML forbids.
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

    /// Sets what readers need to see the article; `None` removes it.
    ///
    /// ```
    /// # use sitemap_core::{LastMod, News};
    /// # use sitemap_core::extension::Publication;
    /// use sitemap_core::extension::news::Access;
    ///
    /// # let paper = Publication::new("The Example Times", "en")?;
    /// # let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Title")?;
    /// assert_eq!(news.with_access(Access::Registration).access(), Some(Access::Registration));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn with_access(self, access: impl Into<Option<Access>>) -> Self {
        Self(self.0.put(news::ACCESS, access.into().map(Value::from)))
    }

    /// Sets the genres; none removes the element.
    ///
    /// ```
    /// # use sitemap_core::{LastMod, News};
    /// # use sitemap_core::extension::Publication;
    /// use sitemap_core::extension::news::Genre;
    ///
    /// # let paper = Publication::new("The Example Times", "en")?;
    /// # let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Title")?;
    /// let news = news.with_genres([Genre::Opinion, Genre::Blog]);
    /// assert!(news.genres().eq([Genre::Opinion, Genre::Blog]));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn with_genres(self, genres: impl IntoIterator<Item = Genre>) -> Self {
        let genres: Vec<_> = genres.into_iter().map(Genre::as_str).collect();
        let genres = genres.join(GENRE_LIST.separator);
        Self(self.0.put(news::GENRES, (!genres.is_empty()).then(|| Value::Text(genres.into()))))
    }

    /// Sets the keywords, separated by commas.
    ///
    /// ```
    /// # use sitemap_core::{LastMod, News};
    /// # use sitemap_core::extension::Publication;
    /// # let paper = Publication::new("The Example Times", "en")?;
    /// # let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Title")?;
    /// assert_eq!(news.with_keywords("business, merger")?.keywords(), Some("business, merger"));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is empty or has a character that XML forbids.
    pub fn with_keywords(self, keywords: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(news::KEYWORDS, Value::Text(keywords.into()))?))
    }

    /// Sets up to five stock tickers, as in `NASDAQ:GOOG`; none removes the element.
    ///
    /// ```
    /// # use sitemap_core::{LastMod, News};
    /// # use sitemap_core::extension::Publication;
    /// # let paper = Publication::new("The Example Times", "en")?;
    /// # let news = News::new(paper, LastMod::date(2026, 1, 31)?, "Title")?;
    /// let news = news.with_stock_tickers(["NASDAQ:GOOG", "BOM:500325"])?;
    /// assert!(news.stock_tickers().eq(["NASDAQ:GOOG", "BOM:500325"]));
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are more than five, or one is not an exchange and a symbol with `:` between them.
    pub fn with_stock_tickers<T: AsRef<str>>(
        self,
        tickers: impl IntoIterator<Item = T>,
    ) -> Result<Self, ExtensionError> {
        Ok(Self(Lent::Owned(self.0.into_fields().with_list(news::STOCK_TICKERS, tickers)?)))
    }

    /// Returns the publication in which the article appeared.
    pub fn publication(&self) -> Publication<'_> {
        const NONE: &Fields<'static> = &Fields::new(&publication::TABLE);
        Publication::lent(self.0.group(news::PUBLICATION).unwrap_or(NONE))
    }

    /// Returns what readers need to see the article.
    #[must_use]
    pub fn access(&self) -> Option<Access> {
        self.0.text(news::ACCESS).and_then(Access::known)
    }

    /// Returns the genres.
    pub fn genres(&self) -> impl Iterator<Item = Genre> {
        self.0.items(news::GENRES).filter_map(Genre::known)
    }

    /// Returns the date of the first publication.
    #[must_use]
    pub fn publication_date(&self) -> LastMod {
        self.0.date(news::PUBLICATION_DATE).unwrap_or(LastMod::EPOCH)
    }

    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.0.text(news::TITLE).unwrap_or_default()
    }

    /// Returns the keywords, separated by commas.
    #[must_use]
    pub fn keywords(&self) -> Option<&str> {
        self.0.text(news::KEYWORDS)
    }

    /// Returns the stock tickers of the companies that the article is about.
    pub fn stock_tickers(&self) -> impl Iterator<Item = &str> {
        self.0.items(news::STOCK_TICKERS)
    }

    /// Returns `true` if all of the publication's date is before a moment.
    pub(crate) fn is_before(&self, moment: LastMod) -> bool {
        let date = self.publication_date();
        let length = if date.precision() == Precision::Day { 86_400 } else { 1 };
        date.timestamp() + length <= moment.timestamp()
    }

    pub(crate) fn fields(&self) -> &Fields<'a> {
        &self.0
    }

    /// Checks that one record may have so many articles.
    pub(crate) fn check_count(articles: u64) -> Result<(), ExtensionError> {
        if articles <= Self::MAX_PER_FILE {
            return Ok(());
        }
        let expected = format!("must not occur more than {} times in one file", Self::MAX_PER_FILE);
        let found = format!("{articles} in one record");
        Err(ExtensionError::new("news:news", ExtensionErrorKind::TooMany, expected, found))
    }
}

/// The publication in which an article appeared: its name and language.
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
    /// Returns a publication with its name on Google News, without what is in parentheses there, and its ISO 639
    /// language: two or three lower-case letters, `zh-cn` or `zh-tw`.
    ///
    /// # Errors
    ///
    /// If the name is empty, has parentheses or a character that XML forbids, or the language has another form.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        language: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&publication::TABLE)
            .with(publication::NAME, Value::Text(name.into()))?
            .with(publication::LANGUAGE, Value::Text(language.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.text(publication::NAME).unwrap_or_default()
    }

    /// Returns the language.
    #[must_use]
    pub fn language(&self) -> &str {
        self.0.text(publication::LANGUAGE).unwrap_or_default()
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
    /// A genre of an article.
    Genre of "news:genres" {
        /// An official press release.
        PressRelease = "PressRelease",
        /// An article that ridicules its subject.
        Satire = "Satire",
        /// A post on a blog.
        Blog = "Blog",
        /// An opinion from a page of its own.
        OpEd = "OpEd",
        /// Any other opinion.
        Opinion = "Opinion",
        /// Content that users wrote.
        UserGenerated = "UserGenerated",
    }
}
