//! The place where a record puts its pages.

// This code runs for every page: as separate functions, its parts would be calls with all their values in memory.
#![allow(clippy::inline_always)]

use std::mem;

use super::SitemapEntry;
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::extension::Attached;
use crate::value::Loc;
use crate::value::Site;
use crate::write::{Draft, Pages, TextSink};

/// Takes the pages of a record; passed to [`SitemapEntry::write_entries`].
///
/// [`entries_of`] shows which pages a record adds.
pub struct EntryWriter<'a> {
    site: &'a Site,
    /// Reused from record to record, so that building a URL allocates nothing.
    scratch: &'a mut String,
    out: Out<'a>,
}

/// An enum instead of a closure, so that the code that writes the usual record is compiled into the record's own.
enum Out<'a> {
    Document(Draft<'a>),
    List(&'a mut Vec<Entry<'static>>),
}

/// Writes the pages of a record to the draft of a document. On an error it discards the draft.
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
    /// Returns the site of the sitemap.
    #[must_use]
    pub fn site(&self) -> &Site {
        self.site
    }

    /// Adds one page.
    ///
    /// # Errors
    ///
    /// If the page is not under the base URL of the site, has more than 1,000 images, or one of its videos does
    /// not go with it.
    #[allow(clippy::needless_pass_by_value)] // so that callers write `out.add(Entry::new(…))`
    #[inline(always)]
    pub fn add(&mut self, entry: Entry<'_>) -> Result<(), Error> {
        let added = self.add_ref(&entry);
        // By hand, because the compiler would call a function to find out that there is nothing to free.
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

/// Kept out of the code that writes entries, which would lose its registers to it.
#[cold]
#[inline(never)]
fn collect(entries: &mut Vec<Entry<'static>>, entry: &Entry<'_>) {
    entries.push(entry.clone().into_owned());
}

#[inline(never)]
fn free(attached: Box<Attached<'_>>) {
    drop(attached);
}

#[cold]
fn out_of_scope(loc: &Loc<'_>, site: &Site) -> Error {
    ErrorKind::OutOfScope { loc: loc.as_str().into(), base: site.base().into() }.into()
}

/// Returns the pages of one record as they would appear in the sitemap of the site.
///
/// For tests and previews; a writer takes records as they are.
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
/// The errors of the record's [`SitemapEntry`] implementation.
pub fn entries_of<T: SitemapEntry + ?Sized>(record: &T, site: &Site) -> Result<Vec<Entry<'static>>, Error> {
    let mut found = Vec::new();
    let out = Out::List(&mut found);
    record.write_entries(&mut EntryWriter { site, scratch: &mut String::new(), out })?;
    Ok(found)
}
