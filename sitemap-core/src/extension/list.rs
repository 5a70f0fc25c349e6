//! A borrowed or owned list.

use std::borrow::Cow;
use std::ops::Deref;

/// A borrowed or owned list. Unlike `Cow<[T]>`, it is covariant in `T`.
#[derive(Clone, Debug)]
pub(crate) enum List<'a, T> {
    Borrowed(&'a [T]),
    Owned(Vec<T>),
}

impl<T: Clone> List<'_, T> {
    pub(super) fn into_owned<U>(self, own: impl Fn(T) -> U) -> List<'static, U> {
        List::Owned(match self {
            Self::Borrowed(values) => values.iter().cloned().map(own).collect(),
            Self::Owned(values) => values.into_iter().map(own).collect(),
        })
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self::Borrowed(&[])
    }
}

impl<T> Deref for List<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Borrowed(values) => values,
            Self::Owned(values) => values,
        }
    }
}

impl<T: PartialEq> PartialEq for List<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for List<'_, T> {}

impl<T> From<Vec<T>> for List<'_, T> {
    fn from(values: Vec<T>) -> Self {
        if values.is_empty() { Self::default() } else { Self::Owned(values) }
    }
}

impl<'a, T: Clone> From<Cow<'a, [T]>> for List<'a, T> {
    fn from(values: Cow<'a, [T]>) -> Self {
        match values {
            Cow::Borrowed(values) => Self::Borrowed(values),
            Cow::Owned(values) => Self::Owned(values),
        }
    }
}
