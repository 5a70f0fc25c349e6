//! Deprecated values of a video. Search engines no longer read them, and they are written only on request.

use std::borrow::Cow;

use crate::extension::error::ExtensionError;
use crate::extension::fields::{Fields, Value};
use crate::extension::group::{Lent, group};
use crate::extension::table::{Field, Form, Kind, Table, table};
use crate::extension::text::ANY_LENGTH;
use crate::extension::words::words;
use crate::value::{LastMod, Loc};

table!(gallery = "video:gallery_loc" {
    LOC = Field::text("video:gallery_loc", "loc", Kind::Loc).required(),
    TITLE = Field::attribute("video:gallery_loc title", Kind::Text(ANY_LENGTH)),
});

table!(price = "video:price" {
    AMOUNT = Field::text("video:price", "amount", Kind::Form(DECIMAL)).needs(CURRENCY),
    CURRENCY = Field::attribute("video:price currency", Kind::Form(CURRENCY_CODE)).needs(AMOUNT),
    TYPE = Field::attribute("video:price type", Kind::Word(PriceKind::WORDS)),
    RESOLUTION = Field::attribute("video:price resolution", Kind::Word(Resolution::WORDS)),
} AMOUNT | TYPE);

table!(tv_show = "video:tvshow" {
    SHOW_TITLE = Field::child("video:show_title", Kind::Text(ANY_LENGTH)).required(),
    VIDEO_TYPE = Field::child("video:video_type", Kind::Word(TvShowKind::WORDS)).required(),
    EPISODE_TITLE = Field::child("video:episode_title", Kind::Text(ANY_LENGTH)),
    SEASON_NUMBER = Field::child("video:season_number", ORDINAL),
    EPISODE_NUMBER = Field::child("video:episode_number", ORDINAL),
    PREMIER_DATE = Field::child("video:premier_date", Kind::Date { minutes: false }),
});

const DECIMAL: Form = Form { takes: is_decimal, remedy: "write a decimal number like `1.99`" };

const CURRENCY_CODE: Form = Form {
    takes: |currency| currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase()),
    remedy: "write three upper-case letters, like `EUR`",
};

const ORDINAL: Kind = Kind::Number { least: 1, most: u32::MAX as u64, remedy: "use 1 to 4294967295" };

fn is_decimal(amount: &str) -> bool {
    let digits = amount.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && digits + 1 >= amount.len() && amount.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// A gallery: a collection of videos. Deprecated.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::extension::video::Gallery;
///
/// let gallery = Gallery::new(Loc::parse("https://example.com/gallery")?).with_title("Grilling")?;
/// assert_eq!(gallery.title(), Some("Grilling"));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Gallery<'a>(Lent<'a>);

group!(Gallery of gallery::TABLE);

impl<'a> Gallery<'a> {
    /// Creates a gallery with only a URL.
    pub fn new(loc: Loc<'a>) -> Self {
        Self(Lent::Owned(Fields::new(&gallery::TABLE).with_option(gallery::LOC, Some(Value::Loc(loc)))))
    }

    /// Sets the title of the gallery. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the title is blank or contains a character that XML forbids.
    pub fn with_title(self, title: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(gallery::TITLE, Value::Text(title.into()))?))
    }

    /// Returns the URL of the gallery. `None` if the gallery was [read](crate::extension#elements-of-documents) from a
    /// document without a valid URL for it.
    #[must_use]
    pub fn loc(&self) -> Option<&Loc<'a>> {
        self.0.loc(gallery::LOC)
    }

    /// Returns the title of the gallery.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.0.text(gallery::TITLE)
    }
}

words! {
    /// What a price is for: buying or renting. Deprecated.
    ///
    /// ```
    /// use sitemap_core::extension::video::PriceKind;
    ///
    /// assert_eq!("rent".parse(), Ok(PriceKind::Rent));
    /// assert_eq!(PriceKind::Purchase.as_str(), "purchase");
    /// ```
    PriceKind of "video:price type" {
        /// The viewer buys the video.
        Purchase = "purchase",
        /// The viewer rents the video for a limited time.
        Rent = "rent",
    }
}

words! {
    /// The video resolution to which a price applies. Deprecated.
    ///
    /// ```
    /// use sitemap_core::extension::video::Resolution;
    ///
    /// assert_eq!("hd".parse(), Ok(Resolution::Hd));
    /// assert_eq!(Resolution::Sd.as_str(), "sd");
    /// ```
    Resolution of "video:price resolution" {
        /// Standard definition.
        Sd = "sd",
        /// High definition.
        Hd = "hd",
    }
}

/// The price of a video. Deprecated.
///
/// ```
/// use sitemap_core::extension::video::{Price, PriceKind, Resolution};
///
/// let price = Price::new("1.99", "EUR")?.with_kind(PriceKind::Rent).with_resolution(Resolution::Hd);
/// assert_eq!((price.amount(), price.currency()), (Some("1.99"), Some("EUR")));
/// assert_eq!((price.kind(), price.resolution()), (Some(PriceKind::Rent), Some(Resolution::Hd)));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Price<'a>(Lent<'a>);

group!(Price of price::TABLE);

impl<'a> Price<'a> {
    /// Creates a price. The amount is a decimal number such as `1.99`, and the currency is an ISO 4217 code such as
    /// `EUR`.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the amount is not a decimal number, or the currency is not three upper-case
    /// letters.
    pub fn new(
        amount: impl Into<Cow<'a, str>>,
        currency: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&price::TABLE)
            .with(price::AMOUNT, Value::Text(amount.into()))?
            .with(price::CURRENCY, Value::Text(currency.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Creates a price without a known amount.
    ///
    /// ```
    /// use sitemap_core::extension::video::{Price, PriceKind};
    ///
    /// let price = Price::unknown(PriceKind::Purchase);
    /// assert_eq!((price.amount(), price.kind()), (None, Some(PriceKind::Purchase)));
    /// ```
    pub fn unknown(kind: PriceKind) -> Self {
        Self(Lent::Owned(Fields::new(&price::TABLE))).with_kind(kind)
    }

    /// Sets whether the price is for buying or renting. See the [example](Self).
    pub fn with_kind(self, kind: PriceKind) -> Self {
        Self(self.0.put(price::TYPE, Value::from(kind)))
    }

    /// Sets the video resolution to which the price applies. See the [example](Self).
    pub fn with_resolution(self, resolution: Resolution) -> Self {
        Self(self.0.put(price::RESOLUTION, Value::from(resolution)))
    }

    /// Returns the amount, or `None` if the amount is not known.
    #[must_use]
    pub fn amount(&self) -> Option<&str> {
        self.0.text(price::AMOUNT)
    }

    /// Returns the currency code of the amount.
    #[must_use]
    pub fn currency(&self) -> Option<&str> {
        self.0.text(price::CURRENCY)
    }

    /// Returns whether the price is for buying or renting.
    #[must_use]
    pub fn kind(&self) -> Option<PriceKind> {
        self.0.text(price::TYPE).and_then(PriceKind::known)
    }

    /// Returns the video resolution to which the price applies.
    #[must_use]
    pub fn resolution(&self) -> Option<Resolution> {
        self.0.text(price::RESOLUTION).and_then(Resolution::known)
    }
}

words! {
    /// The kind of a video that belongs to a TV show, such as a full episode or a clip. Deprecated.
    ///
    /// ```
    /// use sitemap_core::extension::video::TvShowKind;
    ///
    /// assert_eq!("full".parse(), Ok(TvShowKind::Full));
    /// assert_eq!(TvShowKind::Clip.as_str(), "clip");
    /// ```
    TvShowKind of "video:video_type" {
        /// A full episode.
        Full = "full",
        /// A preview of an episode.
        Preview = "preview",
        /// A clip from an episode.
        Clip = "clip",
        /// An interview about the show.
        Interview = "interview",
        /// News about the show.
        News = "news",
        /// Anything else.
        Other = "other",
    }
}

/// The TV show that a video belongs to. Deprecated.
///
/// ```
/// use sitemap_core::LastMod;
/// use sitemap_core::extension::video::{TvShow, TvShowKind};
///
/// let premier = LastMod::date(2026, 1, 31)?;
/// let show = TvShow::new("The Grill", TvShowKind::Clip)?
///     .with_episode_title("Steaks")?
///     .with_season_number(2)?
///     .with_episode_number(7)?
///     .with_premier_date(premier)?;
/// assert_eq!((show.show_title(), show.kind()), ("The Grill", Some(TvShowKind::Clip)));
/// assert_eq!(show.episode_title(), Some("Steaks"));
/// assert_eq!((show.season_number(), show.episode_number()), (Some(2), Some(7)));
/// assert_eq!(show.premier_date(), Some(premier));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct TvShow<'a>(Lent<'a>);

group!(TvShow of tv_show::TABLE);

impl<'a> TvShow<'a> {
    /// Creates a TV show with only a title and the kind of video, such as a full episode or a clip.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the title is blank or contains a character that XML forbids.
    pub fn new(show_title: impl Into<Cow<'a, str>>, kind: TvShowKind) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&tv_show::TABLE)
            .with(tv_show::SHOW_TITLE, Value::Text(show_title.into()))?
            .with(tv_show::VIDEO_TYPE, kind.into())?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Sets the title of the episode. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the title is blank or contains a character that XML forbids.
    pub fn with_episode_title(self, title: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(tv_show::EPISODE_TITLE, Value::Text(title.into()))?))
    }

    /// Sets the season number. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the number is 0.
    pub fn with_season_number(self, number: u32) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(tv_show::SEASON_NUMBER, Value::Number(number.into()))?))
    }

    /// Sets the episode number. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the number is 0.
    pub fn with_episode_number(self, number: u32) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(tv_show::EPISODE_NUMBER, Value::Number(number.into()))?))
    }

    /// Sets the date of the first broadcast. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the date has no day, or has a time without seconds.
    pub fn with_premier_date(self, date: LastMod) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(tv_show::PREMIER_DATE, Value::Date(date))?))
    }

    /// Returns the title of the TV show.
    #[must_use]
    pub fn show_title(&self) -> &str {
        self.0.text(tv_show::SHOW_TITLE).unwrap_or_default()
    }

    /// Returns the kind of video, such as a full episode or a clip. `None` if the show was
    /// [read](crate::extension#elements-of-documents) from a document without a valid kind for it.
    #[must_use]
    pub fn kind(&self) -> Option<TvShowKind> {
        self.0.text(tv_show::VIDEO_TYPE).and_then(TvShowKind::known)
    }

    /// Returns the title of the episode.
    #[must_use]
    pub fn episode_title(&self) -> Option<&str> {
        self.0.text(tv_show::EPISODE_TITLE)
    }

    /// Returns the season number.
    #[must_use]
    pub fn season_number(&self) -> Option<u32> {
        self.0.small_number(tv_show::SEASON_NUMBER)
    }

    /// Returns the episode number.
    #[must_use]
    pub fn episode_number(&self) -> Option<u32> {
        self.0.small_number(tv_show::EPISODE_NUMBER)
    }

    /// Returns the date of the first broadcast.
    #[must_use]
    pub fn premier_date(&self) -> Option<LastMod> {
        self.0.date(tv_show::PREMIER_DATE)
    }
}
