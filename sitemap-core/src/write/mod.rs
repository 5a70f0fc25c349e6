//! One document, streamed: urlset, text sitemap or index, never past its limits.

mod buffer;
mod declared;
mod document;
mod escape;
mod extensions;
mod format;
mod index;
mod options;
mod pages;
mod sitemap;
mod stylesheet;
mod video;

pub use document::{Fit, Written};
pub use index::IndexWriter;
pub use options::{Format, WriteOptions};
pub use sitemap::SitemapWriter;
pub use stylesheet::{Stylesheet, StylesheetError};

pub(crate) use index::{begin_index, push_sitemap};
pub(crate) use pages::{Draft, Pages};
