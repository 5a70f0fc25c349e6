//! The writer that receives the pages of a record.

// These functions run for every page. Inlining them lets the compiler keep values in registers instead of memory.
#![allow(clippy::inline_always)]

use std::mem;

use super::SitemapEntry;
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::Attached;
use crate::value::Loc;
use crate::value::Site;
use crate::write::{Draft, Pages, TextSink};

/// The writer that receives the pages of a record from [`SitemapEntry::write_entries`].
///
/// For tests and previews, [`entries_of`] returns the pages that a record adds.
///
/// ```
/// use sitemap_core::{Entry, EntryWriter, Error, Site, SitemapEntry, entries_of};
///
/// struct Gallery(u32);
///
/// impl SitemapEntry for Gallery {
///     fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
///         for number in 1..=self.0 {
///             let loc = out.site().resolve(format!("/gallery/{number}"))?;
///             out.add(Entry::new(loc))?;
///         }
///         Ok(())
///     }
/// }
///
/// let entries = entries_of(&Gallery(2), &Site::new("https://example.com")?)?;
/// assert_eq!(entries[0].loc(), "https://example.com/gallery/1");
/// assert_eq!(entries[1].loc(), "https://example.com/gallery/2");
/// # Ok::<(), Error>(())
/// ```
pub struct EntryWriter<'a> {
    site: &'a Site,
    /// The buffer for building URLs. All records share it, so building a URL does not allocate.
    scratch: &'a mut String,
    out: Out<'a>,
}

/// Where the pages go. Unlike a closure, an enum lets the compiler inline the code for documents.
enum Out<'a> {
    Document(Draft<'a>),
    List(&'a mut Vec<Entry<'static>>),
    /// Only the URLs, also those of records that are skipped.
    Urls(&'a mut Vec<Loc<'static>>),
}

/// Writes a record's pages to the end of a document as a draft. The caller has to accept the draft. If a page is
/// invalid, the draft is discarded.
#[inline]
pub(crate) fn write_record<T: SitemapEntry + ?Sized, S: TextSink>(
    record: &T,
    pages: &mut Pages<S>,
    site: &Site,
    scratch: &mut String,
) -> Result<(), Error> {
    let out = Out::Document(pages.draft(T::EXTENSIONS)?);
    let result = record.write_entries(&mut EntryWriter { site, scratch, out });
    if result.is_err() {
        pages.discard();
    }
    result
}

impl EntryWriter<'_> {
    /// Returns the site that the sitemap belongs to.
    #[must_use]
    pub fn site(&self) -> &Site {
        self.site
    }

    /// Returns `true` if a record that is to be skipped should add no pages. An update gets `false` when it looks for
    /// the URLs that such a record had before; see [`urls_of`].
    ///
    /// ```
    /// use sitemap_core::record::urls_of;
    /// use sitemap_core::{EntryWriter, Error, Site, SitemapEntry, entries_of};
    ///
    /// struct Post {
    ///     is_draft: bool,
    /// }
    ///
    /// impl SitemapEntry for Post {
    ///     fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
    ///         if self.is_draft && out.skips() {
    ///             return Ok(());
    ///         }
    ///         "/tea".write_entries(out)
    ///     }
    /// }
    ///
    /// let (draft, site) = (Post { is_draft: true }, Site::new("https://example.com")?);
    /// assert!(entries_of(&draft, &site)?.is_empty());
    /// assert_eq!(urls_of(&draft, &site)?[0], "https://example.com/tea");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn skips(&self) -> bool {
        !matches!(self.out, Out::Urls(_))
    }

    /// Adds one page. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::OutOfScope`] if the page is not under a base URL of the site, and with
    /// [`ErrorKind::Extension`] if the page has more than 1,000 images or a video that conflicts with the page, such as
    /// a video whose media file is the page itself. Also returns the writer's errors, such as [`ErrorKind::Undeclared`]
    /// if the document does not declare an extension of the entry.
    #[allow(clippy::needless_pass_by_value)] // so that callers write `out.add(Entry::new(…))`
    #[inline(always)]
    pub fn add(&mut self, entry: Entry<'_>) -> Result<(), Error> {
        let added = self.add_ref(&entry);
        // Without this `if`, the compiler would call a drop function even for entries without extensions.
        if let Some(attached) = entry.into_attached() {
            free(attached);
        }
        added
    }

    #[inline(always)]
    pub(super) fn add_ref(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        if !self.site.covers(entry.loc()) {
            return Err(out_of_scope(entry.loc(), self.site));
        }
        if let Some(attached) = entry.attached() {
            attached.check(entry.loc())?;
        }
        match &mut self.out {
            Out::Document(draft) => draft.push(entry),
            Out::List(entries) => {
                collect(entries, entry);
                Ok(())
            }
            Out::Urls(urls) => {
                collect_url(urls, entry);
                Ok(())
            }
        }
    }

    #[inline]
    pub(super) fn take_scratch(&mut self) -> String {
        let mut scratch = mem::take(self.scratch);
        scratch.clear();
        scratch
    }

    #[inline]
    pub(super) fn give_back(&mut self, scratch: String) {
        *self.scratch = scratch;
    }
}

/// Adds a copy of an entry to a list. Not inlined, because that would leave fewer registers for the code that writes
/// entries.
#[cold]
#[inline(never)]
fn collect(entries: &mut Vec<Entry<'static>>, entry: &Entry<'_>) {
    entries.push(entry.clone().into_owned());
}

#[cold]
#[inline(never)]
fn collect_url(urls: &mut Vec<Loc<'static>>, entry: &Entry<'_>) {
    urls.push(entry.loc().clone().into_owned());
}

#[inline(never)]
fn free(attached: Box<Attached<'_>>) {
    drop(attached);
}

#[cold]
fn out_of_scope(loc: &Loc<'_>, site: &Site) -> Error {
    ErrorKind::OutOfScope { loc: loc.as_str().into(), base: site.base().into() }.into()
}

/// Returns the pages of one record as they would appear in the sitemap of a site. Use it in tests and previews.
///
/// ```
/// use sitemap_core::{Site, entries_of};
///
/// let site = Site::new("https://example.com")?;
/// assert_eq!(entries_of("/about", &site)?[0].loc(), "https://example.com/about");
/// # Ok::<(), sitemap_core::Error>(())
/// ```
///
/// # Errors
///
/// Returns any error from the record's [`SitemapEntry`] implementation.
pub fn entries_of<T: SitemapEntry + ?Sized>(record: &T, site: &Site) -> Result<Vec<Entry<'static>>, Error> {
    let mut found = Vec::new();
    let out = Out::List(&mut found);
    record.write_entries(&mut EntryWriter { site, scratch: &mut String::new(), out })?;
    Ok(found)
}

/// Returns the URLs of one record's pages, also if the record is skipped now. They are the pages to remove from a
/// published set when the record is removed or becomes a draft. See the example of [`EntryWriter::skips`].
///
/// # Errors
///
/// Returns any error from the record's [`SitemapEntry`] implementation.
pub fn urls_of<T: SitemapEntry + ?Sized>(record: &T, site: &Site) -> Result<Vec<Loc<'static>>, Error> {
    let mut found = Vec::new();
    let out = Out::Urls(&mut found);
    record.write_entries(&mut EntryWriter { site, scratch: &mut String::new(), out })?;
    Ok(found)
}
