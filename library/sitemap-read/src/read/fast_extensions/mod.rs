//! The fast path for entries with extensions: translations, images, videos and news.
//!
//! [`scan`] reads the markup of an entry in one pass and records an [`Outline`], which consists of offsets. Translations and
//! images of the most common forms are also checked in this pass. [`Outline::attach`] then builds the values. If the markup is unusual or a value is invalid, the general parser reads the
//! entry. For an entry that this fast path reads, both parsers must return the same values.

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
