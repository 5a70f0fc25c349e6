//! One document, streamed: urlset, text sitemap or index, never past its limits.

mod buffer;
mod document;
mod escape;
mod format;
mod index;
mod options;
mod pages;
mod sitemap;

pub use document::{Fit, Written};
pub use index::IndexWriter;
pub use options::{Format, WriteOptions};
pub use sitemap::SitemapWriter;

pub(crate) use index::{begin_index, push_sitemap};
pub(crate) use pages::{Draft, Pages};
