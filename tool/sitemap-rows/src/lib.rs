//! A fast scanner for the usual rows of lists of pages: text, CSV, TSV and NDJSON.
//!
//! ```
//! use sitemap_core::{ChangeFreq, LastMod, Site};
//! use sitemap_rows::Scanner;
//!
//! let mut scanner = Scanner::new(&Site::new("https://example.com")?);
//! let text = b"{\"loc\":\"/tea\",\"lastmod\":\"2026-01-31\",\"changefreq\":\"weekly\"}\n{\"loc\":\"/coffee\"}\n";
//! let row = scanner.object(text).unwrap();
//! assert_eq!(row.entry.loc(), "https://example.com/tea");
//! assert_eq!(row.entry.lastmod(), Some(LastMod::date(2026, 1, 31)?));
//! assert_eq!(row.entry.changefreq(), Some(ChangeFreq::Weekly));
//! assert_eq!(&text[row.len..], b"{\"loc\":\"/coffee\"}\n");
//! # Ok::<(), sitemap_core::Error>(())
//! ```
//!
//! A list of ten million pages consists of rows that look alike, and a parser for everything that CSV and JSON allow takes
//! most of the time of a publication. The scanner reads only rows of the usual form: one line with a URL and, in tables and
//! objects, a `lastmod`, `changefreq` and `priority`. For any other text it returns `None`. So it has no errors, and its
//! caller needs a parser that reads all rows. For a usual row, the scanner returns what that parser would return.
//!
//! The command `sitemap build` reads its lists with this crate.

#![forbid(unsafe_code)]

mod extended;
mod line;
mod object;
mod scanner;
mod table;
mod value;

pub use extended::find_extended;
pub use scanner::{Row, Scanner};
pub use table::Columns;
