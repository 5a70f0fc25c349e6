//! Builds the extensions of an entry from their outline.

use std::str;

use super::super::namespace::Space;
use super::outline::{Outline, PartKind};
use super::values::{Origins, Values};
use sitemap_core::__read::Group as _;
use sitemap_core::{Alternate, Entry, Image, News, Video};

/// The extensions of an entry.
#[derive(Default)]
struct Extensions<'t> {
    alternates: Vec<Alternate<'t>>,
    images: Vec<Image<'t>>,
    videos: Vec<Video<'t>>,
    news: Option<News<'t>>,
}

impl Outline {
    /// Adds the extensions of the current entry to `entry`. Returns the unchanged entry as an error if the general
    /// parser must read it, because a value is missing or unusual.
    pub(in super::super) fn attach<'t>(
        &self,
        mut entry: Entry<'t>,
        text: &'t [u8],
        origins: &mut Origins,
    ) -> Result<Entry<'t>, Entry<'t>> {
        let Some(found) = self.extensions(text, origins) else { return Err(entry) };
        if !found.images.is_empty() {
            entry = entry.with_images(found.images);
        }
        if !found.videos.is_empty() {
            entry = entry.with_videos(found.videos);
        }
        if !found.alternates.is_empty() {
            entry = entry.with_alternates(found.alternates);
        }
        if found.news.is_some() {
            entry = entry.with_news(found.news);
        }
        Ok(entry)
    }

    fn extensions<'t>(&self, text: &'t [u8], origins: &mut Origins) -> Option<Extensions<'t>> {
        let text = str::from_utf8(text).ok()?;
        let mut values = Values { parts: &self.parts, text, origins };
        let mut found = Extensions {
            alternates: Vec::with_capacity(self.links),
            images: Vec::with_capacity(self.images),
            ..Extensions::default()
        };
        let mut next = 0;
        while let Some(part) = self.parts.get(next) {
            let at = next;
            next = part.next;
            let (PartKind::Element(space) | PartKind::CData(space)) = part.kind else { return None };
            match (space, values.name(at)) {
                (Space::Xhtml, b"link") => {
                    found.alternates.push(values.link(at, found.alternates.len())?);
                }
                (Space::Image, b"image") => found.images.push(values.image(at)?),
                (Space::Video, b"video") => {
                    found.videos.push(Video::from_document(values.fields(at, Video::TABLE)?));
                }
                (Space::News, b"news") if found.news.is_none() => {
                    found.news = Some(News::from_document(values.fields(at, News::TABLE)?));
                }
                (Space::Foreign, _) => {}
                _ => return None,
            }
        }
        (found.images.len() <= Image::MAX_PER_PAGE).then_some(found)
    }
}
