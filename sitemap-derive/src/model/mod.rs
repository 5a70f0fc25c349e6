//! The model of the user's type, in which each attribute has its meaning.

pub(crate) mod container;
pub(crate) mod field;
pub(crate) mod settings;
