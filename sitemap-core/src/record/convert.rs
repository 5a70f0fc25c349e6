//! Conversions of a record's fields with the role `images`, `videos`, `news` or `alternates`.
//!
//! Each role has a trait, such as [`ToImages`]. The trait is implemented for types that convert to one value, and for
//! collections of such types. These implementations would overlap without the trait's type parameter, `Way`, which
//! names the conversion. The compiler infers `Way` from the type of the field. It reports an error if a type has two
//! conversions.

use std::marker::PhantomData;

use crate::error::Error;
use crate::extension::{Alternate, Image, News, Video};

/// The kinds of conversions. Each is a type for the type parameter `Way` of the traits.
mod way {
    use super::PhantomData;

    /// Uses the value itself.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Same;
    /// Converts by `TryFrom<&T>`, which `From<&T>` implies.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Convert;
    /// Makes a field of the type `Result` a compile error: a `Result` has two conversions, this one and [`Each`].
    /// With [`Each`] alone, a `Result` would be accepted as a collection, and its `Err` would be ignored.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Refused;
    /// Converts the value behind a reference.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Through<M>(PhantomData<M>);
    /// Converts each item of a collection.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Each<M>(PhantomData<M>);
}

macro_rules! to_values {
    (
        $(#[$attribute:meta])*
        $to:ident, $method:ident, $value:ident, $item:ident
    ) => {
        $(#[$attribute])*
        pub trait $to<Way> {
            /// Converts this value and appends the results to `out`.
            ///
            /// # Errors
            ///
            /// Returns an error if a value cannot be converted.
            fn $method<'a>(&'a self, out: &mut Vec<$value<'a>>) -> Result<(), Error>;
        }

        #[diagnostic::do_not_recommend]
        impl $to<way::Same> for $value<'_> {
            fn $method<'a>(&'a self, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
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
            fn $method<'a>(&'a self, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                out.push(self.try_into().map_err(Into::into)?);
                Ok(())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: $to<Way> + ?Sized, Way> $to<way::Through<Way>> for &T {
            #[inline]
            fn $method<'a>(&'a self, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                (**self).$method(out)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, Way> $to<way::Each<Way>> for T
        where
            for<'a> &'a T: IntoIterator<Item: $item<'a, Way>>,
        {
            #[inline]
            fn $method<'a>(&'a self, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                self.into_iter().try_for_each(|item| item.add_to(out))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T, E> $to<way::Refused> for Result<T, E> {
            fn $method<'a>(&'a self, _: &mut Vec<$value<'a>>) -> Result<(), Error> {
                Ok(())
            }
        }

        /// An item of a collection that is iterated over by reference.
        #[doc(hidden)]
        pub trait $item<'a, Way> {
            #[doc(hidden)]
            fn add_to(self, out: &mut Vec<$value<'a>>) -> Result<(), Error>;
        }

        impl<'a, T: $to<Way> + ?Sized, Way> $item<'a, way::Through<Way>> for &'a T {
            #[inline]
            fn add_to(self, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                self.$method(out)
            }
        }

        impl<'a> $item<'a, way::Same> for $value<'a> {
            #[inline]
            fn add_to(self, out: &mut Vec<$value<'a>>) -> Result<(), Error> {
                out.push(self);
                Ok(())
            }
        }
    };
}

to_values! {
    /// A value that converts to the images of a page: one image or a collection of images.
    ///
    /// An image is an [`Image`], an absolute URL as text, or a type `T` with `From<&T>` or `TryFrom<&T>` for
    /// `Image<'_>`. A collection is any type that can be iterated over by reference: `Option`, `Vec`, slices, arrays,
    /// sets, and collections of these types.
    ///
    /// ```
    /// use sitemap_core::{Error, Image, Loc};
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
    /// photos.to_images(&mut images)?;
    /// assert_eq!(images[0].loc().as_str(), "https://example.com/a.jpg");
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
    /// A value that converts to the videos of a page: one video or a collection of videos.
    ///
    /// A video is a [`Video`], or a type `T` with `From<&T>` or `TryFrom<&T>` for `Video<'_>`. [`ToImages`] lists the
    /// collections.
    ///
    /// ```
    /// use sitemap_core::extension::VideoSource;
    /// use sitemap_core::record::ToVideos;
    /// use sitemap_core::{Loc, Video};
    ///
    /// let player = VideoSource::Player(Loc::parse("https://example.com/embed/1")?);
    /// let video = Video::new(Loc::parse("https://example.com/1.jpg")?, "Title", "Description", player)?;
    /// let mut videos = Vec::new();
    /// video.to_videos(&mut videos)?;
    /// assert_eq!(videos[0].title(), "Title");
    /// # Ok::<(), sitemap_core::Error>(())
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
    /// An alternate is an [`Alternate`], a pair of texts (language tag and absolute URL), or a type `T` with `From<&T>`
    /// or `TryFrom<&T>` for `Alternate<'_>`. [`ToImages`] lists the collections; a map from language tag to URL is also
    /// a collection.
    ///
    /// ```
    /// use sitemap_core::record::ToAlternates;
    ///
    /// let versions = [("en", "https://example.com/"), ("de", "https://example.com/de")];
    /// let mut alternates = Vec::new();
    /// versions.to_alternates(&mut alternates)?;
    /// assert_eq!(alternates[1].hreflang().as_str(), "de");
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

impl<'a, L, U> AlternateItem<'a, way::Convert> for (&'a L, &'a U)
where
    L: AsRef<str> + ?Sized,
    U: AsRef<str> + ?Sized,
{
    fn add_to(self, out: &mut Vec<Alternate<'a>>) -> Result<(), Error> {
        out.push(Alternate::parse(self.0.as_ref(), self.1.as_ref())?);
        Ok(())
    }
}

/// A value that converts to the news article of a page, or to no article.
///
/// The value is a [`News`], a type `T` with `From<&T>` or `TryFrom<&T>` for `News<'_>`, or an `Option` of these types.
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
pub trait ToNews<Way> {
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

#[diagnostic::do_not_recommend]
impl<T: ToNews<Way> + ?Sized, Way> ToNews<way::Through<Way>> for &T {
    fn to_news(&self) -> Result<Option<News<'_>>, Error> {
        (**self).to_news()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToNews<Way>, Way> ToNews<way::Each<Way>> for Option<T> {
    fn to_news(&self) -> Result<Option<News<'_>>, Error> {
        self.as_ref().map_or(Ok(None), T::to_news)
    }
}

/// The value that a user's function returned. The derive's attribute `with = path` names the function.
#[doc(hidden)]
#[derive(Debug)]
pub struct Converted<T>(pub T);

impl<T, E> Converted<Result<T, E>> {
    /// Returns the value, or the error of the user's function. The compiler prefers this method to the trait method
    /// [`Infallible::checked`], which would return the `Result` itself.
    #[doc(hidden)]
    pub fn checked(self) -> Result<T, Error>
    where
        E: Into<Error>,
    {
        self.0.map_err(Into::into)
    }
}

#[doc(hidden)]
pub trait Infallible: Sized {
    #[doc(hidden)]
    type Value;
    #[doc(hidden)]
    fn checked(self) -> Result<Self::Value, Error>;
}

impl<T> Infallible for Converted<T> {
    type Value = T;

    #[inline]
    fn checked(self) -> Result<T, Error> {
        Ok(self.0)
    }
}
