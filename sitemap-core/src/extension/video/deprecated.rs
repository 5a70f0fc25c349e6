//! What Google no longer reads of a video: kept when read, written on request only.

use std::borrow::Cow;

use super::Video;
use crate::extension::error::{ExtensionError, ExtensionErrorKind, excerpt};
use crate::extension::image::owned;
use crate::extension::text::{ANY_LENGTH, checked, full_date};
use crate::extension::words::words;
use crate::value::{LastMod, Loc};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Deprecated<'a> {
    allow_embed: Option<bool>,
    autoplay: Option<Cow<'a, str>>,
    category: Option<Cow<'a, str>>,
    gallery: Option<Gallery<'a>>,
    prices: Vec<Price<'a>>,
    tv_show: Option<TvShow<'a>>,
}

impl<'a> Deprecated<'a> {
    pub(super) fn into_owned(self) -> Deprecated<'static> {
        Deprecated {
            allow_embed: self.allow_embed,
            autoplay: self.autoplay.map(owned),
            category: self.category.map(owned),
            gallery: self.gallery.map(Gallery::into_owned),
            prices: self.prices.into_iter().map(Price::into_owned).collect(),
            tv_show: self.tv_show.map(TvShow::into_owned),
        }
    }
}

/// Deprecated values.
impl<'a> Video<'a> {
    /// Sets whether others may embed the player: an attribute of `player_loc`, without which it is
    /// not written. Deprecated.
    pub fn with_allow_embed(mut self, allow_embed: bool) -> Self {
        self.deprecated_mut().allow_embed = Some(allow_embed);
        self
    }

    /// Sets what makes the player start by itself: an attribute of `player_loc`, without which it is
    /// not written. Deprecated.
    ///
    /// # Errors
    ///
    /// If it is empty or has a character that XML forbids.
    pub fn with_autoplay(mut self, autoplay: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let autoplay = checked("autoplay", autoplay, ANY_LENGTH)?;
        self.deprecated_mut().autoplay = Some(autoplay);
        Ok(self)
    }

    /// Sets its category. Deprecated.
    ///
    /// # Errors
    ///
    /// If it is empty, has more than 256 characters or one that XML forbids.
    pub fn with_category(mut self, category: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let category = checked("video:category", category, 256)?;
        self.deprecated_mut().category = Some(category);
        Ok(self)
    }

    /// Sets the collection that it is in. Deprecated.
    pub fn with_gallery(mut self, gallery: Gallery<'a>) -> Self {
        self.deprecated_mut().gallery = Some(gallery);
        self
    }

    /// Adds a price. Deprecated.
    pub fn with_price(mut self, price: Price<'a>) -> Self {
        self.deprecated_mut().prices.push(price);
        self
    }

    /// Sets the television programme that it belongs to. Deprecated.
    pub fn with_tv_show(mut self, tv_show: TvShow<'a>) -> Self {
        self.deprecated_mut().tv_show = Some(tv_show);
        self
    }

    /// Whether others may embed the player. Deprecated.
    #[must_use]
    pub fn allow_embed(&self) -> Option<bool> {
        self.deprecated.as_ref()?.allow_embed
    }

    /// What makes the player start by itself. Deprecated.
    #[must_use]
    pub fn autoplay(&self) -> Option<&str> {
        self.deprecated.as_ref()?.autoplay.as_deref()
    }

    /// Its category. Deprecated.
    #[must_use]
    pub fn category(&self) -> Option<&str> {
        self.deprecated.as_ref()?.category.as_deref()
    }

    /// The collection that it is in. Deprecated.
    #[must_use]
    pub fn gallery(&self) -> Option<&Gallery<'a>> {
        self.deprecated.as_ref()?.gallery.as_ref()
    }

    /// Its prices. Deprecated.
    #[must_use]
    pub fn prices(&self) -> &[Price<'a>] {
        self.deprecated.as_ref().map_or(&[], |deprecated| &deprecated.prices)
    }

    /// The television programme that it belongs to. Deprecated.
    #[must_use]
    pub fn tv_show(&self) -> Option<&TvShow<'a>> {
        self.deprecated.as_ref()?.tv_show.as_ref()
    }

    fn deprecated_mut(&mut self) -> &mut Deprecated<'a> {
        self.deprecated.get_or_insert_default()
    }
}

/// A collection of videos. Deprecated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Gallery<'a> {
    loc: Loc<'a>,
    title: Option<Cow<'a, str>>,
}

impl<'a> Gallery<'a> {
    /// A collection by its address.
    pub const fn new(loc: Loc<'a>) -> Self {
        Self { loc, title: None }
    }

    /// Sets its title.
    ///
    /// # Errors
    ///
    /// If it is empty or has a character that XML forbids.
    pub fn with_title(mut self, title: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        self.title = Some(checked("video:gallery_loc title", title, ANY_LENGTH)?);
        Ok(self)
    }

    /// Its address.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'a> {
        &self.loc
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The same collection, independent of what it was made from.
    pub fn into_owned(self) -> Gallery<'static> {
        Gallery { loc: self.loc.into_owned(), title: self.title.map(owned) }
    }
}

words! {
    /// What one pays for. Deprecated.
    PriceKind of "video:price type" {
        /// To keep it.
        Purchase = "purchase",
        /// To see it for a while.
        Rent = "rent",
    }
}

words! {
    /// How sharp the picture is that one pays for. Deprecated.
    Resolution of "video:price resolution" {
        /// Standard definition.
        Sd = "sd",
        /// High definition.
        Hd = "hd",
    }
}

/// What a video costs. Deprecated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Price<'a> {
    /// An amount and its currency.
    amount: Option<(Cow<'a, str>, Cow<'a, str>)>,
    kind: Option<PriceKind>,
    resolution: Option<Resolution>,
}

impl<'a> Price<'a> {
    /// A decimal amount, as in `1.99`, of an ISO 4217 currency, as in `EUR`.
    ///
    /// # Errors
    ///
    /// If the amount is no decimal number or the currency not three upper-case letters.
    pub fn new(
        amount: impl Into<Cow<'a, str>>,
        currency: impl Into<Cow<'a, str>>,
    ) -> Result<Self, ExtensionError> {
        let (amount, currency) = (amount.into(), currency.into());
        let digits = amount.bytes().filter(u8::is_ascii_digit).count();
        if digits == 0
            || digits + 1 < amount.len()
            || !amount.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        {
            let expected = "must be a decimal number; write it like `1.99`";
            let found = excerpt(&amount);
            return Err(ExtensionError::new("video:price", ExtensionErrorKind::Form, expected, found));
        }
        if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let expected = "must be three upper-case letters; write it like `EUR`";
            let found = excerpt(&currency);
            return Err(ExtensionError::new(
                "video:price currency",
                ExtensionErrorKind::Form,
                expected,
                found,
            ));
        }
        Ok(Self { amount: Some((amount, currency)), kind: None, resolution: None })
    }

    /// That it costs something, without saying how much.
    pub const fn unknown(kind: PriceKind) -> Self {
        Self { amount: None, kind: Some(kind), resolution: None }
    }

    /// Sets what one pays for.
    pub const fn with_kind(mut self, kind: PriceKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets how sharp the picture is.
    pub const fn with_resolution(mut self, resolution: Resolution) -> Self {
        self.resolution = Some(resolution);
        self
    }

    /// The amount, if it is known.
    #[must_use]
    pub fn amount(&self) -> Option<&str> {
        self.amount.as_ref().map(|(amount, _)| &**amount)
    }

    /// The currency of the amount.
    #[must_use]
    pub fn currency(&self) -> Option<&str> {
        self.amount.as_ref().map(|(_, currency)| &**currency)
    }

    /// What one pays for.
    #[must_use]
    pub const fn kind(&self) -> Option<PriceKind> {
        self.kind
    }

    /// How sharp the picture is.
    #[must_use]
    pub const fn resolution(&self) -> Option<Resolution> {
        self.resolution
    }

    /// The same price, independent of what it was made from.
    pub fn into_owned(self) -> Price<'static> {
        Price {
            amount: self.amount.map(|(amount, currency)| (owned(amount), owned(currency))),
            kind: self.kind,
            resolution: self.resolution,
        }
    }
}

words! {
    /// What a video is to its television programme. Deprecated.
    TvShowKind of "video:video_type" {
        /// The complete episode.
        Full = "full",
        /// Advertises the episode.
        Preview = "preview",
        /// A piece of the episode.
        Clip = "clip",
        /// An interview.
        Interview = "interview",
        /// News about it.
        News = "news",
        /// Anything else.
        Other = "other",
    }
}

/// The television programme that a video belongs to. Deprecated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct TvShow<'a> {
    show_title: Cow<'a, str>,
    kind: TvShowKind,
    episode_title: Option<Cow<'a, str>>,
    season_number: Option<u32>,
    episode_number: Option<u32>,
    premier_date: Option<LastMod>,
}

impl<'a> TvShow<'a> {
    /// A programme by its title, and what the video is to it.
    ///
    /// # Errors
    ///
    /// If the title is empty or has a character that XML forbids.
    pub fn new(show_title: impl Into<Cow<'a, str>>, kind: TvShowKind) -> Result<Self, ExtensionError> {
        Ok(Self {
            show_title: checked("video:show_title", show_title, ANY_LENGTH)?,
            kind,
            episode_title: None,
            season_number: None,
            episode_number: None,
            premier_date: None,
        })
    }

    /// Sets the title of the episode.
    ///
    /// # Errors
    ///
    /// If it is empty or has a character that XML forbids.
    pub fn with_episode_title(mut self, title: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        self.episode_title = Some(checked("video:episode_title", title, ANY_LENGTH)?);
        Ok(self)
    }

    /// Sets the number of the season.
    ///
    /// # Errors
    ///
    /// If it is 0.
    pub fn with_season_number(mut self, number: u32) -> Result<Self, ExtensionError> {
        self.season_number = Some(not_zero("video:season_number", number)?);
        Ok(self)
    }

    /// Sets the number of the episode.
    ///
    /// # Errors
    ///
    /// If it is 0.
    pub fn with_episode_number(mut self, number: u32) -> Result<Self, ExtensionError> {
        self.episode_number = Some(not_zero("video:episode_number", number)?);
        Ok(self)
    }

    /// Sets when it was first broadcast.
    ///
    /// # Errors
    ///
    /// If the date does not name a day, or has a time without seconds.
    pub fn with_premier_date(mut self, date: LastMod) -> Result<Self, ExtensionError> {
        self.premier_date = Some(full_date("video:premier_date", date, false)?);
        Ok(self)
    }

    /// The programme's title.
    #[must_use]
    pub fn show_title(&self) -> &str {
        &self.show_title
    }

    /// What the video is to it.
    #[must_use]
    pub const fn kind(&self) -> TvShowKind {
        self.kind
    }

    /// The title of the episode.
    #[must_use]
    pub fn episode_title(&self) -> Option<&str> {
        self.episode_title.as_deref()
    }

    /// The number of the season.
    #[must_use]
    pub const fn season_number(&self) -> Option<u32> {
        self.season_number
    }

    /// The number of the episode.
    #[must_use]
    pub const fn episode_number(&self) -> Option<u32> {
        self.episode_number
    }

    /// When it was first broadcast.
    #[must_use]
    pub const fn premier_date(&self) -> Option<LastMod> {
        self.premier_date
    }

    /// The same programme, independent of what it was made from.
    pub fn into_owned(self) -> TvShow<'static> {
        TvShow {
            show_title: owned(self.show_title),
            kind: self.kind,
            episode_title: self.episode_title.map(owned),
            season_number: self.season_number,
            episode_number: self.episode_number,
            premier_date: self.premier_date,
        }
    }
}

fn not_zero(element: &'static str, number: u32) -> Result<u32, ExtensionError> {
    if number > 0 {
        return Ok(number);
    }
    Err(ExtensionError::new(element, ExtensionErrorKind::Range, "must be at least 1", "0"))
}
