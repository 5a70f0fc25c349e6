//! Implements the value traits for pointers to values.

/// Implements a trait with a single `&self` method for `&T`, `Box<T>`, `Rc<T>`, `Arc<T>` and `Cow<T>`.
macro_rules! through_pointers {
    ($trait:ident :: $method:ident ($($argument:ident: $type:ty),*) -> $result:ty) => {
        through_pointers!(@ &T, $trait $method ($($argument: $type),*) $result);
        through_pointers!(@ Box<T>, $trait $method ($($argument: $type),*) $result);
        through_pointers!(@ std::rc::Rc<T>, $trait $method ($($argument: $type),*) $result);
        through_pointers!(@ std::sync::Arc<T>, $trait $method ($($argument: $type),*) $result);

        #[diagnostic::do_not_recommend]
        impl<T: $trait + ToOwned + ?Sized> $trait for std::borrow::Cow<'_, T> {
            #[inline]
            fn $method(&self, $($argument: $type),*) -> $result {
                (**self).$method($($argument),*)
            }
        }
    };
    (@ $pointer:ty, $trait:ident $method:ident ($($argument:ident: $type:ty),*) $result:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: $trait + ?Sized> $trait for $pointer {
            #[inline]
            fn $method(&self, $($argument: $type),*) -> $result {
                (**self).$method($($argument),*)
            }
        }
    };
}
