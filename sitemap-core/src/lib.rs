//! Sitemaps from the structs that a program already has.
//!
//! Annotate a model, hand its records over, and get a set of files that search engines accept: every
//! value checked, every limit kept, split, indexed, and put in place of the old set, the index last.
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use std::time::SystemTime;
//!
//! use sitemap_core::{Publisher, Site, SitemapEntry, StaticPages};
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
//! fn publish(posts: &[Post], out: &std::path::Path) -> Result<(), sitemap_core::Error> {
//!     let site = Site::new("https://www.example.com")?;
//!     let mut publisher = Publisher::builder(site).to_dir(out)?;
//!     publisher.section("pages")?.add_all(Page::PAGES)?;
//!     publisher.section("posts")?.add_all(posts)?;
//!     let summary = publisher.finish()?;
//!
//!     println!("{summary}");
//!     print!("for robots.txt:\n{}", summary.robots_txt());
//!     Ok(())
//! }
//!
//! # let dir = tempfile::tempdir().unwrap();
//! # let posts = [Post { slug: "first".into(), published: true, updated_at: None }];
//! # publish(&posts, dir.path()).unwrap();
//! # let xml = std::fs::read_to_string(dir.path().join("sitemap-posts-1.xml")).unwrap();
//! # assert!(xml.contains("<url><loc>https://www.example.com/posts/first</loc><changefreq>weekly</changefreq><priority>0.8</priority></url>"));
//! # }
//! ```
//!
//! # Where to find what
//!
//! | to | use |
//! |---|---|
//! | say which pages a struct or enum has | [`#[derive(SitemapEntry)]`](derive@SitemapEntry), or [the trait](trait@SitemapEntry) by hand |
//! | publish any number of pages to a directory | [`Publisher`] |
//! | write one file to any `Write` | [`SitemapWriter`], [`IndexWriter`] |
//! | know what a page is made of | [`Entry`]: [`Loc`], [`LastMod`], [`ChangeFreq`], [`Priority`] |
//! | say what is on a page | [`Image`], [`Video`], [`News`], [`Element`]s of other namespaces |
//! | link a page's versions for other languages | `locales` in the derive, [`AlternateGroups`], [`Alternate`] |
//! | say where a sitemap is served, and so what it may list | [`Site`] |
//! | check a sitemap or a whole set | [`Checker`], with [`Rule`]'s table of what is looked for |
//! | write Google's older dialect, or smaller files | [`Dialect`], [`Limits`], [`WriteOptions`] |
//! | tell crawlers where the sitemap is | [`robots_txt_lines`], [`merge_robots_txt`], [`Summary::robots_txt`] |
//! | read a sitemap, index, text file or feed | [`SitemapReader`], [`read`] |
//! | serve what is published, or publish what is served | the module `serve` (feature `tower`) |
//! | show people a table in place of tags | [`Stylesheet`] |
//! | tell search engines which pages changed | `IndexNow` (feature `indexnow`) |
//! | find a site's sitemaps | [`robots_txt_sitemaps`] |
//!
//! # Features
//!
//! `derive`, `chrono` and `gzip` are on by default.
//!
//! | feature | for |
//! |---|---|
//! | `derive` | `#[derive(SitemapEntry)]` and `#[derive(SitemapPart)]` |
//! | `chrono` | `chrono::DateTime` and `NaiveDate` as `lastmod` |
//! | `jiff` | `jiff::Timestamp`, `Zoned` and `civil::Date` as `lastmod` |
//! | `time` | `time::OffsetDateTime`, `UtcDateTime` and `Date` as `lastmod` |
//! | `gzip` | compressed files |
//! | `async` | records from a `Stream`, publishing without blocking an asynchronous runtime |
//! | `object-store` | publishing to S3, Google Cloud Storage and Azure |
//! | `indexnow` | telling search engines which pages changed |
//! | `encoding` | reading documents that are not UTF-8 |
//! | `shards` | sets that many processes write and one commits |
//! | `uuid` | `Uuid` in URL templates |
//! | `tower` | the module `serve`: serving a set over HTTP, and publishing what is being served |
//! | `tracing` | reports of such refreshes |
//!
//! Nothing here is `unsafe`, and nothing panics on bad input: it gives an [`Error`] that names the
//! record, the value and the rule.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod check;
mod dialect;
mod entry;
mod error;
mod extension;
#[cfg(feature = "indexnow")]
mod indexnow;
mod linked;
mod localized;
mod publish;
pub mod read;
mod robots;
mod rule;
#[cfg(feature = "tower")]
pub mod serve;
mod site;
mod template;
mod value;
mod write;

pub use check::{
    CheckOptions, Checker, Engine, FileReport, OpenError, OpenedSitemap, Report, SitemapSource, UnknownEngine,
};
pub use dialect::{Dialect, Limits};
pub use entry::{Entries, Entry, SitemapEntry, SitemapPart, StaticPages, entries};
pub use error::{Error, ErrorKind};
pub use extension::{
    Alternate, Content, Element, ExtensionError, ExtensionErrorKind, Extensions, Hreflang, HreflangError,
    Image, Namespace, News, Publication, ToAlternates, ToImages, ToNews, ToVideos, Video, VideoSource, news,
    video,
};
#[cfg(feature = "indexnow")]
pub use indexnow::{IndexNow, IndexNowAnswer, IndexNowBatch, IndexNowBatches, IndexNowError};
pub use linked::{AlternateGroup, AlternateGroups};
#[cfg(feature = "object-store")]
pub use publish::ObjectStorage;
pub use publish::{
    Directory, Guard, IndexLastMod, Memory, Names, NewFile, OnInvalid, PublishedFile, Publisher,
    PublisherBuilder, Section, SectionNameError, ShardKey, Sharded, Skipped, Stat, Storage, Summary,
    section_of,
};
#[cfg(feature = "shards")]
pub use publish::{ShardCommit, ShardError, ShardRow, ShardRowError, ShardWriter, WrittenShards, bucket_of};
pub use read::{
    Document, DocumentKind, Finding, Item, PageItem, Position, ReadError, ReadErrorKind, ReadLimits,
    ReadOptions, SitemapItem, SitemapReader, Span, document_text,
};
pub use robots::{RobotsSitemap, merge_robots_txt, robots_txt_lines, robots_txt_sitemaps};
pub use rule::{Authority, Rule, Severity, UnknownRule};
pub use site::{Site, SiteError};
#[cfg(feature = "derive")]
pub use sitemap_derive::{SitemapEntry, SitemapPart};
pub use template::{ParamWriter, UrlParam, path_segment, query_value};
pub use value::{
    ChangeFreq, ChangeFreqError, LastMod, LastModError, LastModErrorKind, Loc, LocError, LocErrorKind,
    Precision, Priority, PriorityError, ToChangeFreq, ToLastMod, ToLoc, ToPriority,
};
pub use write::{
    Fit, Format, IndexWriter, SitemapWriter, Stylesheet, StylesheetError, WriteOptions, Written,
};

/// The README's examples, so that they run.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../../README.md")]
mod readme {}

/// What the derive's output names. Not part of the public interface: any release may change it.
#[doc(hidden)]
pub mod __private {
    pub use crate::extension::{Converted, Infallible};
    pub use crate::localized::Localized;
    pub use crate::template::{Literal, TemplateUrl};

    use crate::{ChangeFreq, Entry, LastMod, Priority};

    /// Sets what the entry has not got yet.
    pub fn fill(
        entry: Entry<'_>,
        lastmod: Option<LastMod>,
        changefreq: Option<ChangeFreq>,
        priority: Option<Priority>,
    ) -> Entry<'_> {
        entry.or(lastmod, changefreq, priority)
    }
}
