//! Changes individual pages of a published set, and rewrites only the files that contain them.
//!
//! ```
//! use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};
//! use sitemap_update::UpdateSet as _;
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}", section = "posts")]
//! struct Post {
//!     slug: String,
//! }
//!
//! let set = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new());
//!
//! // All pages:
//! let mut all = set.replace()?;
//! all.add_all((0..1000).map(|id| Post { slug: id.to_string() }))?;
//! all.commit()?;
//!
//! // Whenever some of them change:
//! let mut some = set.update();
//! some.upsert(&Post { slug: "new".into() })?;
//! some.remove(&Post { slug: "7".into() })?;
//! let applied = some.commit()?;
//! assert_eq!((applied.added(), applied.removed()), (1, 1));
//! assert_eq!(applied.summary().map(|summary| summary.urls()), Some(1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Suppose a site has forty million pages, and ten thousand of them change every day. In a section with *hash buckets*,
//! a page's URL decides which file it is in, so an [`Update`] reads and writes only the buckets of the changed pages.
//! The first update of a section moves its pages to hash buckets, and [reports](Applied::converted) that.
//!
//! An update commits like [`ShardCommit`](sitemap_core::publish::shards::ShardCommit): visitors see either the old set
//! or the new one. Several processes may update a set at the same time without losing a change.
//!
//! | task | item | modules |
//! |---|---|---|
//! | change some pages | [`UpdateSet::update`], [`Update`] | `update`, `update_attempt`, `records`, `section`, `merge`, `on_unknown` |
//! | publish all pages in hash buckets | [`Build`] | `build`, `build_run`, `spool`, `removals` |
//! | change the number of hash buckets | [`Rebucket`] | `rebucket` |
//! | choose that number | [`advised_buckets`] | `advice` |
//! | publish changes from a queue or database, even after a crash | [`Mirror`], [`ChangeSource`] | `mirror`, `source` |
//! | publish the last changes as an Atom feed | [`Update::feed`] | |
//! | repeat the last changed entries in one small file | [`Update::recent`] | `recent` |
//! | pass on what changed, such as to search engines | [`ChangedFile`] | `changed_file` |
//!
//! All of them share these modules: `file` reads files; `bucket`, `place` and `namespaces` write them; `parallel`
//! decides how many to process at once; `commit` publishes them; and `retry` restarts a run if another one committed
//! first.

mod advice;
mod applied;
mod bucket;
mod build;
mod build_run;
mod change;
mod changed_file;
mod commit;
mod error;
mod file;
mod merge;
mod mirror;
mod namespaces;
mod on_unknown;
mod parallel;
mod place;
mod rebucket;
mod recent;
mod records;
mod removals;
mod retry;
mod section;
mod source;
mod spool;
mod update;
mod update_attempt;

pub use advice::{BucketCosts, advised_buckets};
pub use applied::{Applied, Converted, RecentSummary};
pub use build::Build;
pub use change::Change;
pub use changed_file::{ChangedFile, TakenChanges};
pub use error::UpdateError;
pub use mirror::{Mirror, MirrorError, Mirrored};
pub use on_unknown::OnUnknown;
pub use rebucket::Rebucket;
pub use recent::Recent;
pub use records::{SectionUpdate, UpdateSet};
pub use source::{Batch, ChangeSource};
pub use update::Update;
