//! A document with pages, an XML urlset or a text sitemap, which takes them record by record.

use std::io::Write;

use super::buffer::Buffer;
use super::document::{Document, Fit, Written};
use super::format::{push_line, push_url};
use super::options::{Format, WriteOptions};
use crate::entry::{Entries, Entry, SitemapEntry};
use crate::error::Error;
use crate::site::Site;
use crate::value::LastMod;

/// A record's pages are all written to the same file or, when one of them is invalid, none is: pages
/// that link to each other as translations must not lose one half.
#[derive(Debug)]
pub(crate) struct Pages<W> {
    document: Document<W>,
    format: Format,
    drafted: Drafted,
    newest: Option<LastMod>,
}

/// What the document's draft holds.
#[derive(Clone, Copy, Debug, Default)]
struct Drafted {
    urls: u64,
    newest: Option<LastMod>,
}

/// Writes the pages of one record to the draft.
#[derive(Debug)]
pub(crate) struct Draft<'d> {
    format: Format,
    out: &'d mut Buffer,
    drafted: &'d mut Drafted,
}

impl<W: Write> Pages<W> {
    pub(crate) fn new(out: W, options: WriteOptions) -> Self {
        let format = options.get_format();
        let limits = options.limits();
        let max = Written { items: limits.urls, bytes: limits.bytes };
        let document = match format {
            Format::Xml => {
                let namespace = options.get_dialect().namespace();
                let head =
                    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{namespace}\">\n");
                Document::new(out, head.as_bytes(), "</urlset>\n", max)
            }
            Format::Text => Document::new(out, b"", "", max),
        };
        Self { document, format, drafted: Drafted::default(), newest: None }
    }

    /// Writes a record's pages, to be accepted or discarded. On an error it discards them itself.
    #[inline]
    pub(crate) fn draft<T: SitemapEntry + ?Sized>(
        &mut self,
        record: &T,
        site: &Site,
        scratch: &mut String,
    ) -> Result<(), Error> {
        self.drafted = Drafted::default();
        let draft = Draft { format: self.format, out: self.document.draft(), drafted: &mut self.drafted };
        let result = record.entries(&mut Entries::write_to(site, scratch, draft));
        if result.is_err() {
            self.document.discard();
        }
        result
    }

    /// Takes the draft; when the document is full, the draft stays.
    ///
    /// # Errors
    ///
    /// If no document could hold the draft, which is then discarded, or the writer beneath fails.
    #[inline]
    pub(crate) fn accept(&mut self) -> Result<Fit, Error> {
        let fit = self.document.accept(self.drafted.urls)?;
        if fit == Fit::Written {
            self.newest = newer(self.newest, self.drafted.newest);
        }
        Ok(fit)
    }

    /// Forgets the draft.
    pub(crate) fn discard(&mut self) {
        self.document.discard();
    }

    /// Takes over the draft of another document.
    pub(crate) fn draft_of(&mut self, other: &Self) {
        self.document.draft().append(other.document.draft_bytes());
        self.drafted = other.drafted;
    }

    /// The newest `lastmod` of all accepted pages.
    pub(crate) fn newest(&self) -> Option<LastMod> {
        self.newest
    }

    pub(crate) fn size(&self) -> Written {
        self.document.size()
    }

    pub(crate) fn finish(self) -> Result<(W, Written), Error> {
        self.document.finish()
    }
}

impl Draft<'_> {
    #[inline]
    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        match self.format {
            Format::Xml => push_url(self.out, entry),
            Format::Text => push_line(self.out, entry),
        }
        self.drafted.urls += 1;
        self.drafted.newest = newer(self.drafted.newest, entry.lastmod());
    }
}

/// The later of two moments.
#[inline]
fn newer(a: Option<LastMod>, b: Option<LastMod>) -> Option<LastMod> {
    match (a, b) {
        (Some(a), Some(b)) if b.is_after(&a) => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}
