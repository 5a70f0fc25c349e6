//! Records: the structs that a program already has, and how their pages get into a sitemap.

mod convert;
mod entry_writer;
mod groups;
mod implementations;
mod localized;
mod template;

use crate::entry::Entry;
use crate::error::Error;
use crate::extension::Extensions;

pub use convert::{Converted, Infallible, ToAlternates, ToImages, ToNews, ToVideos};
pub(crate) use entry_writer::write_record;
pub use entry_writer::{EntryWriter, entries_of};
pub use groups::{AlternateGroup, AlternateGroups};
pub use localized::Localized;
pub use template::{Literal, ParamWriter, TemplateUrl, UrlParam, path_segment, query_value};

/// A record that has pages in a sitemap.
///
/// `#[derive(SitemapEntry)]` implements this trait from attributes and checks them while compiling. By hand it
/// takes one method, which adds the pages of the record: none if the record is not to be listed, one, or
/// several.
///
/// ```
/// use sitemap_core::value::ToLastMod;
/// use sitemap_core::record::path_segment;
/// use sitemap_core::{Entry, EntryWriter, Error, Site, SitemapEntry, entries_of};
///
/// struct Post {
///     slug: String,
///     draft: bool,
///     updated: std::time::SystemTime,
/// }
///
/// impl SitemapEntry for Post {
///     fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
///         if self.draft {
///             return Ok(());
///         }
///         let loc = out.site().resolve(format!("/posts/{}", path_segment(&self.slug)))?;
///         out.add(Entry::new(loc).with_lastmod(self.updated.to_last_mod()?))
///     }
/// }
///
/// let post = Post { slug: "a b".into(), draft: false, updated: std::time::SystemTime::UNIX_EPOCH };
/// let entries = entries_of(&post, &Site::new("https://example.com")?)?;
/// assert_eq!(entries[0].loc(), "https://example.com/posts/a%20b");
/// # Ok::<(), Error>(())
/// ```
///
/// Strings are records, too: a string is the page of that URL, or of that path on the site.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sitemap pages",
    label = "not a sitemap record",
    note = "annotate the type with `#[derive(SitemapEntry)]`, or implement `SitemapEntry` by hand",
    note = "rows that can fail are added with `try_add_all`"
)]
pub trait SitemapEntry {
    /// Adds the pages of this record to `out`.
    ///
    /// # Errors
    ///
    /// If a value of the record is invalid, or a page is outside the site. The record is then left out as a
    /// whole.
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error>;

    /// The extensions that entries of this type may use. Default: none. The derive sets it by itself.
    ///
    /// A document must declare the namespaces of extensions before its first entry, so it declares those of the
    /// type of its first record.
    const EXTENSIONS: Extensions = Extensions::NONE;
}

/// The part that several kinds of records have in common: the dates and hints of a page, without its URL.
///
/// Derive it with `#[derive(SitemapPart)]` and use it in a field with `#[sitemap(flatten)]`, or implement it by
/// hand. A part sets the values that the record itself leaves unset.
///
/// ```
/// use sitemap_core::{Entry, Error, Loc, Priority, SitemapPart};
///
/// struct Featured;
///
/// impl SitemapPart for Featured {
///     fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error> {
///         let priority = entry.priority().unwrap_or(Priority::MAX);
///         Ok(entry.with_priority(priority))
///     }
/// }
///
/// let entry = Featured.fill(Entry::new(Loc::parse("https://example.com/")?))?;
/// assert_eq!(entry.priority(), Some(Priority::MAX));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened into a sitemap entry",
    label = "not a part of a sitemap entry",
    note = "annotate the type with `#[derive(SitemapPart)]`, or implement `SitemapPart` by hand"
)]
pub trait SitemapPart {
    /// Sets the values that the entry does not have yet.
    ///
    /// # Errors
    ///
    /// If a value of the part is invalid.
    fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error>;
}

/// An enum of routes whose unit variants are the static pages of a site.
///
/// `#[derive(SitemapEntry)]` implements it for every enum that has such variants.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use sitemap_core::{SitemapEntry, StaticPages};
///
/// #[derive(SitemapEntry)]
/// enum Route {
///     #[sitemap(loc = "/")]
///     Home,
///     #[sitemap(loc = "/about")]
///     About,
///     #[sitemap(loc = "/posts/{slug}")]
///     Post { slug: String },
/// }
///
/// assert_eq!(Route::PAGES.len(), 2);
/// # }
/// ```
pub trait StaticPages: SitemapEntry + Sized + 'static {
    /// One value for each page that needs no parameters, in the order of the variants.
    const PAGES: &'static [Self];
}
