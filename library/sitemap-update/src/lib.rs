//! Changes some pages of a published set, and rewrites only the files of these pages.
//!
//! A site of forty million pages changes ten thousand a day. A set with *hash buckets* puts each page into the file of
//! its bucket, so an [`Update`] reads and writes only the buckets of the changed pages:
//!
//! ```
//! use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
//! use sitemap_update::{Change, Rebucket, Update};
//!
//! let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
//! let mut publisher = Publisher::builder(site.clone()).to_storage(storage.clone())?;
//! publisher.section("posts")?.add_all((0..1000).map(|id| format!("/posts/{id}")))?;
//! publisher.finish()?;
//! // Once: moves the pages to 30 hash buckets.
//! Rebucket::new(Publisher::builder(site.clone()), 30).run(storage.clone())?;
//!
//! // For each batch of changes:
//! let mut update = Update::new(Publisher::builder(site));
//! update.add(Change::Upsert(Entry::new(Loc::parse("https://example.com/posts/new")?)))?;
//! update.add(Change::Remove(Loc::parse("https://example.com/posts/7")?))?;
//! let applied = update.run(storage)?;
//! assert_eq!((applied.added(), applied.removed(), applied.files_read()), (1, 1, 2));
//! assert_eq!(applied.summary().map(|summary| summary.urls()), Some(1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Build`] publishes a new set in hash buckets. A [`Mirror`] takes changes from a [source](ChangeSource), such as a
//! queue in a database, and survives a crash at any moment.
//!
//! An update also publishes the last changes as an Atom feed, `sitemap-changes.atom`; see [`Update::feed`].
//!
//! [`Update::recent`] also repeats the last changed entries in one small file.
//!
//! A [`ChangedFile`] lists the pages that updates have changed, for programs that tell search engines of them. It loses none
//! in a crash.
//!
//! The commit is that of [`ShardCommit`](sitemap_core::publish::shards::ShardCommit): visitors see the old set or the new one.
//! Several processes may update a set at the same time, and no change is lost.

mod advice;
mod applied;
mod at_once;
mod attempt;
mod bucket;
mod build;
mod change;
mod changed;
mod commit;
mod error;
mod file;
mod merge;
mod mirror;
mod namespaces;
mod place;
mod publication;
mod rebucket;
mod recent;
mod removals;
mod retry;
mod section;
mod source;
mod spool;
mod unknown;
mod update;

pub use advice::{BucketCosts, advised_buckets};
pub use applied::{Applied, RecentSummary};
pub use build::Build;
pub use change::Change;
pub use changed::{ChangedFile, TakenChanges};
pub use error::UpdateError;
pub use mirror::{Mirror, MirrorError, Mirrored};
pub use rebucket::Rebucket;
pub use recent::Recent;
pub use source::{Batch, ChangeSource};
pub use unknown::OnUnknown;
pub use update::Update;
