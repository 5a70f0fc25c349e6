//! `video:tvshow`: the television programme that a video belongs to. Deprecated.

use std::borrow::Cow;

use crate::extension::error::{ExtensionError, ExtensionErrorKind};
use crate::extension::image::owned;
use crate::extension::text::{ANY_LENGTH, checked, full_date};
use crate::extension::words::words;
use crate::value::LastMod;

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
