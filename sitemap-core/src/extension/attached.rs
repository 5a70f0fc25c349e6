//! The extensions of an entry, stored behind a single pointer.

use super::list::List;
use super::{Alternate, Element, ExtensionError, ExtensionErrorKind, Extensions, Image, News, Video};
use crate::value::Loc;

/// The extensions of an entry. Never empty: an entry without extensions has no `Attached`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attached<'a> {
    pub(crate) alternates: List<'a, Alternate<'a>>,
    pub(crate) images: List<'a, Image<'a>>,
    pub(crate) videos: List<'a, Video<'a>>,
    pub(crate) news: Option<News<'a>>,
    pub(crate) elements: List<'a, Element<'a>>,
}

impl<'a> Attached<'a> {
    /// Collects the extensions of all kinds. Returns `None` if there are none.
    pub(crate) fn of(
        alternates: Vec<Alternate<'a>>,
        images: Vec<Image<'a>>,
        videos: Vec<Video<'a>>,
        news: Option<News<'a>>,
    ) -> Option<Self> {
        if alternates.is_empty() && images.is_empty() && videos.is_empty() && news.is_none() {
            return None;
        }
        let (alternates, images, videos) = (alternates.into(), images.into(), videos.into());
        Some(Self { alternates, images, videos, news, elements: List::default() })
    }
}

impl Attached<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.extensions() == Extensions::NONE && self.elements.is_empty()
    }

    pub(crate) fn extensions(&self) -> Extensions {
        [
            (self.alternates.is_empty(), Extensions::ALTERNATES),
            (self.images.is_empty(), Extensions::IMAGES),
            (self.videos.is_empty(), Extensions::VIDEOS),
            (self.news.is_none(), Extensions::NEWS),
        ]
        .into_iter()
        .filter(|(is_empty, _)| !is_empty)
        .fold(Extensions::NONE, |all, (_, extension)| all | extension)
    }

    /// Checks the number of images, all values that were read from a document, and each video (see [`check_video`]).
    #[cold]
    pub(crate) fn check(&self, page: &Loc<'_>) -> Result<(), ExtensionError> {
        Image::check_all(&self.images)?;
        for video in &*self.videos {
            video.fields().check()?;
            check_video(video, page)?;
        }
        self.news.as_ref().map_or(Ok(()), |news| news.fields().check())
    }

    pub(crate) fn into_owned(self) -> Attached<'static> {
        Attached {
            alternates: self.alternates.into_owned(Alternate::into_owned),
            images: self.images.into_owned(Image::into_owned),
            videos: self.videos.into_owned(Video::into_owned),
            news: self.news.map(News::into_owned),
            elements: self.elements.into_owned(Element::into_owned),
        }
    }
}

/// Checks three rules: neither the media file nor the player of a video may be the page itself; a video with content
/// segments needs a player; and the page about the uploader must be on the same host as the video's page.
///
/// Source: [Google, video sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
pub(crate) fn check_video(video: &Video<'_>, page: &Loc<'_>) -> Result<(), ExtensionError> {
    let conflict = |element: &'static str, found: String, remedy: &'static str| {
        Err(ExtensionError::new(element, ExtensionErrorKind::Conflict, found, remedy))
    };
    for (element, loc) in
        [("video:content_loc", video.content_loc()), ("video:player_loc", video.player_loc())]
    {
        if let Some(loc) = loc.filter(|loc| *loc == page) {
            let found = format!("is {:?}, the URL of the page that the video is on", loc.as_str());
            return conflict(element, found, "use the URL of the media file or player");
        }
    }
    if let (Some(segment), None) = (video.content_segments().next(), video.player_loc()) {
        let loc = segment.loc().map(Loc::as_str).unwrap_or_default();
        let found = format!("is {loc:?}, but the video has no `video:player_loc`");
        return conflict(
            "video:content_segment_loc",
            found,
            "add `video:player_loc`, or use `video:content_loc` instead of segments",
        );
    }
    if let Some(uploader) = video.uploader()
        && let Some(info) = uploader.info()
        && host(info) != host(page)
    {
        let found = format!("is {:?}, which is not on the host of the video's page", info.as_str());
        return conflict("video:uploader info", found, "use a URL on the page's host or leave `info` out");
    }
    Ok(())
}

/// Returns the host and port of a URL. A `Loc` has a lower-case host, so two hosts can be compared as strings.
fn host<'l>(loc: &'l Loc<'_>) -> &'l str {
    let after_scheme = loc.as_str().split_once("://").map_or("", |(_, rest)| rest);
    after_scheme.split(['/', '?', '#']).next().unwrap_or_default()
}
