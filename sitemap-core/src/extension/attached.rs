//! All that an entry carries beside the protocol's four values, behind one pointer.

use super::list::List;
use super::{Alternate, Element, ExtensionError, ExtensionErrorKind, Extensions, Image, News, Video};
use crate::value::Loc;

/// Never empty: an entry without extensions has none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attached<'a> {
    pub(crate) alternates: List<'a, Alternate<'a>>,
    pub(crate) images: List<'a, Image<'a>>,
    pub(crate) videos: List<'a, Video<'a>>,
    pub(crate) news: Option<News<'a>>,
    pub(crate) elements: List<'a, Element<'a>>,
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

    /// What no value can know by itself: how many there are, and on which page.
    #[cold]
    pub(crate) fn check(&self, page: &Loc<'_>) -> Result<(), ExtensionError> {
        Image::check_count(&self.images)?;
        self.videos.iter().try_for_each(|video| check_video(video, page))
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

/// Whether the video goes with its page.
pub(crate) fn check_video(video: &Video<'_>, page: &Loc<'_>) -> Result<(), ExtensionError> {
    let conflict = |element: &'static str, expected: &'static str, found: &str| {
        Err(ExtensionError::new(element, ExtensionErrorKind::Conflict, expected, format!("{found:?}")))
    };
    for (element, loc) in
        [("video:content_loc", video.content_loc()), ("video:player_loc", video.player_loc())]
    {
        if let Some(loc) = loc.filter(|loc| *loc == page) {
            let expected = "must not be the page that the video is on; name the media file or player itself";
            return conflict(element, expected, loc.as_str());
        }
    }
    if let (Some(segment), None) = (video.content_segments().next(), video.player_loc()) {
        let expected = "must stand beside a `video:player_loc`; add one or use `video:content_loc`";
        return conflict("video:content_segment_loc", expected, segment.loc().as_str());
    }
    if let Some(uploader) = video.uploader()
        && let Some(info) = uploader.info()
        && host(info) != host(page)
    {
        let expected = "must be on the domain of the page that the video is on";
        return conflict("video:uploader info", expected, info.as_str());
    }
    Ok(())
}

/// The host and port, which are in lower case.
fn host<'l>(loc: &'l Loc<'_>) -> &'l str {
    let after_scheme = loc.as_str().split_once("://").map_or("", |(_, rest)| rest);
    after_scheme.split(['/', '?', '#']).next().unwrap_or_default()
}
