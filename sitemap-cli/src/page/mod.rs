//! A page as JSON: what `list` prints and `build` reads, value by value as the protocol names them.

mod element;
mod image;
mod news;
mod video;
mod video_values;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sitemap_core::{Alternate, ChangeFreq, Entry, Error, LastMod, Priority, Site};

pub(crate) use element::{Content, Element};
pub(crate) use image::Image;
pub(crate) use news::News;
pub(crate) use video::Video;

/// One page. A key that none of these is named is an error: it is mostly a misspelt one.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page<'a> {
    #[serde(borrow)]
    pub(crate) loc: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) lastmod: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) changefreq: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<f64>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) alternates: Vec<Link<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<Image<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) videos: Vec<Video<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) news: Option<News<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) elements: Vec<Element<'a>>,
}

/// The page for another language.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link<'a> {
    #[serde(borrow)]
    hreflang: Cow<'a, str>,
    #[serde(borrow)]
    href: Cow<'a, str>,
}

impl<'a> Page<'a> {
    pub(crate) fn of(entry: &'a Entry<'_>) -> Self {
        Self {
            loc: entry.loc().as_str().into(),
            lastmod: entry.lastmod().map(shown),
            changefreq: entry.changefreq().map(|changefreq| changefreq.as_str().into()),
            priority: entry.priority().map(Priority::get),
            alternates: entry.alternates().iter().map(Link::of).collect(),
            images: entry.images().iter().map(Image::of).collect(),
            videos: entry.videos().iter().map(Video::of).collect(),
            news: entry.news().map(News::of),
            elements: entry.elements().iter().map(Element::of).collect(),
        }
    }

    /// The entry; a path counts from the site's base.
    pub(crate) fn entry<'e>(&'e self, site: &Site) -> Result<Entry<'e>, Error> {
        let mut entry = Entry::new(site.resolve(&*self.loc)?)
            .with_lastmod(self.lastmod.as_deref().map(LastMod::parse).transpose()?)
            .with_changefreq(self.changefreq.as_deref().map(str::parse::<ChangeFreq>).transpose()?)
            .with_priority(self.priority.map(Priority::new).transpose()?);
        if !self.alternates.is_empty() {
            let alternates = self.alternates.iter().map(Link::alternate);
            entry = entry.with_alternates(alternates.collect::<Result<Vec<_>, Error>>()?);
        }
        if !self.images.is_empty() {
            let images = self.images.iter().map(Image::image);
            entry = entry.with_images(images.collect::<Result<Vec<_>, Error>>()?);
        }
        if !self.videos.is_empty() {
            let videos = self.videos.iter().map(Video::video);
            entry = entry.with_videos(videos.collect::<Result<Vec<_>, Error>>()?);
        }
        if let Some(news) = &self.news {
            entry = entry.with_news(news.news()?);
        }
        if !self.elements.is_empty() {
            let elements = self.elements.iter().map(Element::element);
            entry = entry.with_elements(elements.collect::<Result<Vec<_>, Error>>()?);
        }
        Ok(entry)
    }
}

impl<'a> Link<'a> {
    fn of(alternate: &'a Alternate<'_>) -> Self {
        Self { hreflang: alternate.hreflang().as_str().into(), href: alternate.href().as_str().into() }
    }

    fn alternate(&self) -> Result<Alternate<'_>, Error> {
        Ok(Alternate::parse(&*self.hreflang, &*self.href)?)
    }
}

/// A date as its text.
fn shown(value: LastMod) -> Cow<'static, str> {
    value.to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_named_with_those_that_there_are() {
        let error = serde_json::from_str::<Page<'_>>(r#"{"loc": "/", "lastMod": "2026"}"#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown field `lastMod`, expected one of `loc`, `lastmod`, `changefreq`, `priority`, \
             `alternates`, `images`, `videos`, `news`, `elements` at line 1 column 22"
        );
    }

    #[test]
    fn the_four_values_alone_are_short() {
        let page: Page<'_> =
            serde_json::from_str(r#"{"loc":"/a","lastmod":"2026-01","priority":1}"#).unwrap();
        let site = Site::new("https://example.com").unwrap();
        let entry = page.entry(&site).unwrap();
        assert_eq!(
            serde_json::to_string(&Page::of(&entry)).unwrap(),
            r#"{"loc":"https://example.com/a","lastmod":"2026-01","priority":1.0}"#
        );
    }
}
