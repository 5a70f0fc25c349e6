//! Publishes a set: settings, sections and the summary of a run.
//!
//! | task | item |
//! |---|---|
//! | open a set | [`SitemapSet`], its [`SetOptions`] |
//! | publish all records from one process | [`Replacement`], its [`Section`]s |
//! | refuse a set that lost too many pages | [`ShrinkLimit`], [`AllowShrink`] |
//! | see the published files | [`Summary`] |
//! | publish from many processes, or replace single hash buckets | [`shards`] |
//! | publish the last changes as a feed | [`feed`] |
//! | recognise the files of a set | [`files`] |
//!
//! | what happens | where |
//! |---|---|
//! | a record becomes text in a file | `section`, `fill` |
//! | complete files replace the published set | `set` |
//! | the loss of pages is limited | `shrink` |

mod error;
pub mod feed;
pub mod files;
mod fill;
mod options;
mod replacement;
mod section;
mod set;
pub mod shards;
mod shrink;
mod sitemap_set;
mod skipped;
#[cfg(feature = "async")]
mod stream;
mod summary;
mod target;

pub use error::{PublishError, PublishErrorKind};
pub use options::{IndexLastMod, Names, OnInvalid, SetOptions};
pub use replacement::Replacement;
pub use section::Section;
pub use set::names::SectionNameError;
pub use shrink::{AllowShrink, ShrinkLimit, ShrinkLimitError, Shrinkage};
pub use sitemap_set::SitemapSet;
pub use skipped::SkippedRecord;
pub use summary::{PublishedFile, Summary};
