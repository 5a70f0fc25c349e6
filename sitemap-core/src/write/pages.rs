//! A document with pages, an XML urlset or a text sitemap, which takes them record by record.

// What runs for every page: apart, its pieces would be calls with all their values in memory.
#![allow(clippy::inline_always)]

use std::io::Write;

use super::buffer::Buffer;
use super::declared::Declared;
use super::document::{Document, Fit, Written};
use super::format::{push_extended_url, push_line, push_url};
use super::options::{Format, WriteOptions};
use crate::entry::{Entries, Entry, SitemapEntry};
use crate::error::Error;
use crate::extension::{Attached, Extensions, News};
use crate::site::Site;
use crate::value::LastMod;

/// A record's pages are all written to the same file or, when one of them is invalid, none is: pages
/// that link to each other as translations must not lose one half.
#[derive(Debug)]
pub(crate) struct Pages<W> {
    document: Document<W>,
    format: Format,
    declared: Declared,
    /// Whether the first record has had its say in what is declared.
    begun: bool,
    drafted: Drafted,
    /// Articles among the accepted pages.
    news: u64,
    newest: Option<LastMod>,
}

/// What the document's draft holds.
#[derive(Clone, Copy, Debug, Default)]
struct Drafted {
    urls: u64,
    news: u64,
    newest: Option<LastMod>,
}

/// Writes the pages of one record to the draft.
#[derive(Debug)]
pub(crate) struct Draft<'d> {
    format: Format,
    declared: &'d Declared,
    out: &'d mut Buffer,
    drafted: &'d mut Drafted,
}

impl<W: Write> Pages<W> {
    pub(crate) fn new(out: W, options: &WriteOptions) -> Self {
        let format = options.get_format();
        let limits = options.limits();
        let max = Written { items: limits.urls, bytes: limits.bytes };
        let declared = Declared::new(options);
        let document = match format {
            Format::Xml => Document::new(out, &declared.head(), "</urlset>\n", max),
            Format::Text => Document::new(out, "", "", max),
        };
        let drafted = Drafted::default();
        Self { document, format, declared, begun: false, drafted, news: 0, newest: None }
    }

    /// Declares what the first record may use, while the head can still be changed.
    #[cold]
    fn begin(&mut self, extensions: Extensions) -> Result<(), Error> {
        // Text has neither a head nor extensions.
        if self.format == Format::Xml {
            self.declared.add(extensions)?;
            self.document.set_head(&self.declared.head());
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
            declared: &self.declared,
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
        if self.drafted.news > 0 {
            return self.accept_news();
        }
        self.accept_draft()
    }

    #[inline]
    fn accept_draft(&mut self) -> Result<Fit, Error> {
        let fit = self.document.accept(self.drafted.urls)?;
        if fit == Fit::Written {
            keep_newer(&mut self.newest, self.drafted.newest.as_ref());
        }
        Ok(fit)
    }

    /// As `accept_draft`, for a file that also has a limit on articles.
    #[inline(never)]
    fn accept_news(&mut self) -> Result<Fit, Error> {
        if let Err(error) = News::check_count(self.drafted.news) {
            self.document.discard();
            return Err(error.into());
        }
        let news = self.news + self.drafted.news;
        if news > News::MAX_PER_FILE {
            return Ok(Fit::Full);
        }
        let fit = self.accept_draft()?;
        if fit == Fit::Written {
            self.news = news;
        }
        Ok(fit)
    }

    /// Forgets the draft.
    pub(crate) fn discard(&mut self) {
        self.document.discard();
    }

    /// Goes on where another document is full: with its declarations and its draft.
    pub(crate) fn follow(&mut self, other: &Self) -> Result<(), Error> {
        self.begin(other.declared.extensions)?;
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
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        match (self.format, entry.attached()) {
            (Format::Xml, None) => push_url(self.out, entry),
            (Format::Xml, Some(attached)) => self.push_extended(entry, attached)?,
            (Format::Text, _) => push_line(self.out, entry),
        }
        self.drafted.urls += 1;
        keep_newer(&mut self.drafted.newest, entry.lastmod_ref());
        Ok(())
    }

    #[inline(never)]
    fn push_extended(&mut self, entry: &Entry<'_>, attached: &Attached<'_>) -> Result<(), Error> {
        self.declared.check(entry, attached)?;
        push_extended_url(self.out, entry, attached, self.declared);
        self.drafted.news += u64::from(self.declared.fresh(attached.news.as_ref()).is_some());
        Ok(())
    }
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
