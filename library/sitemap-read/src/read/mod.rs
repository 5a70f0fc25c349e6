//! The reader, which turns bytes into entries and findings.
//!
//! [`SitemapReader`] detects the format by content, yields one [`Item`] after another, and reports defects as
//! [`Finding`]s with byte offset, line and column. The reader never fetches anything, and never expands an entity that
//! a document declares. No input can make it panic, hang or take more memory than its [limits](ReadLimits) allow.
//!
//! # Formats
//!
//! | content | read as |
//! |---|---|
//! | `urlset` or `sitemapindex` in namespace 0.9 or 0.84, in a misspelt namespace or in none | pages, child sitemaps |
//! | `rss`, `rdf:RDF` | each `item`: URL in `link`, or in `guid` if the `guid` is a URL; date in `pubDate`, `dc:date` |
//! | `feed`: Atom 1.0, 0.3 | each `entry`: URL in `link` (`rel` absent or `alternate`); date in `updated`, `modified` |
//! | a line that starts with `http://` or `https://` | one page per line |
//! | gzip of any of these formats, with one member or several | the decompressed document; needs the feature `gzip` |
//! | UTF-16, or an encoding that the XML declaration names | the decoded document; needs the feature `encoding` |
//! | HTML, other XML, other text, or no content | an error |
//!
//! # Defects
//!
//! By default, the reader is lenient: it repairs a defect if the intended meaning is clear, keeps every entry with a
//! valid URL, and reports each defect as a finding. A [strict](ReadOptions::strict) reader stops at the first
//! finding that is an [error](crate::Severity::Error).
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
mod extended;
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
mod well_formed;
mod xml;

pub use document::{Document, DocumentKind};
pub use entries::Entries;
pub use error::{ReadError, ReadErrorKind};
pub(crate) use finding::message;
pub use finding::{Finding, quoted};
pub use item::{Item, PageItem, SitemapItem, Value};
pub use limits::{ReadLimits, ReadOptions};
pub use open::document_text;
pub use position::{Position, Span};
pub use reader::SitemapReader;
pub(crate) use shape::{Note, decoded};
pub(crate) use well_formed::{Violation, WellFormed};
