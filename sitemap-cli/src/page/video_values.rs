//! Values of a video that are more than one text, as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sitemap_core::extension::ExtensionError;
use sitemap_core::extension::video::{
    self, IdKind, Platform, PriceKind, Relationship, Resolution, TvShowKind,
};
use sitemap_core::{Error, LastMod, Loc};

use super::shown;

/// A type of the core and its JSON, made from each other.
macro_rules! value {
    ($name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),+ $(,)? }) => {
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name<'a> {
            $($(#[$attribute])* $field: $type),+
        }
    };
}

value!(Restriction {
    #[serde(borrow)]
    relationship: Cow<'a, str>,
    #[serde(borrow)]
    countries: Vec<Cow<'a, str>>,
});

impl<'a> Restriction<'a> {
    pub(super) fn of(restriction: &'a video::Restriction) -> Self {
        Self {
            relationship: restriction.relationship().as_str().into(),
            countries: restriction.countries().map(Cow::Borrowed).collect(),
        }
    }

    pub(super) fn restriction(&self) -> Result<video::Restriction, Error> {
        Ok(video::Restriction::new(self.relationship.parse::<Relationship>()?, &self.countries)?)
    }
}

value!(Platforms {
    #[serde(borrow)]
    relationship: Cow<'a, str>,
    #[serde(borrow)]
    platforms: Vec<Cow<'a, str>>,
});

impl<'a> Platforms<'a> {
    pub(super) fn of(platforms: &'a video::Platforms) -> Self {
        Self {
            relationship: platforms.relationship().as_str().into(),
            platforms: platforms.platforms().iter().map(|platform| platform.as_str().into()).collect(),
        }
    }

    pub(super) fn platforms(&self) -> Result<video::Platforms, Error> {
        let platforms = self.platforms.iter().map(|platform| platform.parse::<Platform>());
        let platforms = platforms.collect::<Result<Vec<_>, ExtensionError>>()?;
        Ok(video::Platforms::new(self.relationship.parse::<Relationship>()?, platforms)?)
    }
}

value!(Uploader {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    info: Option<Cow<'a, str>>,
});

impl<'a> Uploader<'a> {
    pub(super) fn of(uploader: &'a video::Uploader<'_>) -> Self {
        Self { name: uploader.name().into(), info: uploader.info().map(|info| info.as_str().into()) }
    }

    pub(super) fn uploader(&self) -> Result<video::Uploader<'_>, Error> {
        let uploader = video::Uploader::new(&*self.name)?;
        Ok(match self.info.as_deref() {
            Some(info) => uploader.with_info(Loc::parse(info)?),
            None => uploader,
        })
    }
}

value!(Segment {
    #[serde(borrow)]
    loc: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration: Option<u32>,
});

impl<'a> Segment<'a> {
    pub(super) fn of(segment: &'a video::Segment<'_>) -> Self {
        Self { loc: segment.loc().as_str().into(), duration: segment.duration() }
    }

    pub(super) fn segment(&self) -> Result<video::Segment<'_>, Error> {
        let segment = video::Segment::new(Loc::parse(&*self.loc)?);
        Ok(match self.duration {
            Some(duration) => segment.with_duration(duration)?,
            None => segment,
        })
    }
}

value!(Id {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
});

impl<'a> Id<'a> {
    pub(super) fn of(id: &'a video::Id<'_>) -> Self {
        Self { kind: id.kind().as_str().into(), id: id.text().into() }
    }

    pub(super) fn id(&self) -> Result<video::Id<'_>, Error> {
        Ok(video::Id::new(self.kind.parse::<IdKind>()?, &*self.id)?)
    }
}

value!(Gallery {
    #[serde(borrow)]
    loc: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    title: Option<Cow<'a, str>>,
});

impl<'a> Gallery<'a> {
    pub(super) fn of(gallery: &'a video::Gallery<'_>) -> Self {
        Self { loc: gallery.loc().as_str().into(), title: gallery.title().map(Cow::Borrowed) }
    }

    pub(super) fn gallery(&self) -> Result<video::Gallery<'_>, Error> {
        let gallery = video::Gallery::new(Loc::parse(&*self.loc)?);
        Ok(match self.title.as_deref() {
            Some(title) => gallery.with_title(title)?,
            None => gallery,
        })
    }
}

value!(Price {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    amount: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    currency: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    resolution: Option<Cow<'a, str>>,
});

impl<'a> Price<'a> {
    pub(super) fn of(price: &'a video::Price<'_>) -> Self {
        Self {
            amount: price.amount().map(Cow::Borrowed),
            currency: price.currency().map(Cow::Borrowed),
            kind: price.kind().map(|kind| kind.as_str().into()),
            resolution: price.resolution().map(|resolution| resolution.as_str().into()),
        }
    }

    pub(super) fn price(&self) -> Result<video::Price<'_>, Error> {
        let kind = self.kind.as_deref().map(str::parse::<PriceKind>).transpose()?;
        let mut price = match (self.amount.as_deref(), self.currency.as_deref(), kind) {
            (Some(amount), Some(currency), kind) => {
                let price = video::Price::new(amount, currency)?;
                kind.map_or(price.clone(), |kind| price.with_kind(kind))
            }
            (None, None, Some(kind)) => video::Price::unknown(kind),
            _ => return Err(Error::other("a price needs an `amount` and its `currency`, or a `type`")),
        };
        if let Some(resolution) = self.resolution.as_deref() {
            price = price.with_resolution(resolution.parse::<Resolution>()?);
        }
        Ok(price)
    }
}

value!(TvShow {
    #[serde(borrow)]
    show_title: Cow<'a, str>,
    #[serde(borrow)]
    video_type: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    episode_title: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    season_number: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    episode_number: Option<u32>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    premier_date: Option<Cow<'a, str>>,
});

impl<'a> TvShow<'a> {
    pub(super) fn of(show: &'a video::TvShow<'_>) -> Self {
        Self {
            show_title: show.show_title().into(),
            video_type: show.kind().as_str().into(),
            episode_title: show.episode_title().map(Cow::Borrowed),
            season_number: show.season_number(),
            episode_number: show.episode_number(),
            premier_date: show.premier_date().map(shown),
        }
    }

    pub(super) fn tv_show(&self) -> Result<video::TvShow<'_>, Error> {
        let mut show = video::TvShow::new(&*self.show_title, self.video_type.parse::<TvShowKind>()?)?;
        if let Some(title) = self.episode_title.as_deref() {
            show = show.with_episode_title(title)?;
        }
        if let Some(number) = self.season_number {
            show = show.with_season_number(number)?;
        }
        if let Some(number) = self.episode_number {
            show = show.with_episode_number(number)?;
        }
        if let Some(date) = self.premier_date.as_deref() {
            show = show.with_premier_date(LastMod::parse(date)?)?;
        }
        Ok(show)
    }
}
