//! Calls a user-defined function with an `Option` or with the value inside.
//!
//! The compiler picks the method of the first trait that fits. The function may take the `Option`, the value inside, or
//! the type that the value derefs to, such as `&str` for an `Option<String>`. For all other functions, the last trait
//! produces the error message, as in the module `function`. The order comes from the receivers: the call starts with a
//! `&&&OnOption`, so the compiler tries methods of that type before those of `&&OnOption`, and so on.

use std::convert::Infallible;
use std::ops::Deref;

/// A user-defined function and a field of type `Option`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OnOption<'f, F, T>(pub F, pub &'f Option<T>);

/// The method of [`OnOption`] for functions that take the `Option`.
#[doc(hidden)]
pub trait TakesOption: Sized {
    type Value;
    fn call(self) -> Self::Value;
}

impl<'f, F: FnOnce(&'f Option<T>) -> R + Copy, T, R> TakesOption for &&&OnOption<'f, F, T> {
    type Value = R;

    #[inline]
    fn call(self) -> R {
        self.0(self.1)
    }
}

/// The method of [`OnOption`] for functions that take the value inside.
#[doc(hidden)]
pub trait TakesValue: Sized {
    type Value;
    fn call(self) -> Option<Self::Value>;
}

impl<'f, F: FnOnce(&'f T) -> R + Copy, T, R> TakesValue for &&OnOption<'f, F, T> {
    type Value = R;

    #[inline]
    fn call(self) -> Option<R> {
        self.1.as_ref().map(self.0)
    }
}

/// The method of [`OnOption`] for functions that take the deref target of the value.
#[doc(hidden)]
pub trait TakesTarget: Sized {
    type Value;
    fn call(self) -> Option<Self::Value>;
}

impl<'f, F, T, R> TakesTarget for &OnOption<'f, F, T>
where
    F: FnOnce(&'f T::Target) -> R + Copy,
    T: Deref<Target: 'f>,
{
    type Value = R;

    #[inline]
    fn call(self) -> Option<R> {
        self.1.as_deref().map(self.0)
    }
}

/// The method of [`OnOption`] for all other functions. It returns a `Result`, so that only one method of `Returned`
/// fits and the compiler reports just the unmet bound.
#[doc(hidden)]
pub trait TakesNeither: Sized {
    type Function;
    type Option;
    #[allow(clippy::missing_errors_doc)]
    fn call(self) -> Result<<Self::Function as ConversionOf<Self::Option>>::Value, Infallible>
    where
        Self::Function: ConversionOf<Self::Option>;
}

impl<F: Copy, T> TakesNeither for OnOption<'_, F, T> {
    type Function = F;
    type Option = Option<T>;

    fn call(self) -> Result<F::Value, Infallible>
    where
        F: ConversionOf<Option<T>>,
    {
        Ok(self.0.converted())
    }
}

/// A function that takes a value of this type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes neither `&{O}` nor a reference to the value in it",
    label = "takes another type",
    note = "a `with` function takes a reference to the field, or to the value of a field that is an `Option`"
)]
pub trait ConversionOf<O> {
    type Value;
    fn converted(&self) -> Self::Value;
}

// If no type implemented this trait, the compiler would suggest implementing it.
#[diagnostic::do_not_recommend]
impl<O> ConversionOf<O> for Infallible {
    type Value = Self;

    fn converted(&self) -> Self {
        *self
    }
}
