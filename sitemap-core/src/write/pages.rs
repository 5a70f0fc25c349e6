//! A document with pages, an XML urlset or a text sitemap, which takes them record by record.

use std::io::Write;

use super::buffer::Buffer;
use super::document::{Document, Fit, Written};
use super::format::{push_line, push_url};
use super::options::{Format, WriteOptions};
use crate::dialect::Dialect;
use crate::entry::{Entries, Entry, SitemapEntry};
use crate::error::{Error, ErrorKind};
use crate::extension::Extensions;
use crate::site::Site;
use crate::value::LastMod;

/// A record's pages are all written to the same file or, when one of them is invalid, none is: pages
/// that link to each other as translations must not lose one half.
#[derive(Debug)]
pub(crate) struct Pages<W> {
    document: Document<W>,
    dialect: Dialect,
    format: Format,
    declared: Extensions,
    /// Whether the first record has had its say in what is declared.
    begun: bool,
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
    declared: Extensions,
    out: &'d mut Buffer,
    drafted: &'d mut Drafted,
}

impl<W: Write> Pages<W> {
    pub(crate) fn new(out: W, options: WriteOptions) -> Self {
        let format = options.get_format();
        let limits = options.limits();
        let max = Written { items: limits.urls, bytes: limits.bytes };
        let (dialect, declared) = (options.get_dialect(), options.get_extensions());
        let document = match format {
            Format::Xml => Document::new(out, &head(dialect, declared), "</urlset>\n", max),
            Format::Text => Document::new(out, "", "", max),
        };
        Self { document, dialect, format, declared, begun: false, drafted: Drafted::default(), newest: None }
    }

    /// Declares what the first record may use, while the head can still be changed.
    #[cold]
    fn begin(&mut self, extensions: Extensions) -> Result<(), Error> {
        // Text has neither a head nor extensions.
        if self.format == Format::Xml {
            let declared = self.declared.union(extensions);
            if self.dialect == Dialect::V0_84 && declared != Extensions::NONE {
                return Err(ErrorKind::NoExtensions { extensions: declared }.into());
            }
            self.declared = declared;
            self.document.set_head(&head(self.dialect, declared));
        }
        self.begun = true;
        Ok(())
    }

    /// Writes a record's pages, to be accepted or discarded. On an error it discards them itself.
    #[inline]
    pub(crate) fn draft<T: SitemapEntry + ?Sized>(
        &mut self,
        record: &T,
        site: &Site,
        scratch: &mut String,
    ) -> Result<(), Error> {
        if !self.begun {
            self.begin(T::EXTENSIONS)?;
        }
        self.drafted = Drafted::default();
        let draft = Draft {
            format: self.format,
            declared: self.declared,
            out: self.document.draft(),
            drafted: &mut self.drafted,
        };
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
            keep_newer(&mut self.newest, self.drafted.newest.as_ref());
        }
        Ok(fit)
    }

    /// Forgets the draft.
    pub(crate) fn discard(&mut self) {
        self.document.discard();
    }

    /// Goes on where another document is full: with its declarations and its draft.
    pub(crate) fn follow(&mut self, other: &Self) -> Result<(), Error> {
        self.begin(other.declared)?;
        self.document.draft().append(other.document.draft_bytes());
        self.drafted = other.drafted;
        Ok(())
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
    pub(crate) fn push(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        match self.format {
            Format::Xml if !self.declared.contains(entry.extensions()) => return Err(undeclared(entry)),
            Format::Xml => push_url(self.out, entry),
            Format::Text => push_line(self.out, entry),
        }
        self.drafted.urls += 1;
        keep_newer(&mut self.drafted.newest, entry.lastmod_ref());
        Ok(())
    }
}

fn head(dialect: Dialect, declared: Extensions) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{}\"{}>\n",
        dialect.namespace(),
        declared.declarations()
    )
}

#[cold]
fn undeclared(entry: &Entry<'_>) -> Error {
    ErrorKind::Undeclared { loc: entry.loc().as_str().into(), extensions: entry.extensions() }.into()
}

/// Replaces `newest` by a later moment.
#[inline]
fn keep_newer(newest: &mut Option<LastMod>, other: Option<&LastMod>) {
    if let Some(other) = other
        && newest.as_ref().is_none_or(|newest| other.is_after(newest))
    {
        *newest = Some(*other);
    }
}
