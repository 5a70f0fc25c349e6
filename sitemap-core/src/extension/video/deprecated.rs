//! What Google no longer reads of a video: kept when read, written on request only.

use std::borrow::Cow;

use super::{Price, TvShow, Video};
use crate::extension::error::ExtensionError;
use crate::extension::image::owned;
use crate::extension::text::{ANY_LENGTH, checked};
use crate::value::Loc;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Deprecated<'a> {
    allow_embed: Option<bool>,
    autoplay: Option<Cow<'a, str>>,
    category: Option<Cow<'a, str>>,
    gallery: Option<Gallery<'a>>,
    prices: Vec<Price<'a>>,
    tv_show: Option<TvShow<'a>>,
}

impl Deprecated<'_> {
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
