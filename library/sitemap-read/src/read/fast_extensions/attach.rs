//! Builds an entry's extensions from their outline.

use std::str;

use super::super::namespace::Space;
use super::outline::{Found, Outline, PartKind};
use super::values::{Origins, Values};
use sitemap_core::reading::{Group as _, trusted_alternate, with_extensions};
use sitemap_core::{Entry, Image, News, Video};

impl Outline {
    /// Adds the extensions of the current entry to `entry`, which has none yet. If a value is missing or unusual, the
    /// general parser must read the entry, so this returns the unchanged `entry` as an error.
    pub(in super::super) fn attach<'t>(
        &self,
        entry: Entry<'t>,
        text: &'t [u8],
        origins: &mut Origins,
    ) -> Result<Entry<'t>, Entry<'t>> {
        let Ok(text) = str::from_utf8(text) else { return Err(entry) };
        let mut values = Values { parts: &self.parts, text, origins };
        let (mut alternates, mut images) = (Vec::with_capacity(self.links), Vec::with_capacity(self.images));
        let (mut videos, mut news) = (Vec::new(), None);
        for found in &self.found {
            let is_read = match *found {
                Found::Link { hreflang, href } => {
                    let hreflang = &text[hreflang.0..hreflang.1];
                    let href = values.link_url(href, alternates.len());
                    href.map(|href| alternates.push(trusted_alternate(hreflang, href)))
                }
                Found::Image(loc) => values.image_url(loc).map(|loc| images.push(Image::new(loc))),
                Found::Element(at) => match (self.space(at), values.name(at)) {
                    (Some(Space::Xhtml), b"link") => {
                        values.link(at, alternates.len()).map(|link| alternates.push(link))
                    }
                    (Some(Space::Image), b"image") => values.image(at).map(|image| images.push(image)),
                    (Some(Space::Video), b"video") => {
                        let fields = values.fields(at, Video::TABLE);
                        fields.map(|fields| videos.push(Video::from_document(fields)))
                    }
                    (Some(Space::News), b"news") if news.is_none() => {
                        let fields = values.fields(at, News::TABLE);
                        fields.map(|fields| news = Some(News::from_document(fields)))
                    }
                    (Some(Space::Foreign), _) => Some(()),
                    _ => None,
                },
            };
            if is_read.is_none() {
                return Err(entry);
            }
        }
        if images.len() > Image::MAX_PER_PAGE {
            return Err(entry);
        }
        Ok(with_extensions(entry, alternates, images, videos, news))
    }

    /// Returns the vocabulary of an element.
    fn space(&self, at: usize) -> Option<Space> {
        match self.parts[at].kind {
            PartKind::Element(space) | PartKind::CData(space) => Some(space),
            PartKind::Attribute => None,
        }
    }
}
