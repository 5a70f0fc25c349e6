//! A sitemap index that is written one child sitemap at a time.

use super::document::{Document, Room};
use super::entry::push_sitemap;
use super::options::WriteOptions;
use super::sink::TextSink;
use super::size::DocumentSize;
use crate::error::Error;
use crate::value::{LastMod, Loc};

/// A sitemap index that is being written.
#[derive(Debug)]
pub(crate) struct Index<S>(Document<S>);

impl<S: TextSink> Index<S> {
    pub(crate) fn new(sink: S, options: &WriteOptions) -> Self {
        let limits = options.limits();
        let namespace = options.get_dialect().namespace();
        let head = format!("{}<sitemapindex xmlns=\"{namespace}\">\n", options.prolog());
        let max = DocumentSize { entries: limits.sitemaps, bytes: limits.bytes };
        Self(Document::new(sink, &head, "</sitemapindex>\n", max))
    }

    /// Adds a child sitemap, unless the index is full.
    pub(crate) fn add(&mut self, loc: &Loc<'_>, lastmod: Option<LastMod>) -> Result<Room, Error> {
        push_sitemap(self.0.draft(), loc, lastmod);
        let room = self.0.accept(1)?;
        self.0.discard();
        Ok(room)
    }

    pub(crate) fn size(&self) -> DocumentSize {
        self.0.size()
    }

    pub(crate) fn finish(self) -> Result<(S, DocumentSize), Error> {
        self.0.finish(None, false)
    }
}
