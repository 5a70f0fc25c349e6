//! Conversions for fields with the role `images`, `videos`, `news` or `alternates`.
//!
//! Each role has a trait, such as [`ToImages`]. It is implemented for types that convert to one value, and for
//! collections of such types. These implementations would overlap without the trait's type parameter `Way`, which names
//! the conversion. The compiler infers `Way` from the type of the field, and reports an error if a type has two
//! conversions.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Error;
use crate::extension::{Alternate, Hreflang, Image, News, Video};
use crate::value::Site;

/// The kinds of conversion, as types for the `Way` parameter of the traits.
pub(super) mod way {
    use super::PhantomData;

    /// Uses the value itself.
    #[derive(Debug)]
    pub struct Same;
    /// Converts with `TryFrom<&T>`, which `From<&T>` implies.
    #[derive(Debug)]
    pub struct Convert;
    /// Makes a field of type `Result` a compile error, because a `Result` then has two conversions: this one and
    /// [`Each`]. With [`Each`] alone, a `Result` would be accepted as a collection, and its `Err` would be ignored.
    #[derive(Debug)]
    pub struct Refused;
    /// Resolves a string against the site.
    #[derive(Debug)]
    pub struct Text;
    /// Converts the value that a pointer points to.
    #[derive(Debug)]
    pub struct Through<M>(PhantomData<M>);
    /// Converts each item of a collection.
    #[derive(Debug)]
    pub struct Each<M>(PhantomData<M>);
}

macro_rules! to_values {
    (
        $(#[$attribute:meta])*
        $to:ident, $method:ident, $value:ident, $item:ident
    ) => {
        $(#[$attribute])*
        pub trait $to<Way = ()> {
            /// Converts this value and appends the results to `out`. Paths are resolved against `site`.
            ///
            /// # Errors
            ///
            /// Returns an error if a value cannot be converted.
            fn $method<'a>(&'a self, site: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error>;
        }

        #[diagnostic::do_not_recommend]
        impl $to<way::Same> for $value<'_> {
            fn $method<'a>(&'a self, _: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                out.push(self.clone());
                Ok(())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> $to<way::Convert> for T
        where
            for<'a> &'a T: TryInto<$value<'a>, Error: Into<Error>>,
        {
            #[inline]
            fn $method<'a>(&'a self, _: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                out.push(self.try_into().map_err(Into::into)?);
                Ok(())
            }
        }

        to_values!(@through $to, $method, $value; [T: $to<Way> + ?Sized] &T);
        // `Box<[T]>` is itself a collection. With `?Sized`, it would have a second conversion: that of its slice.
        to_values!(@through $to, $method, $value; [T: $to<Way>] Box<T>);
        to_values!(@through $to, $method, $value; [T: $to<Way> + ?Sized] Rc<T>);
        to_values!(@through $to, $method, $value; [T: $to<Way> + ?Sized] Arc<T>);
        to_values!(@through $to, $method, $value; [T: $to<Way> + ToOwned + ?Sized] Cow<'_, T>);

        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, Way> $to<way::Each<Way>> for T
        where
            for<'a> &'a T: IntoIterator<Item: $item<'a, Way>>,
        {
            #[inline]
            fn $method<'a>(&'a self, site: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                self.into_iter().try_for_each(|item| item.add_to(site, out))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T, E> $to<way::Refused> for Result<T, E> {
            fn $method<'a>(&'a self, _: &Site, _: &mut Vec<$value<'a>>) -> Result<(), Error> {
                Ok(())
            }
        }

        /// An item of a collection that is iterated over by reference.
        pub trait $item<'a, Way> {
            fn add_to(self, site: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error>;
        }

        impl<'a, T: $to<Way> + ?Sized, Way> $item<'a, way::Through<Way>> for &'a T {
            #[inline]
            fn add_to(self, site: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                self.$method(site, out)
            }
        }

        impl<'a> $item<'a, way::Same> for $value<'a> {
            #[inline]
            fn add_to(self, _: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                out.push(self);
                Ok(())
            }
        }
    };
    (@through $to:ident, $method:ident, $value:ident; [$($bound:tt)+] $pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($bound)+, Way> $to<way::Through<Way>> for $pointer {
            #[inline]
            fn $method<'a>(&'a self, site: &Site, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                (**self).$method(site, out)
            }
        }
    };
}

to_values! {
    /// A value that converts to the images on a page: one image or a collection of images.
    ///
    /// An image is an [`Image`], a string with an absolute URL or a path on the site, or a type `T` with `From<&T>` or
    /// `TryFrom<&T>` for `Image<'_>`. A collection is any type that can be iterated over by reference: `Option`, `Vec`,
    /// slices, arrays, sets, and collections of these types. Pointers such as `Box` and `Arc` count as the value that
    /// they point to.
    ///
    /// Implement this trait, without its type parameter, for a type that needs the site to create its images, for
    /// example because it stores paths. [`ToVideos`] has an example.
    ///
    /// ```
    /// use sitemap_core::{Error, Image, Loc, Site};
    /// use sitemap_core::record::ToImages;
    /// use sitemap_core::value::LocError;
    ///
    /// struct Photo {
    ///     url: String,
    /// }
    ///
    /// impl<'a> TryFrom<&'a Photo> for Image<'a> {
    ///     type Error = LocError;
    ///
    ///     fn try_from(photo: &'a Photo) -> Result<Self, LocError> {
    ///         Ok(Self::new(Loc::parse(&photo.url)?))
    ///     }
    /// }
    ///
    /// let photos = vec![Photo { url: "https://example.com/a.jpg".to_owned() }];
    /// let mut images = Vec::new();
    /// photos.to_images(&Site::new("https://example.com")?, &mut images)?;
    /// assert_eq!(images[0].loc().unwrap(), "https://example.com/a.jpg");
    /// # Ok::<(), Error>(())
    /// ```
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be used as sitemap `images`",
        label = "neither an image nor a collection of images",
        note = "implement `From<&T>` or `TryFrom<&T>` for `Image<'_>`, where `T` is the type of one image",
        note = "or convert with `#[sitemap(images, with = path)]`"
    )]
    ToImages, to_images, Image, ImageItem
}

to_values! {
    /// A value that converts to the videos on a page: one video or a collection of videos.
    ///
    /// A video is a [`Video`], or a type `T` with `From<&T>` or `TryFrom<&T>` for `Video<'_>`. See [`ToImages`] for the
    /// collections. Implement this trait, without its type parameter, for a type that needs the site to create its
    /// videos:
    ///
    /// ```
    /// use sitemap_core::extension::VideoSource;
    /// use sitemap_core::record::ToVideos;
    /// use sitemap_core::{Error, Site, Video};
    ///
    /// /// A video whose files are in the folder `/media` of the site.
    /// struct Clip {
    ///     file: &'static str,
    /// }
    ///
    /// impl ToVideos for Clip {
    ///     fn to_videos<'a>(&'a self, site: &Site, out: &mut Vec<Video<'a>>) -> Result<(), Error> {
    ///         let url = |end| site.resolve(format!("/media/{}.{end}", self.file));
    ///         out.push(Video::new(url("jpg")?, "Title", "Description", VideoSource::Content(url("mp4")?))?);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut videos = Vec::new();
    /// Clip { file: "fair" }.to_videos(&Site::new("https://example.com")?, &mut videos)?;
    /// assert_eq!(videos[0].thumbnail_loc().unwrap(), "https://example.com/media/fair.jpg");
    /// # Ok::<(), Error>(())
    /// ```
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be used as sitemap `videos`",
        label = "neither a video nor a collection of videos",
        note = "implement `From<&T>` or `TryFrom<&T>` for `Video<'_>`, where `T` is the type of one video",
        note = "or convert with `#[sitemap(videos, with = path)]`"
    )]
    ToVideos, to_videos, Video, VideoItem
}

to_values! {
    /// A value that converts to the alternates of a page: one alternate or a collection of alternates.
    ///
    /// An alternate is an [`Alternate`], a pair of strings (a language tag, and an absolute URL or a path on the site),
    /// or a type `T` with `From<&T>` or `TryFrom<&T>` for `Alternate<'_>`. See [`ToImages`] for the collections. A map
    /// from language tag to URL is also a collection.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_core::record::ToAlternates;
    ///
    /// let versions = [("en", "https://example.com/"), ("de", "/de")];
    /// let mut alternates = Vec::new();
    /// versions.to_alternates(&Site::new("https://example.com")?, &mut alternates)?;
    /// assert_eq!(alternates[1].href(), "https://example.com/de");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be used as sitemap `alternates`",
        label = "neither an alternate nor a collection of alternates",
        note = "implement `From<&T>` or `TryFrom<&T>` for `Alternate<'_>`, where `T` is the type of one alternate",
        note = "or convert with `#[sitemap(alternates, with = path)]`"
    )]
    ToAlternates, to_alternates, Alternate, AlternateItem
}

macro_rules! images_of_text {
    ($($text:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl ToImages<way::Text> for $text {
            fn to_images<'a>(&'a self, site: &Site, out: &mut Vec<Image<'a>>) -> Result<(), Error> {
                let text: &'a str = self;
                out.push(Image::new(site.resolve(text)?));
                Ok(())
            }
        }
    )+};
}

images_of_text!(str, String, Box<str>);

#[diagnostic::do_not_recommend]
impl<L: AsRef<str>, U: AsRef<str>> ToAlternates<way::Text> for (L, U) {
    fn to_alternates<'a>(&'a self, site: &Site, out: &mut Vec<Alternate<'a>>) -> Result<(), Error> {
        (&self.0, &self.1).add_to(site, out)
    }
}

impl<'a, L, U> AlternateItem<'a, way::Text> for (&'a L, &'a U)
where
    L: AsRef<str> + ?Sized,
    U: AsRef<str> + ?Sized,
{
    fn add_to(self, site: &Site, out: &mut Vec<Alternate<'a>>) -> Result<(), Error> {
        let hreflang = Hreflang::parse(self.0.as_ref())?;
        out.push(Alternate::new(hreflang, site.resolve(self.1.as_ref())?));
        Ok(())
    }
}

/// A value that converts to a page's news article, or to no article.
///
/// The value is a [`News`], a type `T` with `From<&T>` or `TryFrom<&T>` for `News<'_>`, or an `Option` of one of these.
///
/// ```
/// use sitemap_core::extension::Publication;
/// use sitemap_core::record::ToNews;
/// use sitemap_core::{Error, LastMod, News};
///
/// struct Story {
///     headline: String,
/// }
///
/// impl<'a> TryFrom<&'a Story> for News<'a> {
///     type Error = Error;
///
///     fn try_from(story: &'a Story) -> Result<Self, Error> {
///         let paper = Publication::new("The Example Times", "en")?;
///         Ok(Self::new(paper, LastMod::date(2026, 1, 31)?, &story.headline)?)
///     }
/// }
///
/// let story = Some(Story { headline: "Cats at play".to_owned() });
/// assert_eq!(story.to_news()?.unwrap().title(), "Cats at play");
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as sitemap `news`",
    label = "not a news article",
    note = "use `News<'_>`, a type `T` with `From<&T>` or `TryFrom<&T>` for `News<'_>`, or an `Option` of one; a page has at most one article",
    note = "or convert with `#[sitemap(news, with = path)]`"
)]
pub trait ToNews<Way = ()> {
    /// Returns the article, or `None` if the page has no article.
    ///
    /// # Errors
    ///
    /// Returns an error if the value cannot be converted.
    fn to_news(&self) -> Result<Option<News<'_>>, Error>;
}

#[diagnostic::do_not_recommend]
impl ToNews<way::Same> for News<'_> {
    fn to_news(&self) -> Result<Option<News<'_>>, Error> {
        Ok(Some(self.clone()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> ToNews<way::Convert> for T
where
    for<'a> &'a T: TryInto<News<'a>, Error: Into<Error>>,
{
    fn to_news(&self) -> Result<Option<News<'_>>, Error> {
        self.try_into().map(Some).map_err(Into::into)
    }
}

macro_rules! news_through_pointer {
    ($([$($bound:tt)+] $pointer:ty),+ $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($bound)+, Way> ToNews<way::Through<Way>> for $pointer {
            fn to_news(&self) -> Result<Option<News<'_>>, Error> {
                (**self).to_news()
            }
        }
    )+};
}

news_through_pointer! {
    [T: ToNews<Way> + ?Sized] &T,
    [T: ToNews<Way> + ?Sized] Box<T>,
    [T: ToNews<Way> + ?Sized] Rc<T>,
    [T: ToNews<Way> + ?Sized] Arc<T>,
    [T: ToNews<Way> + ToOwned + ?Sized] Cow<'_, T>,
}

/// A trait that no type implements.
pub(super) trait Unimplemented {}

/// Keeps `Way` out of the compiler's error message for a type without a conversion. With only one blanket
/// implementation, the message would suggest it; with two, it suggests neither.
#[diagnostic::do_not_recommend]
#[allow(private_bounds)]
impl<T: Unimplemented + ?Sized> ToNews<way::Refused> for T {
    fn to_news(&self) -> Result<Option<News<'_>>, Error> {
        Ok(None)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToNews<Way>, Way> ToNews<way::Each<Way>> for Option<T> {
    fn to_news(&self) -> Result<Option<News<'_>>, Error> {
        self.as_ref().map_or(Ok(None), T::to_news)
    }
}
