//! `video:video` as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sitemap_core::extension::VideoSource;
use sitemap_core::{Error, LastMod, Loc};

use super::shown;
use super::video_values::{Gallery, Id, Platforms, Price, Restriction, Segment, TvShow, Uploader};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Video<'a> {
    #[serde(borrow)]
    thumbnail_loc: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    description: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    content_loc: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    player_loc: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allow_embed: Option<bool>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    autoplay: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration: Option<u32>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    expiration_date: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rating: Option<f64>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    content_segments: Vec<Segment<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    view_count: Option<u64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    publication_date: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    category: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    family_friendly: Option<bool>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    restriction: Option<Restriction<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    gallery: Option<Gallery<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    prices: Vec<Price<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    requires_subscription: Option<bool>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    uploader: Option<Uploader<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    tv_show: Option<TvShow<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    platforms: Option<Platforms<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    live: Option<bool>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    ids: Vec<Id<'a>>,
}

impl<'a> Video<'a> {
    pub(super) fn of(video: &'a sitemap_core::Video<'_>) -> Self {
        Self {
            thumbnail_loc: video.thumbnail_loc().as_str().into(),
            title: video.title().into(),
            description: video.description().into(),
            content_loc: video.content_loc().map(|loc| loc.as_str().into()),
            player_loc: video.player_loc().map(|loc| loc.as_str().into()),
            allow_embed: video.allow_embed(),
            autoplay: video.autoplay().map(Cow::Borrowed),
            duration: video.duration(),
            expiration_date: video.expiration_date().map(shown),
            rating: video.rating(),
            content_segments: video.content_segments().iter().map(Segment::of).collect(),
            view_count: video.view_count(),
            publication_date: video.publication_date().map(shown),
            tags: video.tags().map(Cow::Borrowed).collect(),
            category: video.category().map(Cow::Borrowed),
            family_friendly: video.family_friendly(),
            restriction: video.restriction().map(Restriction::of),
            gallery: video.gallery().map(Gallery::of),
            prices: video.prices().iter().map(Price::of).collect(),
            requires_subscription: video.requires_subscription(),
            uploader: video.uploader().map(Uploader::of),
            tv_show: video.tv_show().map(TvShow::of),
            platforms: video.platforms().map(Platforms::of),
            live: video.live(),
            ids: video.ids().iter().map(Id::of).collect(),
        }
    }

    pub(super) fn video(&self) -> Result<sitemap_core::Video<'_>, Error> {
        let mut video = self
            .located()?
            .with_view_count(self.view_count)
            .with_family_friendly(self.family_friendly)
            .with_restriction(self.restriction.as_ref().map(Restriction::restriction).transpose()?)
            .with_requires_subscription(self.requires_subscription)
            .with_uploader(self.uploader.as_ref().map(Uploader::uploader).transpose()?)
            .with_platforms(self.platforms.as_ref().map(Platforms::platforms).transpose()?)
            .with_live(self.live);
        if let Some(duration) = self.duration {
            video = video.with_duration(duration)?;
        }
        if let Some(date) = self.expiration_date.as_deref() {
            video = video.with_expiration_date(LastMod::parse(date)?)?;
        }
        if let Some(rating) = self.rating {
            video = video.with_rating(rating)?;
        }
        for segment in &self.content_segments {
            video = video.with_content_segment(segment.segment()?);
        }
        if let Some(date) = self.publication_date.as_deref() {
            video = video.with_publication_date(LastMod::parse(date)?)?;
        }
        for tag in &self.tags {
            video = video.with_tag(&**tag)?;
        }
        for id in &self.ids {
            video = video.with_id(id.id()?);
        }
        self.with_deprecated(video)
    }

    fn located(&self) -> Result<sitemap_core::Video<'_>, Error> {
        let source = match (self.content_loc.as_deref(), self.player_loc.as_deref()) {
            (Some(content), _) => VideoSource::Content(Loc::parse(content)?),
            (None, Some(player)) => VideoSource::Player(Loc::parse(player)?),
            (None, None) => return Err(Error::other("a video needs a `content_loc` or a `player_loc`")),
        };
        let thumbnail = Loc::parse(&*self.thumbnail_loc)?;
        let video = sitemap_core::Video::new(thumbnail, &*self.title, &*self.description, source)?;
        Ok(match self.player_loc.as_deref() {
            Some(player) => video.with_player_loc(Loc::parse(player)?),
            None => video,
        })
    }

    fn with_deprecated<'v>(
        &'v self,
        mut video: sitemap_core::Video<'v>,
    ) -> Result<sitemap_core::Video<'v>, Error> {
        if let Some(allow_embed) = self.allow_embed {
            video = video.with_allow_embed(allow_embed);
        }
        if let Some(autoplay) = self.autoplay.as_deref() {
            video = video.with_autoplay(autoplay)?;
        }
        if let Some(category) = self.category.as_deref() {
            video = video.with_category(category)?;
        }
        if let Some(gallery) = &self.gallery {
            video = video.with_gallery(gallery.gallery()?);
        }
        for price in &self.prices {
            video = video.with_price(price.price()?);
        }
        if let Some(tv_show) = &self.tv_show {
            video = video.with_tv_show(tv_show.tv_show()?);
        }
        Ok(video)
    }
}
