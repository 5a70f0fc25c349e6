//! Reads documents and returns their entries and findings.
//!
//! [`SitemapReader`] detects the format from the content, yields one [`Item`] at a time, and reports defects as
//! [`Finding`]s with byte offset, line and column. It never fetches anything, and never expands entities that a
//! document declares. No input can make it panic, hang or use more memory than its [limits](ReadLimits) allow.
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
//! By default, the reader is lenient: it repairs defects whose intended meaning is clear, keeps every entry with a
//! valid URL, and reports each defect as a finding. A [strict](ReadOptions::strict) reader stops at the first finding
//! that is an [error](crate::Severity::Error).
//!
#![doc = include_str!("decisions.md")]
//!
//! # Where the code is
//!
//! | module | what |
//! |---|---|
//! | `reader`, `cursor`, `entries`, `item`, `document`, `limits`, `error` | the public reader, its items and options |
//! | `detect`, `inflate`, `transcode`, `input` | from bytes to text: the format, compression, encoding, and the buffer |
//! | `xml`, `root`, `structure` | the root element, and what stands between entries |
//! | `fast`, `fast_extensions` | entries in the forms that generators write, read in one pass |
//! | `token`, `tree`, `draft`, `namespace` | all other entries: the tree of their markup, and its values |
//! | `value`, `date`, `fields`, `element`, `extensions`, `foreign_elements` | values and extensions, with their repairs |
//! | `feed`, `text` | RSS, Atom and text sitemaps |
//! | `finding`, `position`, `tag_spans`, `schema` | findings, their places, and the order of elements |
//! | `well_formed` | the rules of XML that a conforming parser checks, on the same tokens |

mod cursor;
mod date;
mod detect;
mod document;
mod draft;
mod element;
mod entries;
mod error;
mod extensions;
mod fast;
mod fast_extensions;
mod feed;
mod fields;
mod finding;
mod foreign_elements;
#[cfg(feature = "gzip")]
mod inflate;
mod input;
mod item;
mod limits;
mod namespace;
mod position;
mod reader;
mod root;
mod schema;
mod structure;
mod tag_spans;
mod text;
mod token;
#[cfg(feature = "encoding")]
mod transcode;
mod tree;
mod value;
mod well_formed;
mod xml;

pub use detect::document_text;
pub use document::{Document, DocumentKind};
pub use entries::Entries;
pub use error::{ReadError, ReadErrorKind};
pub(crate) use finding::message;
pub use finding::{Finding, quoted};
pub use item::{Item, PageItem, SitemapItem, Value};
pub use limits::{ReadLimits, ReadOptions};
pub use position::{Position, Span};
pub use reader::SitemapReader;
pub(crate) use schema::{Note, decoded};
pub(crate) use value::needs_encoding;
pub use well_formed::xml_violations;
