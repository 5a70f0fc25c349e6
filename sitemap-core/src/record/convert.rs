//! What may stand in a field with the role `images`, `videos`, `news` or `alternates`.
//!
//! One trait a role, implemented for what converts to one value and for all that such values can be
//! taken out of by reference. A type could be both, so the traits have a parameter that says which
//! way is taken; it is always inferred, and an ambiguity is an error while compiling.

use std::marker::PhantomData;

use crate::error::Error;
use crate::extension::{Alternate, Image, News, Video};

/// Ways to convert, as types.
mod way {
    use super::PhantomData;

    /// The value itself.
    #[derive(Debug)]
    pub struct Same;
    /// By `TryFrom<&T>`, of which `From<&T>` is a part.
    #[derive(Debug)]
    pub struct Convert;
    /// None: makes a `Result`, whose reference can be iterated over, ambiguous and so an error. Its
    /// error would be lost otherwise.
    #[derive(Debug)]
    pub struct Refused;
    /// What the reference refers to.
    #[derive(Debug)]
    pub struct Through<M>(PhantomData<M>);
    /// Each of the items.
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
            /// Adds the values to `out`.
            ///
            /// # Errors
            ///
            /// If one of them cannot be converted.
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

        /// What iterating over a reference gives.
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
    /// A value that can be a page's images: one, or any collection of them.
    ///
    /// One is an [`Image`], an absolute URL as text, or a type with `From<&T>` or `TryFrom<&T>` for
    /// `Image<'_>`. A collection is whatever can be iterated over by reference: `Option`, `Vec`,
    /// slices, arrays, sets, and collections of those.
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
    /// A value that can be a page's videos: one, or any collection of them.
    ///
    /// One is a [`Video`], or a type with `From<&T>` or `TryFrom<&T>` for `Video<'_>`; collections are
    /// as for [`ToImages`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be used as sitemap `videos`",
        label = "neither a video nor a collection of videos",
        note = "implement `From<&T>` or `TryFrom<&T>` for `Video<'_>`, where `T` is the type of one video",
        note = "or convert with `#[sitemap(videos, with = path)]`"
    )]
    ToVideos, to_videos, Video, VideoItem
}

to_values! {
    /// A value that can be a page's alternates: one, or any collection of them.
    ///
    /// One is an [`Alternate`], a pair of texts (language and absolute URL), or a type with `From<&T>`
    /// or `TryFrom<&T>` for `Alternate<'_>`; collections are as for [`ToImages`], maps from language to
    /// URL among them.
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

/// A value that can be a page's news, or none.
///
/// It is a [`News`], a type with `From<&T>` or `TryFrom<&T>` for `News<'_>`, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as sitemap `news`",
    label = "not a news article",
    note = "use `News<'_>`, a type `T` with `From<&T>` or `TryFrom<&T>` for `News<'_>`, or an `Option` of one; a page has one article at most",
    note = "or convert with `#[sitemap(news, with = path)]`"
)]
pub trait ToNews<Way> {
    /// The article, or `None` to leave the element out.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
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

/// What a conversion `with` a function of the user's gives.
#[doc(hidden)]
#[derive(Debug)]
pub struct Converted<T>(pub T);

impl<T, E> Converted<Result<T, E>> {
    /// Found before the trait's method, and so never takes a `Result` for a collection.
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
