//! What the values of a video are.

use super::rating::Rating;
use super::{Id, Platforms, Restriction, Segment, Uploader, Video};
use crate::value::{LastMod, Loc};

/// What the values are.
impl<'a> Video<'a> {
    /// The address of a picture of it.
    #[must_use]
    pub const fn thumbnail_loc(&self) -> &Loc<'a> {
        &self.thumbnail_loc
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its description.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The media file.
    #[must_use]
    pub const fn content_loc(&self) -> Option<&Loc<'a>> {
        self.content_loc.as_ref()
    }

    /// The player.
    #[must_use]
    pub const fn player_loc(&self) -> Option<&Loc<'a>> {
        self.player_loc.as_ref()
    }

    /// Its length in seconds.
    #[must_use]
    pub const fn duration(&self) -> Option<u32> {
        self.duration
    }

    /// After when it is no longer available.
    #[must_use]
    pub const fn expiration_date(&self) -> Option<LastMod> {
        self.expiration_date
    }

    /// How good it is, from 0.0 to 5.0.
    #[must_use]
    pub fn rating(&self) -> Option<f64> {
        self.rating.map(Rating::get)
    }

    /// The files that it is published as, if several.
    pub fn content_segments(&self) -> &[Segment<'a>] {
        &self.content_segments
    }

    /// How often it was seen.
    #[must_use]
    pub const fn view_count(&self) -> Option<u64> {
        self.view_count
    }

    /// When it was first published.
    #[must_use]
    pub const fn publication_date(&self) -> Option<LastMod> {
        self.publication_date
    }

    /// Its tags.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tags.iter().map(|tag| &**tag)
    }

    /// Whether children may see it.
    #[must_use]
    pub const fn family_friendly(&self) -> Option<bool> {
        self.family_friendly
    }

    /// In which countries it may be played.
    #[must_use]
    pub const fn restriction(&self) -> Option<&Restriction> {
        self.restriction.as_ref()
    }

    /// Whether one has to subscribe to see it.
    #[must_use]
    pub const fn requires_subscription(&self) -> Option<bool> {
        self.requires_subscription
    }

    /// Who uploaded it.
    #[must_use]
    pub const fn uploader(&self) -> Option<&Uploader<'a>> {
        self.uploader.as_ref()
    }

    /// On which devices it may be played.
    #[must_use]
    pub const fn platforms(&self) -> Option<&Platforms> {
        self.platforms.as_ref()
    }

    /// Whether it is a live stream.
    #[must_use]
    pub const fn live(&self) -> Option<bool> {
        self.live
    }

    /// What it is called in catalogues.
    pub fn ids(&self) -> &[Id<'a>] {
        &self.ids
    }
}
