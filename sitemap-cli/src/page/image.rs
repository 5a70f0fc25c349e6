//! `image:image` as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sitemap_core::{Error, Loc};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Image<'a> {
    #[serde(borrow)]
    loc: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    caption: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    geo_location: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    title: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    license: Option<Cow<'a, str>>,
}

impl<'a> Image<'a> {
    pub(super) fn of(image: &'a sitemap_core::Image<'_>) -> Self {
        Self {
            loc: image.loc().as_str().into(),
            caption: image.caption().map(Cow::Borrowed),
            geo_location: image.geo_location().map(Cow::Borrowed),
            title: image.title().map(Cow::Borrowed),
            license: image.license().map(|license| license.as_str().into()),
        }
    }

    pub(super) fn image(&self) -> Result<sitemap_core::Image<'_>, Error> {
        let mut image = sitemap_core::Image::new(Loc::parse(&*self.loc)?);
        if let Some(caption) = self.caption.as_deref() {
            image = image.with_caption(caption)?;
        }
        if let Some(place) = self.geo_location.as_deref() {
            image = image.with_geo_location(place)?;
        }
        if let Some(title) = self.title.as_deref() {
            image = image.with_title(title)?;
        }
        if let Some(license) = self.license.as_deref() {
            image = image.with_license(Loc::parse(license)?);
        }
        Ok(image)
    }
}
