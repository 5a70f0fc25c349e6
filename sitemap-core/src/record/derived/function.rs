//! Checks that a user-defined function in an attribute takes one shared reference.
//!
//! The generated code calls the function directly. That allows deref coercion, so a function that takes `&str` accepts
//! a `&String`. But if the function takes something else, the compiler suggests changes to the attribute that cannot
//! work. So two methods check the function before the call. When a check fails, its result has no known type, so the
//! compiler reports only the check and not the call.
//!
//! As in the module `returned`, there are two methods of the same name. The compiler prefers the first one, which fits
//! valid functions, and finds the second one for all others. The error message is on the bounds of the second method.

use std::convert::Infallible;
use std::marker::PhantomData;

/// A user-defined function.
#[derive(Debug)]
pub struct Function<F>(pub F);

/// A user-defined function that takes one `A`.
#[derive(Debug)]
pub struct Unary<F, A> {
    function: F,
    argument: PhantomData<A>,
}

/// Calls a closure, whose argument the compiler infers.
#[inline]
pub fn apply<'a, A: ?Sized, R>(closure: impl FnOnce(&'a A) -> R, argument: &'a A) -> R {
    closure(argument)
}

/// The method of [`Function`] for functions with one argument.
pub trait TakesOne<A>: Sized {
    type Function;
    fn __one_argument(self) -> Unary<Self::Function, A>;
}

impl<F: FnOnce(A) -> R, A, R> TakesOne<A> for Function<F> {
    type Function = F;

    #[inline]
    fn __one_argument(self) -> Unary<F, A> {
        Unary { function: self.0, argument: PhantomData }
    }
}

/// The method of [`Function`] for everything else. Its receiver is a reference, so the compiler finds it only after
/// [`TakesOne`].
pub trait TakesOthers: Sized {
    type Function;
    fn __one_argument(self) -> <Self::Function as OneArgument>::Checked
    where
        Self::Function: OneArgument;
}

impl<F> TakesOthers for &Function<F> {
    type Function = F;

    fn __one_argument(self) -> F::Checked
    where
        F: OneArgument,
    {
        self.0.checked()
    }
}

/// A function with one argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function with one argument",
    label = "not a function with one argument",
    note = "a `with` function takes a reference to the field, and a method takes `&self`",
    note = "a name in lower case is a function; write the name of a constant in capitals"
)]
pub trait OneArgument {
    type Checked;
    fn checked(&self) -> Self::Checked;
}

// If no type implemented this trait, the compiler would suggest implementing it.
#[diagnostic::do_not_recommend]
impl OneArgument for Infallible {
    type Checked = Self;

    fn checked(&self) -> Self {
        *self
    }
}

impl<F, A: ?Sized> Unary<F, &A> {
    /// Returns the function, which takes a reference. A generic argument is inferred to be a reference.
    #[inline]
    pub fn __shared_reference(self) -> F {
        self.function
    }
}

/// The method of `Unary` for functions that do not take a reference.
pub trait TakesNoReference: Sized {
    type Function;
    type Argument;
    fn __shared_reference(self) -> <Self::Argument as SharedReference>::Checked<Self::Function>
    where
        Self::Argument: SharedReference;
}

impl<F, A> TakesNoReference for Unary<F, A> {
    type Function = F;
    type Argument = A;

    #[inline]
    fn __shared_reference(self) -> A::Checked<F>
    where
        A: SharedReference,
    {
        A::checked(self.function)
    }
}

/// An argument type that accepts a reference to a field.
#[diagnostic::on_unimplemented(
    message = "a function for a sitemap attribute cannot take `{Self}`",
    label = "does not take a shared reference",
    note = "a `with` function takes a reference to the field, such as `&u32`, or `&str` for a `String`",
    note = "a method takes `&self`"
)]
pub trait SharedReference {
    type Checked<F>;
    fn checked<F>(function: F) -> Self::Checked<F>;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> SharedReference for &T {
    type Checked<F> = F;

    #[inline]
    fn checked<F>(function: F) -> F {
        function
    }
}

// The compiler coerces a reference to a pointer.
#[diagnostic::do_not_recommend]
impl<T: ?Sized> SharedReference for *const T {
    type Checked<F> = F;

    #[inline]
    fn checked<F>(function: F) -> F {
        function
    }
}
