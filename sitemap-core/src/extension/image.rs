//! `image:image`: a picture on a page.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use url::Url;

use super::error::{ExtensionError, ExtensionErrorKind};
use super::text::{ANY_LENGTH, checked};
use crate::value::{Loc, LocError};

/// A picture on a page, which may be on another host.
///
/// Its address is all that Google still reads. The other four values are deprecated since 2022: they
/// are kept when read, and written only
/// [on request](crate::WriteOptions::deprecated).
///
/// Source: [Google, image sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
///
/// ```
/// use sitemap_core::{Entry, Image, Loc};
///
/// let image = Image::new(Loc::parse("https://cdn.example.net/cat.jpg")?);
/// let entry = Entry::new(Loc::parse("https://example.com/cats")?).with_images(vec![image]);
/// assert_eq!(entry.images()[0].loc().as_str(), "https://cdn.example.net/cat.jpg");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Image<'a> {
    loc: Loc<'a>,
    deprecated: Option<Box<Deprecated<'a>>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Deprecated<'a> {
    caption: Option<Cow<'a, str>>,
    geo_location: Option<Cow<'a, str>>,
    title: Option<Cow<'a, str>>,
    license: Option<Loc<'a>>,
}

impl<'a> Image<'a> {
    /// The most that one page may have.
    pub const MAX_PER_PAGE: usize = 1_000;

    /// A picture by its address.
    pub const fn new(loc: Loc<'a>) -> Self {
        Self { loc, deprecated: None }
    }

    /// Sets a caption. Deprecated.
    ///
    /// # Errors
    ///
    /// If it is empty or has a character that XML forbids.
    pub fn with_caption(mut self, caption: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let caption = checked("image:caption", caption, ANY_LENGTH)?;
        self.deprecated_mut().caption = Some(caption);
        Ok(self)
    }

    /// Sets where it was taken, as in `Limerick, Ireland`. Deprecated.
    ///
    /// # Errors
    ///
    /// If it is empty or has a character that XML forbids.
    pub fn with_geo_location(mut self, place: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let place = checked("image:geo_location", place, ANY_LENGTH)?;
        self.deprecated_mut().geo_location = Some(place);
        Ok(self)
    }

    /// Sets a title. Deprecated.
    ///
    /// # Errors
    ///
    /// If it is empty or has a character that XML forbids.
    pub fn with_title(mut self, title: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let title = checked("image:title", title, ANY_LENGTH)?;
        self.deprecated_mut().title = Some(title);
        Ok(self)
    }

    /// Sets where its licence stands. Deprecated.
    pub fn with_license(mut self, license: Loc<'a>) -> Self {
        self.deprecated_mut().license = Some(license);
        self
    }

    /// Its address.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'a> {
        &self.loc
    }

    /// Its caption. Deprecated.
    #[must_use]
    pub fn caption(&self) -> Option<&str> {
        self.deprecated.as_ref()?.caption.as_deref()
    }

    /// Where it was taken. Deprecated.
    #[must_use]
    pub fn geo_location(&self) -> Option<&str> {
        self.deprecated.as_ref()?.geo_location.as_deref()
    }

    /// Its title. Deprecated.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.deprecated.as_ref()?.title.as_deref()
    }

    /// Where its licence stands. Deprecated.
    #[must_use]
    pub fn license(&self) -> Option<&Loc<'a>> {
        self.deprecated.as_ref()?.license.as_ref()
    }

    /// The same picture, independent of what it was made from.
    pub fn into_owned(self) -> Image<'static> {
        Image {
            loc: self.loc.into_owned(),
            deprecated: self.deprecated.map(|deprecated| {
                Box::new(Deprecated {
                    caption: deprecated.caption.map(owned),
                    geo_location: deprecated.geo_location.map(owned),
                    title: deprecated.title.map(owned),
                    license: deprecated.license.map(Loc::into_owned),
                })
            }),
        }
    }

    fn deprecated_mut(&mut self) -> &mut Deprecated<'a> {
        self.deprecated.get_or_insert_default()
    }

    pub(super) fn check_count(images: &[Self]) -> Result<(), ExtensionError> {
        if images.len() <= Self::MAX_PER_PAGE {
            return Ok(());
        }
        Err(ExtensionError::new(
            "image:image",
            ExtensionErrorKind::TooMany,
            format!("must not stand more than {} times in one entry", Self::MAX_PER_PAGE),
            images.len().to_string(),
        ))
    }
}

pub(super) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

impl<'a> From<Loc<'a>> for Image<'a> {
    fn from(loc: Loc<'a>) -> Self {
        Self::new(loc)
    }
}

macro_rules! from_text {
    ($($text:ty => $as_str:expr),+ $(,)?) => {$(
        impl<'a> TryFrom<&'a $text> for Image<'a> {
            type Error = LocError;

            #[inline]
            fn try_from(url: &'a $text) -> Result<Self, LocError> {
                Loc::parse($as_str(url)).map(Self::new)
            }
        }
    )+};
}

from_text!(
    str => |url| url,
    String => String::as_str,
    Box<str> => AsRef::as_ref,
    Rc<str> => AsRef::as_ref,
    Arc<str> => AsRef::as_ref,
    Cow<'_, str> => AsRef::as_ref,
    Url => Url::as_str,
    Loc<'_> => Loc::as_str,
);
