//! `video:video`: a video on a page.

mod deprecated;
mod values;

use std::borrow::Cow;

pub use self::deprecated::{Gallery, Price, PriceKind, Resolution, TvShow, TvShowKind};
pub use self::values::{Id, IdKind, Platform, Platforms, Relationship, Restriction, Segment, Uploader};
use super::error::ExtensionError;
use super::fields::{Fields, Value, from_ten_thousandths};
use super::group::{Lent, Nested as _, group};
use super::table::{Field, Kind, Table, table};
use super::text::ANY_LENGTH;
use crate::value::{LastMod, Loc};

table!(video = "video:video" {
    THUMBNAIL_LOC = Field::child("video:thumbnail_loc", Kind::Loc).required(),
    TITLE = Field::child("video:title", Kind::Text(Video::MAX_TITLE)).required(),
    DESCRIPTION = Field::child("video:description", Kind::Text(Video::MAX_DESCRIPTION)).required(),
    CONTENT_LOC = Field::child("video:content_loc", Kind::Loc),
    PLAYER_LOC = Field::child(PLAYER, Kind::Loc),
    ALLOW_EMBED = Field::attribute_of(PLAYER, "video:player_loc allow_embed", Kind::Flag).deprecated(),
    AUTOPLAY = Field::attribute_of(PLAYER, "video:player_loc autoplay", Kind::Text(ANY_LENGTH)).deprecated(),
    DURATION = Field::child("video:duration", values::SECONDS),
    EXPIRATION_DATE = Field::child("video:expiration_date", Kind::Date { minutes: false }),
    RATING = Field::child("video:rating", Kind::Rating),
    CONTENT_SEGMENT = Field::child("video:content_segment_loc", Kind::Group(&values::segment::TABLE))
        .json("content_segments")
        .repeated(usize::MAX),
    VIEW_COUNT = Field::child("video:view_count", Kind::Number { least: 0, most: u64::MAX, remedy: "" }),
    PUBLICATION_DATE = Field::child("video:publication_date", Kind::Date { minutes: false }),
    TAG = Field::child("video:tag", Kind::Text(ANY_LENGTH)).json("tags").repeated(Video::MAX_TAGS),
    CATEGORY = Field::child("video:category", Kind::Text(256)).deprecated(),
    FAMILY_FRIENDLY = Field::child("video:family_friendly", Kind::Flag),
    RESTRICTION = Field::child("video:restriction", Kind::Group(&values::restriction::TABLE)),
    GALLERY = Field::child("video:gallery_loc", Kind::Group(&deprecated::gallery::TABLE))
        .json("gallery")
        .deprecated(),
    PRICE = Field::child("video:price", Kind::Group(&deprecated::price::TABLE))
        .json("prices")
        .repeated(usize::MAX)
        .deprecated(),
    REQUIRES_SUBSCRIPTION = Field::child("video:requires_subscription", Kind::Flag),
    UPLOADER = Field::child("video:uploader", Kind::Group(&values::uploader::TABLE)),
    TV_SHOW = Field::child("video:tvshow", Kind::Group(&deprecated::tv_show::TABLE)).json("tv_show").deprecated(),
    PLATFORM = Field::child("video:platform", Kind::Group(&values::platforms::TABLE)).json("platforms"),
    LIVE = Field::child("video:live", Kind::Flag),
    ID = Field::child("video:id", Kind::Group(&values::id::TABLE)).json("ids").repeated(usize::MAX),
} CONTENT_LOC | PLAYER_LOC);

const PLAYER: &str = "video:player_loc";

/// A video on a page.
///
/// Google requires a thumbnail, a title, a description, and a media file, a player or both.
///
/// In 2022, Google deprecated the category, the gallery, the prices, the TV show and the attributes of the player. The
/// crate `sitemap-read` keeps these values, but they are written only [on request](crate::WriteOptions::deprecated).
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
/// assert_eq!(video.title(), "Grilling steaks for summer");
/// assert_eq!((video.duration(), video.rating()), (Some(600), Some(4.2)));
/// assert!(video.tags().eq(["steak"]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Video<'a>(Lent<'a>);

group!(Video of video::TABLE);

/// The media file or the player of a video. Google requires at least one of them.
///
/// ```
/// use sitemap_core::{Loc, Video};
/// use sitemap_core::extension::VideoSource;
///
/// let thumbnail = Loc::parse("https://example.com/1.jpg")?;
/// let player = VideoSource::Player(Loc::parse("https://example.com/embed/1")?);
/// let video = Video::new(thumbnail, "Title", "Description", player)?;
/// assert_eq!(video.player_loc().unwrap().as_str(), "https://example.com/embed/1");
/// assert_eq!(video.content_loc(), None);
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VideoSource<'a> {
    /// The URL of the media file.
    Content(Loc<'a>),
    /// The URL of a player for the video, as in the `src` attribute of an `embed` element.
    Player(Loc<'a>),
}

impl<'a> Video<'a> {
    /// The maximum number of tags on one video.
    pub const MAX_TAGS: usize = 32;
    /// The maximum length of a title, in characters.
    pub const MAX_TITLE: usize = 100;
    /// The maximum length of a description, in characters.
    pub const MAX_DESCRIPTION: usize = 2_048;
    /// The maximum duration, in seconds: eight hours.
    pub const MAX_DURATION: u32 = values::MAX_DURATION;

    /// Creates a video with the values that Google requires. `thumbnail_loc` is the URL of the thumbnail. The media
    /// file or player must not be the page itself.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the title or the description is blank or contains a character that XML forbids,
    /// or if the title has more than 100 characters or the description more than 2,048.
    pub fn new(
        thumbnail_loc: Loc<'a>,
        title: impl Into<Cow<'a, str>>,
        description: impl Into<Cow<'a, str>>,
        source: VideoSource<'a>,
    ) -> Result<Self, ExtensionError> {
        let (at, loc) = match source {
            VideoSource::Content(loc) => (video::CONTENT_LOC, loc),
            VideoSource::Player(loc) => (video::PLAYER_LOC, loc),
        };
        let fields = Fields::new(&video::TABLE)
            .with(video::THUMBNAIL_LOC, Value::Loc(thumbnail_loc))?
            .with(video::TITLE, Value::Text(title.into()))?
            .with(video::DESCRIPTION, Value::Text(description.into()))?
            .with(at, Value::Loc(loc))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Sets the URL of the media file. A video may have both a media file and a player.
    pub fn with_content_loc(self, loc: Loc<'a>) -> Self {
        Self(self.0.put(video::CONTENT_LOC, Value::Loc(loc)))
    }

    /// Sets the URL of the player. A video may have both a player and a media file.
    pub fn with_player_loc(self, loc: Loc<'a>) -> Self {
        Self(self.0.put(video::PLAYER_LOC, Value::Loc(loc)))
    }

    /// Sets the duration, in seconds.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the duration is not between 1 and 28,800 seconds.
    pub fn with_duration(self, seconds: u32) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(video::DURATION, Value::Number(seconds.into()))?))
    }

    /// Sets the date after which the video is no longer available.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the date has no day, or has a time without seconds.
    pub fn with_expiration_date(self, date: LastMod) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(video::EXPIRATION_DATE, Value::Date(date))?))
    }

    /// Sets the rating from 0.0 (low) to 5.0 (high), rounded to four decimals.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the rating is not between 0.0 and 5.0.
    pub fn with_rating(self, rating: f64) -> Result<Self, ExtensionError> {
        let field = &video::TABLE.fields[usize::from(video::RATING)];
        Ok(Self(self.0.with(video::RATING, Value::rating(field, rating)?)?))
    }

    /// Adds a content segment, which is one of the media files of a video that is split into several files. A video
    /// with segments needs a player.
    pub fn with_content_segment(self, segment: Segment<'a>) -> Self {
        Self(self.0.put(video::CONTENT_SEGMENT, segment.into_value()))
    }

    /// Sets the number of views. `None` removes the value.
    pub fn with_view_count(self, views: impl Into<Option<u64>>) -> Self {
        Self(self.0.put(video::VIEW_COUNT, views.into().map(Value::Number)))
    }

    /// Sets the date when the video was first published.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the date has no day, or has a time without seconds.
    pub fn with_publication_date(self, date: LastMod) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(video::PUBLICATION_DATE, Value::Date(date))?))
    }

    /// Adds a tag: a short string that describes the video.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the tag is blank or contains a character that XML forbids, or if the video
    /// already has [32 tags](Self::MAX_TAGS).
    pub fn with_tag(self, tag: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(video::TAG, Value::Text(tag.into()))?))
    }

    /// Sets whether users with `SafeSearch` see the video. With `false`, Google shows it only to users who turn
    /// `SafeSearch` off. `None` removes the value.
    pub fn with_family_friendly(self, family_friendly: impl Into<Option<bool>>) -> Self {
        Self(self.0.put(video::FAMILY_FRIENDLY, family_friendly.into().map(Value::Flag)))
    }

    /// Limits the countries where search results show the video. `None` removes the limit.
    pub fn with_restriction(self, restriction: impl Into<Option<Restriction<'a>>>) -> Self {
        Self(self.0.put(video::RESTRICTION, restriction.into().map(Restriction::into_value)))
    }

    /// Sets whether viewers need a subscription. `None` removes the value.
    pub fn with_requires_subscription(self, required: impl Into<Option<bool>>) -> Self {
        Self(self.0.put(video::REQUIRES_SUBSCRIPTION, required.into().map(Value::Flag)))
    }

    /// Sets the uploader. `None` removes the value.
    pub fn with_uploader(self, uploader: impl Into<Option<Uploader<'a>>>) -> Self {
        Self(self.0.put(video::UPLOADER, uploader.into().map(Uploader::into_value)))
    }

    /// Limits the platforms where search results show the video. `None` removes the limit.
    pub fn with_platforms(self, platforms: impl Into<Option<Platforms<'a>>>) -> Self {
        Self(self.0.put(video::PLATFORM, platforms.into().map(Platforms::into_value)))
    }

    /// Sets whether the video is a live stream. `None` removes the value.
    pub fn with_live(self, live: impl Into<Option<bool>>) -> Self {
        Self(self.0.put(video::LIVE, live.into().map(Value::Flag)))
    }

    /// Adds an identifier of the video.
    pub fn with_id(self, id: Id<'a>) -> Self {
        Self(self.0.put(video::ID, id.into_value()))
    }

    /// Returns the URL of the thumbnail. `None` if the video was [read](crate::extension#elements-of-documents) from a
    /// document without a valid thumbnail URL for it.
    #[must_use]
    pub fn thumbnail_loc(&self) -> Option<&Loc<'a>> {
        self.0.loc(video::THUMBNAIL_LOC)
    }

    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.0.text(video::TITLE).unwrap_or_default()
    }

    /// Returns the description.
    #[must_use]
    pub fn description(&self) -> &str {
        self.0.text(video::DESCRIPTION).unwrap_or_default()
    }

    /// Returns the URL of the media file.
    #[must_use]
    pub fn content_loc(&self) -> Option<&Loc<'a>> {
        self.0.loc(video::CONTENT_LOC)
    }

    /// Returns the URL of the player.
    #[must_use]
    pub fn player_loc(&self) -> Option<&Loc<'a>> {
        self.0.loc(video::PLAYER_LOC)
    }

    /// Returns the duration, in seconds.
    #[must_use]
    pub fn duration(&self) -> Option<u32> {
        self.0.small_number(video::DURATION)
    }

    /// Returns the date after which the video is no longer available.
    #[must_use]
    pub fn expiration_date(&self) -> Option<LastMod> {
        self.0.date(video::EXPIRATION_DATE)
    }

    /// Returns the rating, from 0.0 to 5.0.
    #[must_use]
    pub fn rating(&self) -> Option<f64> {
        self.0.number(video::RATING).map(from_ten_thousandths)
    }

    /// Returns the content segments: the media files of a video that is split into several files.
    pub fn content_segments(&self) -> impl Iterator<Item = Segment<'_>> {
        self.0.groups(video::CONTENT_SEGMENT).map(Segment::lent)
    }

    /// Returns the number of views.
    #[must_use]
    pub fn view_count(&self) -> Option<u64> {
        self.0.number(video::VIEW_COUNT)
    }

    /// Returns the date when the video was first published.
    #[must_use]
    pub fn publication_date(&self) -> Option<LastMod> {
        self.0.date(video::PUBLICATION_DATE)
    }

    /// Returns the tags.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.texts(video::TAG)
    }

    /// Returns `Some(false)` if Google shows the video only to users who turn `SafeSearch` off.
    #[must_use]
    pub fn family_friendly(&self) -> Option<bool> {
        self.0.flag(video::FAMILY_FRIENDLY)
    }

    /// Returns the list that limits the countries where search results show the video.
    #[must_use]
    pub fn restriction(&self) -> Option<Restriction<'_>> {
        self.0.group(video::RESTRICTION).map(Restriction::lent)
    }

    /// Returns `Some(true)` if viewers need a subscription.
    #[must_use]
    pub fn requires_subscription(&self) -> Option<bool> {
        self.0.flag(video::REQUIRES_SUBSCRIPTION)
    }

    /// Returns the uploader.
    #[must_use]
    pub fn uploader(&self) -> Option<Uploader<'_>> {
        self.0.group(video::UPLOADER).map(Uploader::lent)
    }

    /// Returns the list that limits the platforms where search results show the video.
    #[must_use]
    pub fn platforms(&self) -> Option<Platforms<'_>> {
        self.0.group(video::PLATFORM).map(Platforms::lent)
    }

    /// Returns `Some(true)` if the video is a live stream.
    #[must_use]
    pub fn live(&self) -> Option<bool> {
        self.0.flag(video::LIVE)
    }

    /// Returns the identifiers of the video.
    pub fn ids(&self) -> impl Iterator<Item = Id<'_>> {
        self.0.groups(video::ID).map(Id::lent)
    }

    pub(crate) fn fields(&self) -> &Fields<'a> {
        &self.0
    }
}

/// Deprecated values.
impl<'a> Video<'a> {
    /// Sets whether search results may embed the player. Deprecated.
    ///
    /// The value is an attribute of `video:player_loc`, so it is written only if the video has a player.
    pub fn with_allow_embed(self, allow_embed: bool) -> Self {
        Self(self.0.put(video::ALLOW_EMBED, Value::Flag(allow_embed)))
    }

    /// Sets the URL parameter that makes the player start automatically. Deprecated.
    ///
    /// The value is an attribute of `video:player_loc`, so it is written only if the video has a player.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the string is blank or contains a character that XML forbids.
    pub fn with_autoplay(self, autoplay: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(video::AUTOPLAY, Value::Text(autoplay.into()))?))
    }

    /// Sets the category. Deprecated.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the category is blank, has more than 256 characters, or contains a character
    /// that XML forbids.
    pub fn with_category(self, category: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(video::CATEGORY, Value::Text(category.into()))?))
    }

    /// Sets the gallery that the video belongs to. Deprecated.
    pub fn with_gallery(self, gallery: Gallery<'a>) -> Self {
        Self(self.0.put(video::GALLERY, gallery.into_value()))
    }

    /// Adds a price for which the video can be viewed or downloaded. Deprecated.
    pub fn with_price(self, price: Price<'a>) -> Self {
        Self(self.0.put(video::PRICE, price.into_value()))
    }

    /// Sets the TV show that the video belongs to. Deprecated.
    pub fn with_tv_show(self, tv_show: TvShow<'a>) -> Self {
        Self(self.0.put(video::TV_SHOW, tv_show.into_value()))
    }

    /// Returns `Some(true)` if search results may embed the player, or `Some(false)` if they must not. Deprecated.
    #[must_use]
    pub fn allow_embed(&self) -> Option<bool> {
        self.0.flag(video::ALLOW_EMBED)
    }

    /// Returns the URL parameter that makes the player start automatically. Deprecated.
    #[must_use]
    pub fn autoplay(&self) -> Option<&str> {
        self.0.text(video::AUTOPLAY)
    }

    /// Returns the category. Deprecated.
    #[must_use]
    pub fn category(&self) -> Option<&str> {
        self.0.text(video::CATEGORY)
    }

    /// Returns the gallery that the video belongs to. Deprecated.
    #[must_use]
    pub fn gallery(&self) -> Option<Gallery<'_>> {
        self.0.group(video::GALLERY).map(Gallery::lent)
    }

    /// Returns the prices. Deprecated.
    pub fn prices(&self) -> impl Iterator<Item = Price<'_>> {
        self.0.groups(video::PRICE).map(Price::lent)
    }

    /// Returns the TV show that the video belongs to. Deprecated.
    #[must_use]
    pub fn tv_show(&self) -> Option<TvShow<'_>> {
        self.0.group(video::TV_SHOW).map(TvShow::lent)
    }
}
