//! `video:video`: a video on a page.
//!
//! [`Video`] and [`VideoSource`] are also at the crate's root.

mod deprecated;
mod get;
mod price;
mod rating;
mod tv_show;
mod values;

use std::borrow::Cow;

use self::deprecated::Deprecated;
pub use self::deprecated::Gallery;
pub use self::price::{Price, PriceKind, Resolution};
use self::rating::Rating;
pub use self::tv_show::{TvShow, TvShowKind};
pub use self::values::{Id, IdKind, Platform, Platforms, Relationship, Restriction, Segment, Uploader};
use super::error::{ExtensionError, ExtensionErrorKind};
use super::image::owned;
use super::text::{ANY_LENGTH, checked, full_date};
use crate::value::{LastMod, Loc};

/// A video on a page.
///
/// Category, gallery, prices, television programme and the attributes of the player are deprecated
/// since 2022: they are kept when read, and written only
/// [on request](crate::WriteOptions::deprecated).
///
/// Source: [Google, video sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
///
/// ```
/// use sitemap_core::{Loc, Video};
/// use sitemap_core::extension::VideoSource;
///
/// let video = Video::new(
///     Loc::parse("https://example.com/thumbs/1.jpg")?,
///     "Grilling steaks for summer",
///     "How to grill steaks that are done each time",
///     VideoSource::Content(Loc::parse("https://media.example.com/1.mp4")?),
/// )?
/// .with_duration(600)?
/// .with_rating(4.2)?
/// .with_tag("steak")?;
/// assert_eq!(video.duration(), Some(600));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Video<'a> {
    thumbnail_loc: Loc<'a>,
    title: Cow<'a, str>,
    description: Cow<'a, str>,
    /// At least one of these two is there.
    content_loc: Option<Loc<'a>>,
    player_loc: Option<Loc<'a>>,
    duration: Option<u32>,
    expiration_date: Option<LastMod>,
    rating: Option<Rating>,
    content_segments: Vec<Segment<'a>>,
    view_count: Option<u64>,
    publication_date: Option<LastMod>,
    tags: Vec<Cow<'a, str>>,
    family_friendly: Option<bool>,
    restriction: Option<Restriction>,
    requires_subscription: Option<bool>,
    uploader: Option<Uploader<'a>>,
    platforms: Option<Platforms>,
    live: Option<bool>,
    ids: Vec<Id<'a>>,
    deprecated: Option<Box<Deprecated<'a>>>,
}

/// Where a video is: one of the two ways that Google requires.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VideoSource<'a> {
    /// The media file itself.
    Content(Loc<'a>),
    /// A player for it, as in the `src` of an `embed`.
    Player(Loc<'a>),
}

impl<'a> Video<'a> {
    /// The most tags of one video.
    pub const MAX_TAGS: usize = 32;
    /// The longest title, in characters.
    pub const MAX_TITLE: usize = 100;
    /// The longest description, in characters.
    pub const MAX_DESCRIPTION: usize = 2_048;
    /// The longest duration in seconds, eight hours.
    pub const MAX_DURATION: u32 = 28_800;

    /// A video with all that Google requires. Where it is must differ from the page it is on.
    ///
    /// # Errors
    ///
    /// If the title or description is empty, has a character that XML forbids, or more than 100
    /// (title) or 2,048 (description) of them.
    pub fn new(
        thumbnail_loc: Loc<'a>,
        title: impl Into<Cow<'a, str>>,
        description: impl Into<Cow<'a, str>>,
        source: VideoSource<'a>,
    ) -> Result<Self, ExtensionError> {
        let (content_loc, player_loc) = match source {
            VideoSource::Content(loc) => (Some(loc), None),
            VideoSource::Player(loc) => (None, Some(loc)),
        };
        Ok(Self {
            thumbnail_loc,
            title: checked("video:title", title, Self::MAX_TITLE)?,
            description: checked("video:description", description, Self::MAX_DESCRIPTION)?,
            content_loc,
            player_loc,
            duration: None,
            expiration_date: None,
            rating: None,
            content_segments: Vec::new(),
            view_count: None,
            publication_date: None,
            tags: Vec::new(),
            family_friendly: None,
            restriction: None,
            requires_subscription: None,
            uploader: None,
            platforms: None,
            live: None,
            ids: Vec::new(),
            deprecated: None,
        })
    }

    /// Sets the media file, also beside a player.
    pub fn with_content_loc(mut self, loc: Loc<'a>) -> Self {
        self.content_loc = Some(loc);
        self
    }

    /// Sets the player, also beside a media file.
    pub fn with_player_loc(mut self, loc: Loc<'a>) -> Self {
        self.player_loc = Some(loc);
        self
    }

    /// Sets its length.
    ///
    /// # Errors
    ///
    /// If it is not between 1 and 28,800 seconds.
    pub fn with_duration(mut self, seconds: u32) -> Result<Self, ExtensionError> {
        self.duration = Some(duration("video:duration", seconds)?);
        Ok(self)
    }

    /// Sets after when it is no longer available.
    ///
    /// # Errors
    ///
    /// If the date does not name a day, or has a time without seconds.
    pub fn with_expiration_date(mut self, date: LastMod) -> Result<Self, ExtensionError> {
        self.expiration_date = Some(full_date("video:expiration_date", date, false)?);
        Ok(self)
    }

    /// Sets how good it is, from 0.0 to 5.0; kept to four decimals.
    ///
    /// # Errors
    ///
    /// If the number is out of that range or not a number.
    pub fn with_rating(mut self, rating: f64) -> Result<Self, ExtensionError> {
        self.rating = Some(Rating::new(rating)?);
        Ok(self)
    }

    /// Adds the next of several files that it is published as, which takes a player.
    pub fn with_content_segment(mut self, segment: Segment<'a>) -> Self {
        self.content_segments.push(segment);
        self
    }

    /// Sets how often it was seen; `None` leaves it out.
    pub fn with_view_count(mut self, views: impl Into<Option<u64>>) -> Self {
        self.view_count = views.into();
        self
    }

    /// Sets when it was first published.
    ///
    /// # Errors
    ///
    /// If the date does not name a day, or has a time without seconds.
    pub fn with_publication_date(mut self, date: LastMod) -> Result<Self, ExtensionError> {
        self.publication_date = Some(full_date("video:publication_date", date, false)?);
        Ok(self)
    }

    /// Adds a tag.
    ///
    /// # Errors
    ///
    /// If it is empty, has a character that XML forbids, or is the 33rd.
    pub fn with_tag(mut self, tag: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let tag = checked("video:tag", tag, ANY_LENGTH)?;
        if self.tags.len() == Self::MAX_TAGS {
            let expected = format!("must not stand more than {} times in one video", Self::MAX_TAGS);
            let found = (self.tags.len() + 1).to_string();
            return Err(ExtensionError::new("video:tag", ExtensionErrorKind::TooMany, expected, found));
        }
        self.tags.push(tag);
        Ok(self)
    }

    /// Sets whether children may see it: `false` is only for readers without `SafeSearch`. `None`
    /// leaves it out.
    pub fn with_family_friendly(mut self, family_friendly: impl Into<Option<bool>>) -> Self {
        self.family_friendly = family_friendly.into();
        self
    }

    /// Sets in which countries it may be played; `None` leaves it out.
    pub fn with_restriction(mut self, restriction: impl Into<Option<Restriction>>) -> Self {
        self.restriction = restriction.into();
        self
    }

    /// Sets whether one has to subscribe to see it; `None` leaves it out.
    pub fn with_requires_subscription(mut self, required: impl Into<Option<bool>>) -> Self {
        self.requires_subscription = required.into();
        self
    }

    /// Sets who uploaded it; `None` leaves it out.
    pub fn with_uploader(mut self, uploader: impl Into<Option<Uploader<'a>>>) -> Self {
        self.uploader = uploader.into();
        self
    }

    /// Sets on which devices it may be played; `None` leaves it out.
    pub fn with_platforms(mut self, platforms: impl Into<Option<Platforms>>) -> Self {
        self.platforms = platforms.into();
        self
    }

    /// Sets whether it is a live stream; `None` leaves it out.
    pub fn with_live(mut self, live: impl Into<Option<bool>>) -> Self {
        self.live = live.into();
        self
    }

    /// Adds what it is called in a catalogue.
    pub fn with_id(mut self, id: Id<'a>) -> Self {
        self.ids.push(id);
        self
    }
}

impl Video<'_> {
    /// The same video, independent of what it was made from.
    pub fn into_owned(self) -> Video<'static> {
        Video {
            thumbnail_loc: self.thumbnail_loc.into_owned(),
            title: owned(self.title),
            description: owned(self.description),
            content_loc: self.content_loc.map(Loc::into_owned),
            player_loc: self.player_loc.map(Loc::into_owned),
            duration: self.duration,
            expiration_date: self.expiration_date,
            rating: self.rating,
            content_segments: self.content_segments.into_iter().map(Segment::into_owned).collect(),
            view_count: self.view_count,
            publication_date: self.publication_date,
            tags: self.tags.into_iter().map(owned).collect(),
            family_friendly: self.family_friendly,
            restriction: self.restriction,
            requires_subscription: self.requires_subscription,
            uploader: self.uploader.map(Uploader::into_owned),
            platforms: self.platforms,
            live: self.live,
            ids: self.ids.into_iter().map(Id::into_owned).collect(),
            deprecated: self.deprecated.map(|deprecated| Box::new(deprecated.into_owned())),
        }
    }
}

fn duration(element: &'static str, seconds: u32) -> Result<u32, ExtensionError> {
    if (1..=Video::MAX_DURATION).contains(&seconds) {
        return Ok(seconds);
    }
    let expected = "must be between 1 and 28800 seconds";
    Err(ExtensionError::new(element, ExtensionErrorKind::Range, expected, seconds.to_string()))
}
