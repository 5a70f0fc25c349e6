//! Types that represent an extension element, such as `Video` and `Uploader`.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::error::ExtensionError;
use super::fields::{Fields, Value};
use super::table::Table;

/// The values of an element, either owned or borrowed from the parent element.
#[derive(Clone)]
pub(crate) enum Lent<'a> {
    /// Values borrowed from the parent element.
    Borrowed(&'a Fields<'a>),
    /// Values owned by this `Lent`.
    Owned(Fields<'a>),
}

impl<'a> Lent<'a> {
    /// Checks a value and adds it, like [`Fields::add`].
    pub(super) fn with(self, at: u8, value: impl Into<Value<'a>>) -> Result<Self, ExtensionError> {
        self.into_fields().with(at, value.into()).map(Self::Owned)
    }

    /// Adds a value without a check. Replaces the earlier value if the field allows only one. `None` removes all values
    /// of the field.
    pub(super) fn put(self, at: u8, value: impl Into<Option<Value<'a>>>) -> Self {
        Self::Owned(self.into_fields().with_option(at, value.into()))
    }

    pub(super) fn into_fields(self) -> Fields<'a> {
        match self {
            Self::Borrowed(fields) => fields.clone(),
            Self::Owned(fields) => fields,
        }
    }
}

impl<'a> Deref for Lent<'a> {
    type Target = Fields<'a>;

    fn deref(&self) -> &Fields<'a> {
        match self {
            Self::Borrowed(fields) => fields,
            Self::Owned(fields) => fields,
        }
    }
}

impl PartialEq for Lent<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Lent<'_> {}

impl Hash for Lent<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// A type that represents an extension element and can be built from the element's [`Fields`].
pub trait Group<'a>: Sized {
    /// The table that describes the element.
    const TABLE: &'static Table;

    /// Creates the element from these values.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if a required value is missing.
    fn from_fields(fields: Fields<'a>) -> Result<Self, ExtensionError>;

    /// Creates the element from [unchecked](Fields::unchecked) values that were read from a document.
    fn from_document(fields: Fields<'a>) -> Self;
}

/// A type that represents a child element and can borrow its [`Fields`] from the parent element.
pub(super) trait Nested<'a>: Sized {
    fn lent(fields: &'a Fields<'a>) -> Self;
    fn into_value(self) -> Value<'a>;
}

/// Implements the methods and traits shared by all types that wrap a [`Lent`].
macro_rules! group {
    ($name:ident of $table:expr) => {
        impl $name<'_> {
            /// Copies the borrowed strings, so that the value owns all of its data.
            pub fn into_owned(self) -> $name<'static> {
                $name(Lent::Owned(self.0.into_fields().into_owned()))
            }
        }

        impl<'a> $crate::extension::group::Group<'a> for $name<'a> {
            const TABLE: &'static Table = &$table;

            fn from_fields(fields: Fields<'a>) -> Result<Self, ExtensionError> {
                fields.complete().map(|fields| Self(Lent::Owned(fields)))
            }

            fn from_document(fields: Fields<'a>) -> Self {
                Self(Lent::Owned(fields))
            }
        }

        impl<'a> $crate::extension::group::Nested<'a> for $name<'a> {
            fn lent(fields: &'a Fields<'a>) -> Self {
                Self(Lent::Borrowed(fields))
            }

            fn into_value(self) -> Value<'a> {
                Value::Group(self.0.into_fields())
            }
        }

        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&*self.0, f)
            }
        }
    };
}

pub(super) use group;
