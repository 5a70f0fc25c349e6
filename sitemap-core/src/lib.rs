//! Writes XML sitemaps from the structs that your program already has.
//!
//! Derive the entries from a struct:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use sitemap_core::{Site, SitemapEntry, entries_of};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}", changefreq = "weekly", priority = 0.8)]
//! struct Post {
//!     slug: String,
//! }
//!
//! let post = Post { slug: "tea & biscuits".into() };
//! let entries = entries_of(&post, &Site::new("https://example.com")?)?;
//! assert_eq!(entries[0].loc(), "https://example.com/posts/tea%20%26%20biscuits");
//! # }
//! # Ok::<(), sitemap_core::Error>(())
//! ```
//!
//! Publish the pages of all records as a set of files with an index, split at the limits of the protocol. Later, follow
//! each change of a record, with the crate `sitemap-update`:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! # let dir = tempfile::tempdir()?;
//! # let out = dir.path();
//! use sitemap_core::{Site, SitemapEntry, SitemapSet};
//! use sitemap_update::UpdateSet as _;
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}", section = "posts")]
//! struct Post {
//!     slug: &'static str,
//! }
//!
//! let set = SitemapSet::open(Site::new("https://example.com")?, out)?;
//!
//! let mut all = set.replace()?;
//! all.add_all(["tea", "cups"].map(|slug| Post { slug }))?;
//! let summary = all.commit()?;
//! assert_eq!((summary.urls(), summary.files().len()), (2, 1));
//! assert_eq!(summary.robots_txt(), "Sitemap: https://example.com/sitemap.xml\n");
//!
//! let mut some = set.update();
//! some.upsert(&Post { slug: "pots" })?;
//! some.remove(&Post { slug: "cups" })?;
//! let applied = some.commit()?;
//! assert_eq!((applied.added(), applied.removed()), (1, 1));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Write one file to any [`io::Write`](std::io::Write):
//!
//! ```
//! use sitemap_core::{Site, SitemapWriter};
//!
//! let mut sitemap = SitemapWriter::new(Site::new("https://example.com")?, Vec::new());
//! sitemap.add("/about?lang=en&print=1")?;
//! let (xml, _) = sitemap.finish()?;
//! assert_eq!(
//!     String::from_utf8_lossy(&xml),
//!     r#"<?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//! <url><loc>https://example.com/about?lang=en&amp;print=1</loc></url>
//! </urlset>
//! "#
//! );
//! # Ok::<(), sitemap_core::Error>(())
//! ```
//!
//! Every value is checked. An invalid value causes an [`Error`] that names the value, the rule and, in a set, the
//! record. The writers enforce the limits of the protocol to the byte. The published set stays complete while a new one
//! is being written, because the index is replaced last.
//!
//! This crate does not read or serve sitemaps, and it does not use the network.
//!
//! # Where to find the rest
//!
//! | task | item |
//! |---|---|
//! | map a struct or enum to entries | [`#[derive(SitemapEntry)]`](derive@SitemapEntry), or [the trait](trait@SitemapEntry) |
//! | publish pages to a directory, memory or another [`Storage`] | [`SitemapSet`], [`Replacement`] |
//! | choose compression, threads, file names and limits | [`publish::SetOptions`] |
//! | write one file to any `Write` | [`SitemapWriter`], [`IndexWriter`] |
//! | build an entry by hand | [`Entry`]: [`Loc`], [`LastMod`], [`ChangeFreq`], [`Priority`] |
//! | add images, videos, news or other elements to an entry | [`Image`], [`Video`], [`News`], [`extension`] |
//! | link the translations of a page | `locales` in the derive, [`record::AlternateGroups`], [`Alternate`] |
//! | set the base URL of a site, which decides the pages that its sitemap may list | [`Site`] |
//! | write Google's older dialect, text sitemaps or smaller files | [`Dialect`], [`Format`], [`Limits`], [`WriteOptions`] |
//! | publish on WebAssembly, where the standard library has no clock | [`clock`] |
//! | announce the sitemap in robots.txt | [`Summary::robots_txt`], [`robots`] |
//! | show a table to people who open the sitemap in a browser | [`Stylesheet`] |
//! | let people look through a set, with links and a search | [`html_page::HtmlPage`] |
//! | read sitemaps into entries, as `sitemap-read` does | [`reading`] |
//! | work on many things at once, with results in order | [`threads`] |
//!
//! Other tasks have their own crates:
//!
//! | task | crate |
//! |---|---|
//! | follow each change of a record in a published set | `sitemap-update` |
//! | read and check sitemaps of any site | `sitemap-read` |
//! | read robots.txt, and what pages say about themselves | `sitemap-pages` |
//! | serve a set over HTTP, and replace it while it is served | `sitemap-serve` |
//! | publish to S3, Google Cloud Storage or Azure Blob Storage | `sitemap-object-store` |
//! | notify search engines of changed pages | `sitemap-notify` |
//! | find out from access logs when search engines fetched pages | `sitemap-logs` |
//! | do all of this from a shell | `sitemap-cli` |
//!
//! # A whole program
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use std::time::SystemTime;
//!
//! use sitemap_core::{Site, SitemapEntry, SitemapSet, StaticPages};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}", changefreq = "weekly", priority = 0.8, skip_if = Post::is_draft)]
//! struct Post {
//!     slug: String,
//!     published: bool,
//!     #[sitemap(lastmod)]
//!     updated_at: Option<SystemTime>,
//! }
//!
//! impl Post {
//!     fn is_draft(&self) -> bool {
//!         !self.published
//!     }
//! }
//!
//! #[derive(SitemapEntry)]
//! enum Page {
//!     #[sitemap(loc = "/", priority = 1.0)]
//!     Home,
//!     #[sitemap(loc = "/about")]
//!     About,
//! }
//!
//! fn publish(posts: &[Post], out: &std::path::Path) -> Result<(), sitemap_core::PublishError> {
//!     let site = Site::new("https://www.example.com")?;
//!     let mut run = SitemapSet::open(site, out)?.replace()?;
//!     run.section("pages")?.add_all(Page::PAGES)?;
//!     run.section("posts")?.add_all(posts)?;
//!     let summary = run.commit()?;
//!
//!     println!("{summary}"); // files, URLs, bytes, skipped records
//!     print!("for robots.txt:\n{}", summary.robots_txt());
//!     Ok(())
//! }
//!
//! # let dir = tempfile::tempdir()?;
//! # let out = dir.path();
//! let posts = [
//!     Post { slug: "first".into(), published: true, updated_at: None },
//!     Post { slug: "draft".into(), published: false, updated_at: None },
//! ];
//! publish(&posts, out)?;
//! let xml = std::fs::read_to_string(out.join("sitemap-posts-1.xml"))?;
//! assert!(xml.ends_with(
//!     "\
//! <url><loc>https://www.example.com/posts/first</loc><changefreq>weekly</changefreq><priority>0.8</priority></url>
//! </urlset>
//! "
//! ));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `derive`, `chrono` and `gzip` are on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `derive` | `#[derive(SitemapEntry)]` and `#[derive(SitemapPart)]` |
//! | `chrono` | `chrono::DateTime` and `NaiveDate` as `lastmod` |
//! | `jiff` | `jiff::Timestamp`, `Zoned` and `civil::Date` as `lastmod` |
//! | `time` | `time::OffsetDateTime`, `UtcDateTime` and `Date` as `lastmod` |
//! | `url` | host names that are not ASCII, short IPv4 addresses, the full check of `xn--` names, and `url::Url` as a URL |
//! | `uuid` | `Uuid` in URL templates |
//! | `gzip` | sitemap files compressed with gzip |
//! | `async` | records from a `Stream`, and publishing without blocking an asynchronous runtime |
//! | `serde` | `Serialize` and `Deserialize` for entries and their values |
//!
//! The crate has no `unsafe` code and does not panic on invalid input.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[macro_use]
mod pointers;

pub mod clock;
mod dialect;
mod entry;
mod error;
pub mod extension;
pub mod html_page;
pub mod publish;
pub mod reading;
pub mod record;
pub mod robots;
pub mod storage;
mod stylesheet;
pub mod threads;
pub mod value;
mod write;
mod writer;

pub use dialect::{Dialect, Limits};
pub use entry::Entry;
pub use error::{Error, ErrorKind};
pub use extension::{Alternate, Extensions, Image, News, Video};
pub use publish::{PublishError, Replacement, SitemapSet, Summary};
pub use record::{EntryWriter, SitemapEntry, SitemapPart, StaticPages, UrlParam, entries_of};
#[cfg(feature = "derive")]
pub use sitemap_derive::{SitemapEntry, SitemapPart};
pub use storage::{Directory, Memory, Storage};
pub use stylesheet::{Stylesheet, StylesheetError};
pub use value::{ChangeFreq, LastMod, Loc, Priority, Site};
pub use write::{DocumentSize, Format, WriteOptions};
pub use writer::{IndexWriter, SitemapWriter};

/// Items for derived code. They are not part of the public API: any release may change them.
#[doc(hidden)]
pub mod __private {
    pub use crate::record::derived::*;
    pub use crate::record::{
        HasRoute, HasRoutes, HasSection, Route, ToAlternates, ToImages, ToNews, ToVideos, UrlDate, UrlParam,
    };
    pub use crate::value::{ToChangeFreq, ToLastMod, ToLoc, ToPriority};

    use crate::{ChangeFreq, Entry, LastMod, Priority};

    /// Sets `lastmod`, `changefreq` and `priority`, but keeps values that are already set.
    pub fn fill(
        entry: Entry<'_>,
        lastmod: Option<LastMod>,
        changefreq: Option<ChangeFreq>,
        priority: Option<Priority>,
    ) -> Entry<'_> {
        entry.or(lastmod, changefreq, priority)
    }
}
