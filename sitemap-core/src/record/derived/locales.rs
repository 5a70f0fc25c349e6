//! Conversions for fields and methods with the role `locales`.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Error;
use crate::record::convert::{Unimplemented, way};

/// A collection of locales. `Way` names the kind of collection so that the implementations do not overlap.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as sitemap `locales`",
    label = "not a collection of texts",
    note = "use a collection that can be iterated over by reference and whose items are texts, such as `Vec<String>`",
    note = "or convert with `#[sitemap(locales, with = path)]`"
)]
pub trait ToLocales<Way> {
    /// Calls `visit` with each locale.
    fn visit_locales(&self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error>;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> ToLocales<way::Same> for T
where
    for<'a> &'a T: IntoIterator<Item: AsRef<str>>,
{
    fn visit_locales(&self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.into_iter().try_for_each(|locale| visit(locale.as_ref()))
    }
}

/// Keeps `Way` out of the compiler's error message, as for news.
#[diagnostic::do_not_recommend]
#[allow(private_bounds)]
impl<T: Unimplemented + ?Sized> ToLocales<way::Convert> for T {
    fn visit_locales(&self, _: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        Ok(())
    }
}

/// An optional collection. `None` counts as an empty collection.
#[diagnostic::do_not_recommend]
impl<T: ToLocales<Way>, Way> ToLocales<way::Each<Way>> for Option<T> {
    fn visit_locales(&self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.as_ref().map_or(Ok(()), |locales| locales.visit_locales(visit))
    }
}

/// Makes a field of type `Result` a compile error, because its `Err` would be ignored.
#[diagnostic::do_not_recommend]
impl<T, E> ToLocales<way::Refused> for Result<T, E> {
    fn visit_locales(&self, _: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! through_pointer {
    ($([$($bound:tt)+] $pointer:ty),+ $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($bound)+, Way> ToLocales<way::Through<Way>> for $pointer {
            fn visit_locales(&self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
                (**self).visit_locales(visit)
            }
        }
    )+};
}

through_pointer! {
    [T: ToLocales<Way> + ?Sized] &T,
    // `Box<[T]>` is itself a collection. With `?Sized`, it would have a second conversion: that of its slice.
    [T: ToLocales<Way>] Box<T>,
    [T: ToLocales<Way> + ?Sized] Rc<T>,
    [T: ToLocales<Way> + ?Sized] Arc<T>,
    [T: ToLocales<Way> + ToOwned + ?Sized] Cow<'_, T>,
}

/// The locales returned by a user-defined function. The inherent method accepts iterators and collections by value. For
/// all other types, the compiler uses the method of [`VisitLocales`].
#[derive(Debug)]
pub struct Locales<T>(pub T);

impl<T: IntoIterator<Item: AsRef<str>>> Locales<T> {
    /// Calls `visit` with each locale.
    pub fn __visit(self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.0.into_iter().try_for_each(|locale| visit(locale.as_ref()))
    }
}

/// The method of [`Locales`] for collections that can only be iterated over by reference.
pub trait VisitLocales {
    type Value;
    fn __visit<Way>(&self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error>
    where
        Self::Value: ToLocales<Way>;
}

impl<T> VisitLocales for Locales<T> {
    type Value = T;

    fn __visit<Way>(&self, visit: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error>
    where
        T: ToLocales<Way>,
    {
        self.0.visit_locales(visit)
    }
}
