//! Calls a user-defined function with a field, or with the value inside a field that is an `Option`.
//!
//! The compiler picks the method of the first trait that fits. The function may take a reference to the field or to what
//! the field derefs to, or to the value inside the `Option` or to what that value derefs to, such as `&str` for an
//! `Option<String>`. For all other functions, the last trait produces the error message, as in the module `function`.
//! The order comes from the receivers: the call starts with a `&&&&OnField`, so the compiler tries methods of that type
//! before those of `&&&OnField`, and so on.

use std::convert::Infallible;
use std::ops::Deref;

use super::OptionalValue;

/// A user-defined function and a field.
#[derive(Clone, Copy, Debug)]
pub struct OnField<'f, F, T>(pub F, pub &'f T);

/// Combines a function with its field.
pub trait WithField: Sized {
    fn __on<T>(self, field: &T) -> OnField<'_, Self, T>;
}

impl<F> WithField for F {
    #[inline]
    fn __on<T>(self, field: &T) -> OnField<'_, F, T> {
        OnField(self, field)
    }
}

macro_rules! takes {
    ($(
        $(#[$attribute:meta])*
        $trait:ident for $receiver:ty, $argument:ty
        where [$($bounds:tt)*] => |$call:ident| $called:expr, $result:ty;
    )+) => {$(
        $(#[$attribute])*
        pub trait $trait: Sized {
            type Value;
            fn __call(self) -> Self::Value;
        }

        impl<'f, F: FnOnce($argument) -> R + Copy, T, R> $trait for $receiver
        where
            $($bounds)*
        {
            type Value = $result;

            #[inline]
            fn __call(self) -> $result {
                let $call = self;
                $called
            }
        }
    )+};
}

takes! {
    /// The method of [`OnField`] for functions that take a reference to the field.
    TakesField for &&&&OnField<'f, F, T>, &'f T where [] => |call| call.0(call.1), R;
    /// The method of [`OnField`] for functions that take a reference to the deref target of the field.
    TakesTarget for &&&OnField<'f, F, T>, &'f T::Target where [T: Deref<Target: 'f>] => |call| call.0(call.1), R;
    /// The method of [`OnField`] for functions that take a reference to the value inside the field.
    TakesValue for &&OnField<'f, F, T>, &'f T::Value where [T: OptionalValue<Value: 'f>] =>
        |call| call.1.optional().map(call.0), Option<R>;
    /// The method of [`OnField`] for functions that take a reference to the deref target of the value inside the field.
    TakesTargetOfValue for &OnField<'f, F, T>, &'f <T::Value as Deref>::Target
    where [T: OptionalValue, T::Value: Deref<Target: 'f> + 'f] =>
        |call| call.1.optional().map(|value| call.0(value)), Option<R>;
}

/// The method of [`OnField`] for all other functions. It returns a `Result`, so that only one method of `Returned`
/// fits and the compiler reports just the unmet bound.
pub trait TakesNeither: Sized {
    type Function;
    type Field;
    fn __call(self) -> Result<<Self::Function as ConversionOf<Self::Field>>::Value, Infallible>
    where
        Self::Function: ConversionOf<Self::Field>;
}

impl<F: Copy, T> TakesNeither for OnField<'_, F, T> {
    type Function = F;
    type Field = T;

    fn __call(self) -> Result<F::Value, Infallible>
    where
        F: ConversionOf<T>,
    {
        Ok(self.0.converted())
    }
}

/// A function that takes a value of this type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not take a `&{O}`",
    label = "takes another type",
    note = "a `with` function takes a reference to the field, or to the value in it if the field is an `Option`"
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
