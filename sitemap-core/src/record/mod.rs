//! Traits for records. A record is a value in your program that adds its pages to a sitemap.
//!
//! | what | where |
//! |---|---|
//! | the writer of a record's pages, and records that need no derive | `entry_writer`, `implementations` |
//! | URL templates and the values in them | `template`, `route` |
//! | the translations of a page | `groups` |
//! | images, videos, news and alternates of a record | `convert` |
//! | what only derived code calls | `derived` |

mod convert;
pub(crate) mod derived;
mod entry_writer;
mod groups;
mod implementations;
mod route;
mod section;
mod template;

use crate::entry::Entry;
use crate::error::Error;
use crate::extension::Extensions;

pub use convert::{ToAlternates, ToImages, ToNews, ToVideos};
pub(crate) use entry_writer::write_record;
pub use entry_writer::{EntryWriter, entries_of, urls_of};
pub use groups::{AlternateGroup, AlternateGroups};
pub use route::{HasRoute, HasRoutes, Route};
pub use section::HasSection;
pub use template::{ParamWriter, UrlDate, UrlParam, path_segment, query_value};

/// A record with pages in a sitemap.
///
/// `#[derive(SitemapEntry)]` implements this trait from attributes and checks them at compile time. To implement it by
/// hand, write one method that adds the record's pages. A record can have one page, several pages or none.
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
///         if self.draft && out.skips() {
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
/// Strings are also records: a string is the URL of a page, or its path on the site.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sitemap pages",
    label = "not a sitemap record",
    note = "annotate the type with `#[derive(SitemapEntry)]`, or implement `SitemapEntry` by hand",
    note = "pass an iterator of `Result`s to `try_add_all`"
)]
pub trait SitemapEntry {
    /// Adds the pages of this record to `out`.
    ///
    /// # Errors
    ///
    /// Returns an error if a value of the record is invalid or a page is outside the site. In that case, writers add
    /// none of the record's pages.
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error>;

    /// The extensions that entries of this record type may use. Default: none. The derive macro sets this constant.
    ///
    /// A document must declare its extensions before its first entry. When the first record is added, the document
    /// declares the extensions of the record's type.
    const EXTENSIONS: Extensions = Extensions::NONE;
}

/// Values shared by several record types: the `lastmod`, `changefreq` and `priority` of a page, without its URL.
///
/// Derive this trait for a struct with `#[derive(SitemapPart)]`, or implement it by hand. In a record, mark the field
/// of that type with `#[sitemap(flatten)]`. The part only sets values that the record itself does not set.
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
    /// Sets the values that are not set yet.
    ///
    /// # Errors
    ///
    /// Returns an error if a value of `self` is invalid.
    fn fill<'a>(&self, entry: Entry<'a>) -> Result<Entry<'a>, Error>;
}

/// An enum of routes. Its unit variants are the static pages of a site.
///
/// `#[derive(SitemapEntry)]` implements this trait for every enum with unit variants.
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
/// assert!(matches!(Route::PAGES, [Route::Home, Route::About]));
/// # }
/// ```
pub trait StaticPages: SitemapEntry + Sized + 'static {
    /// The variants without parameters, one for each static page, in declaration order.
    const PAGES: &'static [Self];
}
