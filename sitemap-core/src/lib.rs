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
//! fn publish(posts: &[Post], out: &std::path::Path) -> Result<(), sitemap_core::PublishError> {
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
//! | task | item |
//! |---|---|
//! | map a struct or enum to entries | [`#[derive(SitemapEntry)]`](derive@SitemapEntry), or [the trait](trait@SitemapEntry) |
//! | publish pages to a directory, memory or another [`Storage`] | [`Publisher`] |
//! | write one file to any `Write` | [`SitemapWriter`], [`IndexWriter`] |
//! | build an entry by hand | [`Entry`]: [`Loc`], [`LastMod`], [`ChangeFreq`], [`Priority`] |
//! | add images, videos, news or other elements to an entry | [`Image`], [`Video`], [`News`], [`extension`] |
//! | link the translations of a page | `locales` in the derive, [`record::AlternateGroups`], [`Alternate`] |
//! | set the URL under which a sitemap is served, and so what it may list | [`Site`] |
//! | write Google's older dialect, or smaller files | [`Dialect`], [`Limits`], [`WriteOptions`] |
//! | announce the sitemap in robots.txt | [`Summary::robots_txt`], [`robots`] |
//! | show a table to people who open the sitemap in a browser | [`Stylesheet`] |
//!
//! Reading and checking sitemaps is in the crate `sitemap-read`, serving them over HTTP in `sitemap-serve`, publishing
//! to buckets in `sitemap-object-store`, notifying search engines in `sitemap-notify`.
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
//! | `url` | host names that are not ASCII, and `url::Url` as an address |
//! | `uuid` | `Uuid` in URL templates |
//! | `gzip` | compressed files |
//! | `async` | records from a `Stream`, publishing without blocking an asynchronous runtime |
//! | `serde` | `Serialize` and `Deserialize` for entries and their values |
//! | `shards` | sets that many processes write and one commits |
//!
//! Nothing here is `unsafe`, and nothing panics on bad input: it gives an [`Error`] that names the
//! record, the value and the rule.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod dialect;
mod entry;
mod error;
pub mod extension;
pub mod publish;
pub mod record;
pub mod robots;
pub mod storage;
mod stylesheet;
pub mod value;
mod write;
mod writer;

pub use dialect::{Dialect, Limits};
pub use entry::Entry;
pub use error::{Error, ErrorKind};
pub use extension::{Alternate, Extensions, Image, News, Video};
pub use publish::{PublishError, Publisher, Summary};
pub use record::{EntryWriter, SitemapEntry, SitemapPart, StaticPages, UrlParam, entries_of};
#[cfg(feature = "derive")]
pub use sitemap_derive::{SitemapEntry, SitemapPart};
pub use storage::{Directory, Memory, Storage};
pub use stylesheet::{Stylesheet, StylesheetError};
pub use value::{ChangeFreq, LastMod, Loc, Priority, Site};
pub use write::{DocumentSize, Format, WriteOptions};
pub use writer::{IndexWriter, SitemapWriter};

/// What `sitemap-read` needs beyond the public interface. Any release may change it.
#[doc(hidden)]
pub mod __read {
    use std::borrow::Cow;

    use crate::extension::ExtensionError;
    use crate::value::LocError;
    use crate::{Entry, Image, LastMod, Loc, News, Priority, Video};

    pub use crate::extension::fields::{Fields, Group, Value, check_item, split};
    pub use crate::extension::table::{Field, Form, Item, Kind, List, Place, Table};
    pub use crate::value::KnownOrigin;

    /// Returns the values of an image beside its URL.
    pub fn image_fields<'i, 'a>(image: &'i Image<'a>) -> Option<&'i Fields<'a>> {
        image.others()
    }

    /// Returns the values of a video.
    pub fn video_fields<'v, 'a>(video: &'v Video<'a>) -> &'v Fields<'a> {
        video.fields()
    }

    /// Returns the normal form of a URL, or `None` if the text is in that form already.
    pub fn normalised(text: &str) -> Result<Option<String>, LocError> {
        Loc::normalised(text)
    }

    /// As [`normalised`], for one of many URLs of the same site.
    #[inline]
    pub fn normalised_like(text: &str, known: &mut KnownOrigin) -> Result<Option<String>, LocError> {
        Loc::normalised_like(text, known)
    }

    /// Returns `true` if the text is in its normal form; `false` also where that takes a second look.
    #[inline]
    pub fn is_normal_like(text: &[u8], known: &KnownOrigin) -> bool {
        Loc::is_normal_like(text, known)
    }

    /// Makes a `Loc` of text that is in its normal form and not too long.
    #[inline]
    pub fn trusted_loc(text: Cow<'_, str>) -> Loc<'_> {
        Loc::trusted(text)
    }

    /// Returns `true` if the entry has anything besides the protocol's four values.
    #[inline]
    pub fn has_extensions(entry: &Entry<'_>) -> bool {
        entry.attached().is_some()
    }

    /// Returns `true` if an article was first published before a moment.
    pub fn is_news_before(news: &News<'_>, moment: LastMod) -> bool {
        news.is_before(moment)
    }

    /// Appends `%XX`.
    pub fn push_percent(out: &mut String, byte: u8) {
        crate::value::push_percent(out, byte);
    }

    /// Reads the two usual forms of a `lastmod`.
    #[inline]
    pub fn usual_lastmod(text: &[u8]) -> Option<LastMod> {
        LastMod::parse_usual(text)
    }

    /// Returns a priority of whole tenths.
    #[inline]
    pub fn priority_of_tenths(tenths: u8) -> Option<Priority> {
        Priority::tenths(tenths)
    }

    /// Checks that a video goes with its page.
    pub fn check_video(video: &Video<'_>, page: &Loc<'_>) -> Result<(), ExtensionError> {
        crate::extension::check_video(video, page)
    }
}

/// What the derive's output names. Not part of the public interface: any release may change it.
#[doc(hidden)]
pub mod __private {
    pub use crate::record::{
        Converted, Infallible, Literal, Localized, TemplateUrl, ToAlternates, ToImages, ToNews, ToVideos,
    };
    pub use crate::value::{ToChangeFreq, ToLastMod, ToLoc, ToPriority};

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
