//! `image:image`: an image on a page.

use std::borrow::Cow;

use super::error::{ExtensionError, ExtensionErrorKind};
use super::fields::{Fields, Value, incomplete};
use super::group::Group;
use super::table::{Field, Kind, Table, table};
use super::text::ANY_LENGTH;
use crate::value::Loc;
#[cfg(feature = "url")]
use crate::value::LocError;

table!(image = "image:image" {
    LOC = Field::child("image:loc", Kind::Loc).required(),
    CAPTION = Field::child("image:caption", Kind::Text(ANY_LENGTH)).deprecated(),
    GEO_LOCATION = Field::child("image:geo_location", Kind::Text(ANY_LENGTH)).deprecated(),
    TITLE = Field::child("image:title", Kind::Text(ANY_LENGTH)).deprecated(),
    LICENSE = Field::child("image:license", Kind::Loc).deprecated(),
});

/// An image on a page. The image may be on a different host than the page.
///
/// Search engines read only the URL. Google deprecated the caption, geographic location, title and license in 2022. The
/// crate `sitemap-read` keeps these values, but they are written only [on request](crate::WriteOptions::deprecated).
///
/// Source: [Google, image sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
///
/// ```
/// use sitemap_core::{Entry, Extensions, Image, Loc, Site, SitemapWriter, WriteOptions};
///
/// let image = Image::new(Loc::parse("https://cdn.example.net/cat.jpg")?);
/// assert_eq!(image.loc().unwrap(), "https://cdn.example.net/cat.jpg");
///
/// let entry = Entry::new(Loc::parse("https://example.com/cats")?).with_images(vec![image]);
/// let options = WriteOptions::new().extensions(Extensions::IMAGES);
/// let mut sitemap = SitemapWriter::with_options(Site::new("https://example.com")?, Vec::new(), options);
/// sitemap.add(&entry)?;
/// let (xml, _) = sitemap.finish()?;
/// assert!(String::from_utf8_lossy(&xml).contains(
///     "<image:image><image:loc>https://cdn.example.net/cat.jpg</image:loc></image:image>"
/// ));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Image<'a> {
    /// The URL, unless it is invalid or missing. It has its own field because most images have no other value.
    loc: Option<Loc<'a>>,
    /// All values except a valid URL.
    others: Option<Box<Fields<'a>>>,
}

impl<'a> Image<'a> {
    /// The maximum number of images on one page.
    pub const MAX_PER_PAGE: usize = 1_000;

    /// Creates an image with only a URL.
    pub const fn new(loc: Loc<'a>) -> Self {
        Self { loc: Some(loc), others: None }
    }

    /// Sets the caption. Deprecated.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the string is blank or contains a character that XML forbids.
    pub fn with_caption(self, caption: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        self.with(image::CAPTION, Value::Text(caption.into()))
    }

    /// Sets the geographic location of the image, such as `Limerick, Ireland`. Deprecated.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the string is blank or contains a character that XML forbids.
    pub fn with_geo_location(self, place: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        self.with(image::GEO_LOCATION, Value::Text(place.into()))
    }

    /// Sets the title. Deprecated.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the string is blank or contains a character that XML forbids.
    pub fn with_title(self, title: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        self.with(image::TITLE, Value::Text(title.into()))
    }

    /// Sets the URL of the image's license. Deprecated.
    pub fn with_license(mut self, license: Loc<'a>) -> Self {
        self.others_mut().put(image::LICENSE, Value::Loc(license));
        self
    }

    fn with(mut self, at: u8, value: Value<'a>) -> Result<Self, ExtensionError> {
        self.others_mut().add(at, value)?;
        Ok(self)
    }

    fn others_mut(&mut self) -> &mut Fields<'a> {
        self.others.get_or_insert_with(|| Box::new(Fields::new(&image::TABLE)))
    }

    /// Returns the URL of the image. `None` if the image was [read](crate::extension#elements-of-documents) from a
    /// document without a valid URL for it.
    #[must_use]
    pub const fn loc(&self) -> Option<&Loc<'a>> {
        self.loc.as_ref()
    }

    /// Returns the caption. Deprecated.
    #[must_use]
    pub fn caption(&self) -> Option<&str> {
        self.others.as_ref()?.text(image::CAPTION)
    }

    /// Returns the geographic location of the image. Deprecated.
    #[must_use]
    pub fn geo_location(&self) -> Option<&str> {
        self.others.as_ref()?.text(image::GEO_LOCATION)
    }

    /// Returns the title. Deprecated.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.others.as_ref()?.text(image::TITLE)
    }

    /// Returns the URL of the image's license. Deprecated.
    #[must_use]
    pub fn license(&self) -> Option<&Loc<'a>> {
        self.others.as_ref()?.loc(image::LICENSE)
    }

    /// Returns all values except a valid URL.
    #[inline]
    pub(crate) fn others(&self) -> Option<&Fields<'a>> {
        self.others.as_deref()
    }

    /// Copies the borrowed strings, so that the image owns all of its data.
    pub fn into_owned(self) -> Image<'static> {
        Image {
            loc: self.loc.map(Loc::into_owned),
            others: self.others.map(|others| Box::new(others.into_owned())),
        }
    }

    /// Checks the number of images, and the values that were read from a document.
    pub(super) fn check_all(images: &[Self]) -> Result<(), ExtensionError> {
        images.iter().try_for_each(Self::check)?;
        if images.len() <= Self::MAX_PER_PAGE {
            return Ok(());
        }
        Err(ExtensionError::new(
            "image:image",
            ExtensionErrorKind::TooMany,
            format!("occurs {} times in one entry", images.len()),
            format!("use at most {}", Self::MAX_PER_PAGE),
        ))
    }
}

impl Image<'_> {
    #[inline]
    fn check(&self) -> Result<(), ExtensionError> {
        match (&self.loc, &self.others) {
            (Some(_), None) => Ok(()),
            (Some(_), Some(others)) => others.check_present(),
            (None, Some(others)) => others.check(),
            (None, None) => Err(incomplete(image::TABLE.element, "`image:loc`")),
        }
    }
}

impl<'a> Group<'a> for Image<'a> {
    const TABLE: &'static Table = &image::TABLE;

    fn from_fields(mut fields: Fields<'a>) -> Result<Self, ExtensionError> {
        let Some(loc) = fields.take_loc(image::LOC) else {
            return Err(incomplete(image::TABLE.element, "`image:loc`"));
        };
        Ok(Self { loc: Some(loc), others: (!fields.is_empty()).then(|| Box::new(fields)) })
    }

    fn from_document(mut fields: Fields<'a>) -> Self {
        let loc = fields.take_loc(image::LOC);
        Self { loc, others: (!fields.is_empty()).then(|| Box::new(fields)) }
    }
}

impl<'a> From<Loc<'a>> for Image<'a> {
    fn from(loc: Loc<'a>) -> Self {
        Self::new(loc)
    }
}

impl<'a> From<&'a Loc<'_>> for Image<'a> {
    fn from(loc: &'a Loc<'_>) -> Self {
        Self::new(Loc::trusted(loc.as_str().into()))
    }
}

#[cfg(feature = "url")]
impl<'a> TryFrom<&'a url::Url> for Image<'a> {
    type Error = LocError;

    fn try_from(url: &'a url::Url) -> Result<Self, LocError> {
        Loc::parse(url.as_str()).map(Self::new)
    }
}
