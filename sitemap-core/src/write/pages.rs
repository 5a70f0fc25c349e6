//! An XML urlset or a text sitemap that is written one record at a time.

// These functions run for every page. Inlining them lets the compiler keep values in registers instead of memory.
#![allow(clippy::inline_always)]

use super::bucket::HashBucket;
use super::buffer::Buffer;
use super::declared::Declared;
use super::document::{Document, Room};
use super::entry::{push_extended_url, push_line, push_url};
use super::options::{Format, WriteOptions};
use super::sink::TextSink;
use super::size::DocumentSize;
use crate::entry::Entry;
use crate::error::Error;
use crate::extension::{Attached, Extensions, News};
use crate::value::LastMod;

/// A urlset or a text sitemap that is being written.
///
/// A record may have several pages, such as one for each language. They are all written to the same file, so that
/// translations that link to each other stay together. If one page of a record is invalid, none of its pages is
/// written.
#[derive(Debug)]
pub(crate) struct Pages<S> {
    document: Document<S>,
    format: Format,
    declared: Declared,
    /// True once the extensions of the first record are declared.
    has_head: bool,
    drafted: Drafted,
    /// The number of articles among the accepted pages.
    news: u64,
    newest: Option<LastMod>,
    /// The hash bucket that the pages should be in. Unset as soon as an accepted page is not in it.
    bucket: Option<HashBucket>,
}

/// The number of URLs and articles in a draft, and the newest `lastmod` of its pages. A draft holds the pages of one
/// record until they are accepted or discarded.
#[derive(Clone, Copy, Debug, Default)]
struct Drafted {
    urls: u64,
    news: u64,
    newest: Option<LastMod>,
    /// `true` if a page is not in its hash bucket.
    is_elsewhere: bool,
}

/// Writes the pages of one record to the end of a document.
#[derive(Debug)]
pub(crate) struct Draft<'d> {
    format: Format,
    declared: &'d Declared,
    out: &'d mut Buffer,
    drafted: &'d mut Drafted,
    bucket: Option<&'d HashBucket>,
}

impl<S: TextSink> Pages<S> {
    pub(crate) fn new(sink: S, options: &WriteOptions, bucket: Option<HashBucket>) -> Self {
        let format = options.get_format();
        let limits = options.limits();
        let max = DocumentSize { entries: limits.urls, bytes: limits.bytes };
        let declared = Declared::new(options);
        let document = match format {
            Format::Xml => Document::new(sink, &declared.head(), "</urlset>\n", max),
            Format::Text => Document::new(sink, "", "", max),
        };
        let drafted = Drafted::default();
        Self { document, format, declared, has_head: false, drafted, news: 0, newest: None, bucket }
    }

    /// Declares the extensions of the first record. The declarations are in the head of the document, so call this only
    /// before the first entry.
    #[cold]
    fn declare(&mut self, extensions: Extensions) -> Result<(), Error> {
        // A text sitemap has neither a head nor extensions.
        if self.format == Format::Xml {
            self.declared.add(extensions)?;
            self.document.set_head(&self.declared.head());
        }
        self.has_head = true;
        Ok(())
    }

    /// Starts a draft for a record whose entries may use `extensions`. The caller accepts or discards the draft later.
    #[inline]
    pub(crate) fn draft(&mut self, extensions: Extensions) -> Result<Draft<'_>, Error> {
        if !self.has_head {
            self.declare(extensions)?;
        }
        self.drafted = Drafted::default();
        Ok(Draft {
            format: self.format,
            declared: &self.declared,
            out: self.document.draft(),
            drafted: &mut self.drafted,
            bucket: self.bucket.as_ref(),
        })
    }

    /// Accepts the draft and returns `Room::Enough`. If the document is full, returns `Room::Full` and keeps the draft.
    ///
    /// # Errors
    ///
    /// Returns an error and discards the draft if it would not fit into an empty document. Also returns an error if the
    /// sink fails.
    #[inline]
    pub(crate) fn accept(&mut self) -> Result<Room, Error> {
        if self.drafted.news > 0 {
            return self.accept_news();
        }
        self.accept_draft()
    }

    #[inline]
    fn accept_draft(&mut self) -> Result<Room, Error> {
        let room = self.document.accept(self.drafted.urls)?;
        if room == Room::Enough {
            keep_newer(&mut self.newest, self.drafted.newest.as_ref());
            if self.drafted.is_elsewhere {
                self.bucket = None;
            }
        }
        Ok(room)
    }

    /// Accepts a draft that contains articles. If the file would have too many articles, returns `Room::Full` and keeps
    /// the draft.
    #[inline(never)]
    fn accept_news(&mut self) -> Result<Room, Error> {
        if let Err(error) = News::check_count(self.drafted.news) {
            self.document.discard();
            return Err(error.into());
        }
        let news = self.news + self.drafted.news;
        if news > News::MAX_PER_FILE {
            return Ok(Room::Full);
        }
        let room = self.accept_draft()?;
        if room == Room::Enough {
            self.news = news;
        }
        Ok(room)
    }

    /// Discards the draft.
    pub(crate) fn discard(&mut self) {
        self.document.discard();
    }

    /// Continues a full document: moves its declarations and its draft into this new document.
    pub(crate) fn follow(&mut self, full: &Self) -> Result<(), Error> {
        self.declare(full.declared.extensions)?;
        self.document.draft().append(full.document.draft_bytes());
        self.drafted = full.drafted;
        Ok(())
    }

    pub(crate) fn size(&self) -> DocumentSize {
        self.document.size()
    }

    pub(crate) fn finish(self) -> Result<(S, DocumentSize), Error> {
        self.document.finish(self.newest, self.bucket.is_some())
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
        if let Some(bucket) = self.bucket {
            self.drafted.is_elsewhere |= !bucket.has(entry.loc().as_str());
        }
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

/// Replaces `newest` with `other` if `other` is later.
#[inline]
fn keep_newer(newest: &mut Option<LastMod>, other: Option<&LastMod>) {
    if let Some(other) = other
        && newest.as_ref().is_none_or(|newest| other.is_after(newest))
    {
        *newest = Some(*other);
    }
}
