//! Support for the return values of user-defined functions, which attributes name as `with = path`, `skip_if = path`
//! or, for a method, `lastmod = Self::modified`.
//!
//! A function may return a value, a `Result` or an `Option`. Trait implementations for `Result<T, E>` and for all other
//! types would overlap. So each type in this module has an inherent method for the special type, and a trait has a
//! method of the same name for all other types. The compiler prefers the inherent method.

use std::convert;
use std::error::Error as StdError;

use crate::error::{Error, ErrorKind};

/// The return value of a user-defined function.
#[derive(Debug)]
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    /// Returns the `Result` of a function that can fail.
    #[inline]
    pub fn __into_result(self) -> Result<T, E> {
        self.0
    }
}

impl<T, E> Returned<Option<Result<T, E>>> {
    /// Returns the `Result` of a function that can fail and was called with the value inside an `Option`.
    #[inline]
    pub fn __into_result(self) -> Result<Option<T>, E> {
        self.0.transpose()
    }
}

/// The method of [`Returned`] for functions that cannot fail.
pub trait Infallible: Sized {
    type Value;
    fn __into_result(self) -> Result<Self::Value, convert::Infallible>;
}

impl<T> Infallible for Returned<T> {
    type Value = T;

    #[inline]
    fn __into_result(self) -> Result<T, convert::Infallible> {
        Ok(self.0)
    }
}

/// The error returned by a user-defined function.
#[derive(Debug)]
pub struct Failure<E>(pub E);

impl<E: Into<Error>> Failure<E> {
    /// Adds the names of the record and the field to an error from this library.
    #[cold]
    pub fn __of(self, record: &'static str, field: &'static str) -> Error {
        in_field(self.0, record, field)
    }
}

/// The method of [`Failure`] for errors from other libraries.
pub trait ForeignFailure: Sized {
    type Error;
    fn __of(self, record: &'static str, field: &'static str) -> Error
    where
        Self::Error: Cause;
}

impl<E> ForeignFailure for Failure<E> {
    type Error = E;

    #[cold]
    fn __of(self, record: &'static str, field: &'static str) -> Error
    where
        E: Cause,
    {
        in_field(Error::other(self.0.into_cause()), record, field)
    }
}

/// An error that a user-defined function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a function for a sitemap attribute",
    label = "returns a `Result` whose error is not an error type",
    note = "implement `std::error::Error` for the error, or return a text, an `Error` of `sitemap_core`, or an `Option`",
    note = "the error must also be `Send`, `Sync` and `'static`"
)]
pub trait Cause {
    fn into_cause(self) -> Box<dyn StdError + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn StdError + Send + Sync>>> Cause for E {
    fn into_cause(self) -> Box<dyn StdError + Send + Sync> {
        self.into()
    }
}

/// Adds the names of the record and the field to an error, unless it already names an inner record and field.
#[cold]
#[must_use]
pub fn in_field(cause: impl Into<Error>, record: &'static str, field: &'static str) -> Error {
    let cause = cause.into();
    if matches!(cause.kind(), ErrorKind::Field { .. }) {
        return cause;
    }
    ErrorKind::Field { record, field, page: None, cause }.into()
}

/// Adds the URL of the page to an error that names a field.
#[cold]
#[must_use]
pub fn at_page(error: Error, url: Option<&str>) -> Error {
    match error.into_kind() {
        ErrorKind::Field { record, field, cause, .. } => {
            ErrorKind::Field { record, field, page: url.map(Into::into), cause }.into()
        }
        other => other.into(),
    }
}

/// A value that a record needs in order to have a page.
#[derive(Debug)]
pub struct Present<T>(pub T);

impl<T> Present<Option<T>> {
    /// Returns the `Option` of a function that may return no value.
    #[inline]
    pub fn __into_option(self) -> Option<T> {
        self.0
    }
}

/// The method of [`Present`] for functions that always return a value.
pub trait Always: Sized {
    type Value;
    fn __into_option(self) -> Option<Self::Value>;
}

impl<T> Always for Present<T> {
    type Value = T;

    #[inline]
    fn __into_option(self) -> Option<T> {
        Some(self.0)
    }
}

/// The images, videos, news or alternates that a function returns.
#[derive(Debug)]
pub struct Items<T>(pub T);

impl<T: Iterator> Items<T> {
    /// Collects an iterator, so that the conversion can borrow its items.
    #[inline]
    pub fn __items(self) -> Vec<T::Item> {
        self.0.collect()
    }
}

/// The method of [`Items`] for types that are not iterators.
pub trait NotIterator: Sized {
    type Value;
    fn __items(self) -> Self::Value;
}

impl<T> NotIterator for Items<T> {
    type Value = T;

    #[inline]
    fn __items(self) -> T {
        self.0
    }
}

/// A value that decides whether a record is skipped.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as sitemap `skip_if` or `list_if`",
    label = "not a `bool`",
    note = "use a `bool`, or convert the value to one with `#[sitemap(skip_if, with = path)]`",
    note = "for `skip_if = path` on the type, the function is `fn(&Self) -> bool`"
)]
pub trait SkipCondition {
    fn skips(&self) -> bool;
}

impl SkipCondition for bool {
    #[inline]
    fn skips(&self) -> bool {
        *self
    }
}

through_pointers!(SkipCondition::skips() -> bool);
