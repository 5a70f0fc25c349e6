//! What only derived code calls. Nothing here is part of the public API.
//!
//! | what | where |
//! |---|---|
//! | values that are checked while compiling | `constants` |
//! | functions that an attribute names: their argument, the field they take, what they return | `function`, `function_of_option`, `returned` |
//! | pages in several languages | `locales`, `localized` |
//! | times without an offset, Unix times | `local_time` |
//!
//! If an attribute is wrong in a way that only the compiler can see, the message is in the attributes of a trait here.
#![allow(missing_docs, clippy::missing_errors_doc)]

mod constants;
mod function;
mod function_of_option;
mod local_time;
mod locales;
mod localized;
mod returned;

pub use super::route::route;
pub use super::template::{DateItem, Joined, Literal, OptionalValue, TemplateUrl};
pub use crate::value::loc::is_punycode;
pub use constants::{
    ChangeFreqConstant, Constant, LastModConstant, LocalesConstant, PriorityConstant, literal_lastmod, names,
    not_constant,
};
pub use function::{Function, OneArgument, SharedReference, TakesNoReference, TakesOne, TakesOthers, apply};
pub use function_of_option::{
    ConversionOf, OnField, TakesField, TakesNeither, TakesTarget, TakesTargetOfValue, TakesValue, WithField,
};
pub use local_time::{LocalTime, UnixTime};
pub use locales::{Locales, ToLocales, VisitLocales};
pub use localized::Localized;
pub use returned::{
    Always, Cause, Failure, ForeignFailure, Infallible, Items, NotIterator, Present, Returned, SkipCondition,
    at_page, in_field,
};
