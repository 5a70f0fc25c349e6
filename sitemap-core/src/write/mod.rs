//! Streams one document (a urlset, a text sitemap or a sitemap index) and enforces the limits on its size.
//!
//! | what | where |
//! |---|---|
//! | documents: their head, entries, tail and limits | `document`, `pages`, `index`, `size` |
//! | the text of an entry | `entry`, `extensions`, `markup`, `escape` |
//! | the namespaces on the root element | `declared` |
//! | where the text goes | `buffer`, `sink` |
//! | settings | `options`, `bucket` |

mod bucket;
mod buffer;
mod declared;
mod document;
mod entry;
mod escape;
mod extensions;
mod index;
mod markup;
mod options;
mod pages;
mod sink;
mod size;

pub use bucket::bucket_of;
pub use options::{Format, WriteOptions};
pub use size::DocumentSize;

pub(crate) use bucket::HashBucket;
pub(crate) use buffer::Buffer;
pub(crate) use document::Room;
pub(crate) use escape::escaped;
pub(crate) use index::Index;
pub(crate) use pages::{Draft, Pages};
pub(crate) use sink::{TextSink, WriteSink};
pub(crate) use size::Content;
