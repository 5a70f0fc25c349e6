//! The fast path for entries with translations, images, videos and news.
//!
//! [`scan`] reads an entry's markup in one pass and records an [`Outline`] of offsets. In the same pass, it also checks
//! translations and images in their most common forms. [`Outline::attach`] then builds the values. If the markup is
//! unusual or a value is invalid, the general parser reads the entry instead. For entries that the fast path reads,
//! both parsers must return the same values.

mod attach;
mod common;
mod outline;
mod prefixes;
mod scan;
mod values;

pub(super) use outline::Outline;
pub(super) use prefixes::Prefixes;
pub(super) use scan::scan;
pub(super) use values::Origins;
