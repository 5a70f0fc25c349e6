//! Reads lists of pages: text, CSV, TSV and NDJSON.
//!
//! | what | where |
//! |---|---|
//! | opening a list, and its format | `input` |
//! | rows of CSV and TSV | `csv`, with `csv_record` and `csv_end` |
//! | which column has the URL | `columns` |
//! | rows of NDJSON | `ndjson` |
//! | lines | `lines` |
//! | a list in place of a sitemap | `document` |

mod columns;
pub(crate) mod csv;
pub(crate) mod csv_end;
mod csv_record;
pub(crate) mod document;
pub(crate) mod input;
pub(crate) mod lines;
pub(crate) mod ndjson;
