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
//! | defect | decision | finding |
//! |---|---|---|
//! | wrong or missing namespace | read as if it were right | `namespace-unknown`, `namespace-missing` |
//! | prefixed root, children without prefix | read | `namespace-missing` |
//! | white space around a value, U+00A0 and its like too | trimmed | – |
//! | line break inside a URL | entry dropped: what was meant is a guess | `loc-character` |
//! | blank or comment before `<?xml` | skipped | `declaration-not-first` |
//! | text before the document, as PHP warnings are | skipped | `content-before-root` |
//! | UTF-8 byte order mark | skipped | – |
//! | UTF-16, declared legacy encodings | decoded | `encoding-not-utf8` |
//! | declared encoding unknown or not the file's | read as UTF-8 | `encoding-mismatch` |
//! | bytes that are not UTF-8 | percent-encoded as they are in an address, else U+FFFD | `utf8-invalid` |
//! | a near-miss of a date: no zone, `t`, `z`, `+0800`, blank, date with zone, 24:00, RFC 822 | mended | `lastmod-no-zone` and so on |
//! | any other bad date | left out, entry kept; nothing is guessed | `lastmod-invalid` |
//! | `YYYY`, `YYYY-MM` | kept as they are, never filled up | – |
//! | change frequency in another case | read | `changefreq-case` |
//! | any other bad change frequency | left out | `changefreq-unknown` |
//! | bad priority | left out, not 0.5 | `priority-invalid` |
//! | raw `&` | stands for itself | `ampersand-raw` |
//! | `&nbsp;` and other HTML entities | stay as they are | `entity-unknown` |
//! | doubly escaped text | decoded once | – |
//! | references to characters that XML forbids | U+FFFD; in an address the entry is dropped | `character-forbidden`, `loc-character` |
//! | upper-case tags | read | `tag-case` |
//! | CDATA, comments within a value | read, left out | – |
//! | relative address | entry dropped | `loc-relative` |
//! | other scheme, no host, bad port, user name | entry dropped | `loc-scheme`, `loc-host`, `loc-port`, `loc-credentials` |
//! | `.` and `..` in an address | resolved | `loc-dot-segment` |
//! | address of more than 2,047 characters | entry dropped, also with exactly 2,048: no [`Loc`](sitemap_core::Loc) can hold it, nor could a writer list it | `loc-too-long` |
//! | relative link in a feed | resolved against the feed's own link | `feed-link-relative` |
//! | two `loc` in one `url` | two entries, each with the values that follow it | `loc-twice` |
//! | any other value twice | the first counts | `element-duplicate` |
//! | `image:loc` under its own, a wrong or no namespace | never the page's address | `extension-namespace`, `namespace-undeclared` |
//! | no `loc`, but a URL as text of `url` | that URL | `loc-as-text` |
//! | unclosed tags | closed where the next value or entry begins | `tag-unclosed` |
//! | end tag without a start tag | ignored | `tag-unmatched` |
//! | `< url>`, `</ url>` and other malformed tags | read as meant | `tag-malformed` |
//! | `<` that begins no tag | stands for itself | `markup-stray` |
//! | truncated document | all that is whole is kept; an address that is cut off is not | `truncated`, `loc-truncated` |
//! | truncated or damaged gzip | what was decoded is kept | `gzip-truncated`, `gzip-damaged` |
//! | compressed twice | both layers are taken off | `gzip-twice` |
//! | order of elements | means nothing | – |
//! | unknown elements, text between elements | ignored | `element-unknown`, `text-stray` |
//! | elements of unknown namespaces | skipped with all in them, or [kept](ReadOptions::keep_elements) | – |
//! | DOCTYPE | skipped, nothing in it is expanded | `doctype` |
//! | one URL several times | all kept | – |
//! | entries without a root | read | `root-missing` |
//! | a `sitemap` in a urlset, a `url` in an index, a `loc` in neither | read | `element-misplaced` |
//! | entries of both dialects in one document | read | `mixed-dialects` |
//! | a second document after the first | read | `content-after-root` |
//! | more than 50,000 entries | read, up to [`ReadLimits::entries`] | `too-many-entries` |
//! | a line of a text sitemap that is no URL | dropped | `text-line-invalid` |
//! | a bad value of an extension | left out, and the extension with it if it needs that value | `extension-invalid`, `extension-incomplete` |
//! | nothing but blanks, compressed or not | an error | the checker's `file-empty` |
//! | pages outside the sitemap's scope | kept: that is a question for the checker | – |

mod collect;
mod date;
mod document;
mod draft;
mod elements;
mod error;
mod extend;
mod fast;
mod feed;
mod finding;
#[cfg(feature = "gzip")]
mod inflate;
mod input;
mod item;
mod limits;
mod namespace;
mod news;
mod open;
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
mod video;
mod xml;

pub use document::{Document, DocumentKind};
pub use error::{ReadError, ReadErrorKind};
pub use finding::Finding;
pub use item::{Item, PageItem, SitemapItem, Value};
pub use limits::{ReadLimits, ReadOptions};
pub use open::document_text;
pub use position::{Position, Span};
pub use reader::SitemapReader;
pub(crate) use shape::{Note, decoded};
