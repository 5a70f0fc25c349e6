//! The user's type with the meaning of its attributes.

pub(crate) mod container;
pub(crate) mod field;
pub(crate) mod settings;
