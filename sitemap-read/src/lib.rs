//! Reads and checks sitemaps of any origin.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod check;
pub mod read;
mod rule;

pub use check::{
    CheckOptions, Checker, Engine, FileReport, OpenError, OpenedSitemap, Report, SitemapSource, UnknownEngine,
};
pub use read::{
    Document, DocumentKind, Entries, Finding, Item, PageItem, Position, ReadError, ReadErrorKind, ReadLimits,
    ReadOptions, SitemapItem, SitemapReader, Span, Value, document_text,
};
pub use rule::{Authority, Rule, Severity, UnknownRule};
