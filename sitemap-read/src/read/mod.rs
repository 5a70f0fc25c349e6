//! Reading: from any bytes to entries and findings.
//!
//! [`SitemapReader`] finds out by content what it has, yields one [`Item`] after the other, and
//! reports what is wrong as [`Finding`]s with byte offset, line and column. Nothing is ever fetched,
//! no entity is expanded, and no input can make it panic, hang or take more memory than its
//! [limits](ReadLimits) say.
//!
//! # What is read
//!
//! | content | as |
//! |---|---|
//! | `urlset` or `sitemapindex` in namespace 0.9 or 0.84, in a misspelt one or in none | pages, sitemaps |
//! | `rss`, `rdf:RDF` | the `link` of each `item`, else its `guid` if that is a URL; `pubDate` |
//! | `feed`, Atom 1.0 or 0.3 | the `link` of each `entry` whose `rel` is absent or `alternate`; `updated`, `modified` |
//! | a line that begins with `http://` or `https://` | one page a line |
//! | gzip of any of these, of one member or several | the same, feature `gzip` |
//! | UTF-16, or an encoding that the XML declaration names | the same, feature `encoding` |
//! | HTML, other XML, other text, nothing | an error |
//!
//! # What is done about defects
//!
//! A lenient reader, the default, mends what has one clear meaning, keeps every entry whose address
//! is sound, and says what it did. A [strict](ReadOptions::strict) one stops at the first finding
//! that is an [error](crate::Severity::Error).
//!
#![doc = include_str!("decisions.md")]

mod around;
mod collect;
mod cursor;
mod date;
mod document;
mod draft;
mod elements;
mod entries;
mod error;
mod extend;
mod fast;
mod feed;
mod fields;
mod finding;
#[cfg(feature = "gzip")]
mod inflate;
mod input;
mod item;
mod limits;
mod namespace;
mod open;
mod part;
mod place;
mod position;
mod reader;
mod root;
mod shape;
mod text;
mod token;
#[cfg(feature = "encoding")]
mod transcode;
mod value;
mod xml;

pub use document::{Document, DocumentKind};
pub use entries::Entries;
pub use error::{ReadError, ReadErrorKind};
pub use finding::Finding;
pub use item::{Item, PageItem, SitemapItem, Value};
pub use limits::{ReadLimits, ReadOptions};
pub use open::document_text;
pub use position::{Position, Span};
pub use reader::SitemapReader;
pub(crate) use shape::{Note, decoded};
