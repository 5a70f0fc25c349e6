//! The commit, which publishes the shards of all writers. One process runs it when all writers are done.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::error::ShardError;
use super::find::{find_all, find_uncommitted};
use super::published::{PublishedShard, PublishedShards};
use super::recent::RecentAction;
use super::row::ShardRow;
use super::update::{self, Update};
use crate::clock;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::feed::{self, Document, Feed, FeedChange};
use crate::publish::options::{Names, SetOptions};
use crate::publish::set::recent::RecentCounts;
use crate::publish::set::{Commit, Guard, KnownManifest, NextSet, Positions, names};
use crate::publish::shrink::AllowShrink;
use crate::publish::skipped::SkippedRecords;
use crate::publish::summary::Summary;
use crate::storage::Storage;

/// Publishes the shards of many processes as one set.
///
/// Rows of shards can be added in any order, and more than once. The old set stays published until the last step, which
/// replaces `sitemap.xml`. If two processes commit at the same time, one succeeds and the other gets an error. The
/// shards of the previous set stay until the next commit, for crawlers that still have the previous index;
/// [`keep_generations`](SetOptions::keep_generations) and [`keep_for`](SetOptions::keep_for) keep more.
/// Shards that were never committed also stay, because they may belong to a run in progress; see
/// [`remove_uncommitted`](Self::remove_uncommitted).
///
/// The commit checks the name and size of each shard, but not its bytes. With a builder that [keeps
/// sections](SetOptions::keep_sections), it replaces only the sections of its rows.
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::publish::PublishError;
/// use sitemap_core::publish::shards::ShardCommit;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut shards = SitemapSet::builder(site.clone()).write_shards(storage.clone(), "pages", 1)?;
/// shards.add(0, "/")?;
/// shards.add(0, "/about")?;
/// let written = shards.finish()?;
///
/// let mut commit = ShardCommit::new(SitemapSet::builder(site))
///     .expect_urls(2)
///     .remove_uncommitted(Duration::from_secs(24 * 60 * 60));
/// for row in written.rows() {
///     commit.add(row.clone())?;
///     commit.add(row.clone())?; // A repeated row counts once.
/// }
/// let summary = commit.publish(storage.clone())?;
/// assert_eq!(summary.files()[0].name(), written.rows()[0].name());
/// assert!(storage.get("sitemap.xml").is_some());
/// # Ok::<(), PublishError>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is published before `publish`"]
pub struct ShardCommit {
    options: SetOptions,
    rows: Vec<ShardRow>,
    /// The index of each shard in `rows`, by section, bucket and number.
    by_identity: HashMap<Box<str>, usize>,
    /// The index in `rows` of the first shard of each section.
    by_section: HashMap<Box<str>, usize>,
    expected_urls: Option<u64>,
    uncommitted_for: Option<Duration>,
    allow_shrink: Option<AllowShrink>,
    skipped: u64,
    positions: Positions,
    /// The section, the source, and the position that the published set must record for them.
    expected_positions: Vec<(String, String, Option<String>)>,
    updates: Vec<Update>,
    /// The files of the set that this commit may replace. `None` if it may replace any set.
    seen: Option<Vec<PublishedShard>>,
    /// The manifest that the caller read.
    known: Option<Arc<KnownManifest>>,
    feed: FeedAction,
    recent: RecentAction,
}

/// What a commit does with the feed.
#[derive(Debug, Default)]
enum FeedAction {
    /// The feed stays as it is.
    #[default]
    Keep,
    Write(Feed, Vec<FeedChange>),
    Remove,
}

impl ShardCommit {
    /// Starts a commit. Use the same settings as for the shard writers.
    pub fn new(options: SetOptions) -> Self {
        let options = options.names(Names::Digest);
        let (by_identity, by_section) = Default::default();
        Self {
            options,
            rows: Vec::new(),
            by_identity,
            by_section,
            expected_urls: None,
            uncommitted_for: None,
            allow_shrink: None,
            skipped: 0,
            positions: Positions::default(),
            expected_positions: Vec::new(),
            updates: Vec::new(),
            seen: None,
            known: None,
            feed: FeedAction::Keep,
            recent: RecentAction::Remove,
        }
    }

    /// Sets the expected number of URLs in all shards together. See the [example](Self). Default: any number.
    pub fn expect_urls(mut self, urls: u64) -> Self {
        self.expected_urls = Some(urls);
        self
    }

    /// Also removes uncommitted shards that are at least `age` old, after the set is published. See the
    /// [example](Self). Default: uncommitted shards stay.
    ///
    /// Only shards of the committed sections are removed. Choose an age longer than any run takes: if a shard of a run
    /// in progress is removed, the commit of that run fails with [`ShardError::Missing`].
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Makes the commit end with [`PublishErrorKind::Overtaken`] if another run has changed the set since the caller
    /// read it, even on storage with locks. If the builder [keeps sections](SetOptions::keep_sections), only
    /// changes to the sections of the rows matter. Without this check, a run that starts first and ends last replaces a
    /// newer set. An [update](Self::update) always does its own check. Default: the commit replaces any set.
    ///
    /// ```
    /// use sitemap_core::publish::PublishErrorKind;
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let publish = |published: &PublishedShards, page: &str| {
    ///     let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    ///     shards.add(0, page)?;
    ///     let mut commit = ShardCommit::new(builder.clone()).if_unchanged(published);
    ///     commit.add(shards.finish()?.into_rows().remove(0))?;
    ///     commit.publish(storage.clone())
    /// };
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// publish(&published, "/tea")?;
    /// let error = publish(&published, "/old-tea").unwrap_err();
    /// assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn if_unchanged(mut self, published: &PublishedShards) -> Self {
        self.seen = Some(published.rows().to_vec());
        self.known = Some(Arc::clone(published.known()));
        self
    }

    /// Replaces only these hash buckets of a section. The published shards of all other buckets and sections stay, and
    /// are not read. A bucket without a row becomes empty.
    ///
    /// To replace buckets of several sections in one commit, call this once per section. A later call for the same
    /// section overrides the earlier one.
    ///
    /// `published` is the set that the caller read. If another run has changed one of the replaced buckets since then,
    /// the commit ends with [`PublishErrorKind::Overtaken`]: read the set again, and write the buckets again. Changes
    /// to other buckets don't matter. The replaced shards stay for at least 15 minutes, for updates that still read
    /// them.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit, bucket_of};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let builder = || SitemapSet::builder(site.clone());
    /// let mut shards = builder().write_shards(storage.clone(), "posts", 2)?;
    /// for (bucket, page) in [(0, "/a"), (1, "/b")] {
    ///     shards.add(bucket, page)?;
    /// }
    /// let mut commit = ShardCommit::new(builder());
    /// for row in shards.finish()?.into_rows() {
    ///     commit.add(row)?;
    /// }
    /// let first = commit.publish(storage.clone())?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// let mut shards = builder().write_shards(storage.clone(), "posts", 2)?;
    /// shards.add(1, "/b")?;
    /// shards.add(1, "/c")?;
    /// let mut commit = ShardCommit::new(builder()).update(&published, "posts", [1])?;
    /// for row in shards.finish()?.into_rows() {
    ///     commit.add(row)?;
    /// }
    /// let second = commit.publish(storage.clone())?;
    /// assert_eq!(second.urls(), 3);
    /// assert_eq!(second.files()[0].name(), first.files()[0].name());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Shard`] if the section has no hash buckets, or a different number of them.
    pub fn update(
        self,
        published: &PublishedShards,
        section: &str,
        buckets: impl IntoIterator<Item = u32>,
    ) -> Result<Self, PublishError> {
        let update = Update::new(published, section, buckets)?;
        Ok(self.with_update(published, update))
    }

    fn with_update(mut self, published: &PublishedShards, update: Update) -> Self {
        self.known = Some(Arc::clone(published.known()));
        self.updates.retain(|other| other.section() != update.section());
        self.updates.push(update);
        self
    }

    /// Makes the last [update](Self::update) also end with [`PublishErrorKind::Overtaken`] if another run has changed
    /// one of these buckets, although the update doesn't replace them. Use it for buckets that the update read and
    /// found nothing to change in. Has no effect without an earlier call of `update`.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let commit = |published: Option<&PublishedShards>, bucket: u32, page: &str| {
    ///     let mut shards = builder.clone().write_shards(storage.clone(), "posts", 2)?;
    ///     shards.add(bucket, page)?;
    ///     let mut commit = ShardCommit::new(builder.clone());
    ///     if let Some(published) = published {
    ///         commit = commit.update(published, "posts", [bucket])?.check_unchanged(published, [1 - bucket])?;
    ///     }
    ///     commit.add(shards.finish()?.into_rows().remove(0))?;
    ///     commit.publish(storage.clone()).map(|summary| summary.urls())
    /// };
    /// commit(None, 0, "/a")?;
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(commit(Some(&published), 1, "/b")?, 2);
    /// // Bucket 1 has changed.
    /// assert!(commit(Some(&published), 0, "/c").is_err());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Shard`] if the section has a different number of buckets.
    pub fn check_unchanged(
        mut self,
        published: &PublishedShards,
        buckets: impl IntoIterator<Item = u32>,
    ) -> Result<Self, PublishError> {
        if let Some(update) = self.updates.last_mut() {
            update.check_buckets(published, buckets)?;
        }
        Ok(self)
    }

    /// Replaces all files of a section, for example to change its number of hash buckets. The other sections stay. If
    /// another run has changed the section since the caller read it, the commit ends with
    /// [`PublishErrorKind::Overtaken`].
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit, bucket_of};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let mut run = SitemapSet::builder(site.clone()).storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.section("shop")?.add("/shop")?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// let mut shards = SitemapSet::builder(site.clone()).write_shards(storage.clone(), "posts", 40)?;
    /// shards.add(bucket_of("https://example.com/tea", 40), "https://example.com/tea")?;
    /// let mut commit = ShardCommit::new(SitemapSet::builder(site.clone())).replace_section(&published, "posts");
    /// commit.add(shards.finish()?.into_rows().remove(0))?;
    /// assert_eq!(commit.publish(storage.clone())?.urls(), 2);
    /// assert_eq!(PublishedShards::read(&storage, &site)?.buckets("posts"), Some(40));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn replace_section(self, published: &PublishedShards, section: &str) -> Self {
        self.with_update(published, Update::of_section(published, section))
    }

    /// Allows this commit to shrink the set beyond the limit set with [`max_shrink`](SetOptions::max_shrink).
    /// Default: such a commit ends with [`PublishErrorKind::Shrunk`] and writes nothing.
    ///
    /// ```
    /// use sitemap_core::publish::{AllowShrink, PublishError};
    /// use sitemap_core::publish::shards::ShardCommit;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let publish = |pages: u32, allow: Option<AllowShrink>| {
    ///     let mut shards = SitemapSet::builder(site.clone()).write_shards(storage.clone(), "posts", 1)?;
    ///     for id in 0..pages {
    ///         shards.add(0, &format!("/posts/{id:04}"))?;
    ///     }
    ///     let mut commit = ShardCommit::new(SitemapSet::builder(site.clone())).allow_shrink(allow);
    ///     for row in shards.finish()?.rows() {
    ///         commit.add(row.clone())?;
    ///     }
    ///     commit.publish(storage.clone())
    /// };
    /// publish(1000, None)?;
    /// assert!(publish(400, None).is_err());
    /// assert_eq!(publish(400, Some(AllowShrink::Smaller))?.urls(), 400);
    /// # Ok::<(), PublishError>(())
    /// ```
    pub fn allow_shrink(mut self, allow: impl Into<Option<AllowShrink>>) -> Self {
        self.allow_shrink = allow.into();
        self
    }

    /// Sets the number of invalid records that the shard writers skipped. It appears in the
    /// [summary](Summary::skipped), and in the error for a set that lost too many pages. Default: 0.
    ///
    /// ```
    /// use sitemap_core::publish::OnInvalid;
    /// use sitemap_core::publish::shards::ShardCommit;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut shards =
    ///     builder.clone().on_invalid(OnInvalid::Skip).write_shards(storage.clone(), "pages", 1)?;
    /// shards.add(0, "/")?;
    /// shards.add(0, "ftp://example.com/")?;
    /// let written = shards.finish()?;
    /// let mut commit = ShardCommit::new(builder).skipped(written.skipped());
    /// for row in written.into_rows() {
    ///     commit.add(row)?;
    /// }
    /// assert_eq!(commit.publish(storage)?.skipped(), 1);
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn skipped(mut self, records: u64) -> Self {
        self.skipped = records;
        self
    }

    /// Sets the number of pages that the last [update](Self::update) changes. The manifest records these numbers for
    /// the last 16 updates of each section, to help choose the number of hash buckets. Default: nothing is recorded.
    /// Has no effect without an earlier call of `update`.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let builder = SitemapSet::builder(site.clone());
    /// let mut publish = |pages: &[&str]| {
    ///     let published = PublishedShards::read(&storage, &site)?;
    ///     let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    ///     for page in pages {
    ///         shards.add(0, *page)?;
    ///     }
    ///     let mut commit = ShardCommit::new(builder.clone());
    ///     if !published.is_empty() {
    ///         commit = commit.update(&published, "posts", [0])?.changes(1);
    ///     }
    ///     shards.finish()?.into_rows().into_iter().try_for_each(|row| commit.add(row))?;
    ///     commit.publish(storage.clone())
    /// };
    /// publish(&["/tea"])?;
    /// publish(&["/tea", "/cups"])?;
    /// assert_eq!(PublishedShards::read(&storage, &site)?.changes("posts"), [1]);
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn changes(mut self, pages: u64) -> Self {
        if let Some(update) = self.updates.last_mut() {
            update.count_changes(pages);
        }
        self
    }

    /// Records the position up to which a section contains the changes from a source, for example a position in the log
    /// of a database. The position is part of the manifest, so it matches the pages even after a crash. Default: an
    /// [update](Self::update) keeps the positions, and a full publication of a section drops the positions of that
    /// section.
    ///
    /// The commit of an update ends with [`PublishErrorKind::Overtaken`] if another run has moved the position since
    /// the caller read the set, even if the update replaces no bucket.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let mut commit = ShardCommit::new(builder.clone()).position("posts", "shop-db", "0/15D68A8")?;
    /// commit.add(shards.finish()?.into_rows().remove(0))?;
    /// commit.publish(storage.clone())?;
    ///
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(published.position("posts", "shop-db"), Some("0/15D68A8"));
    /// // Moves the position, and replaces no bucket.
    /// let commit = || {
    ///     let commit = ShardCommit::new(builder.clone()).update(&published, "posts", [])?;
    ///     commit.position("posts", "shop-db", "0/15D7000")?.publish(storage.clone())
    /// };
    /// commit()?;
    /// let now = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(now.position("posts", "shop-db"), Some("0/15D7000"));
    /// // The position is no longer the one that was read.
    /// assert!(commit().is_err());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ShardError::Position`] if the name of the source or the position is empty, longer than 200 characters, or
    /// contains `"`, `\`, `;` or anything other than visible ASCII characters.
    pub fn position(mut self, section: &str, source: &str, position: &str) -> Result<Self, PublishError> {
        if let Some(text) = [source, position].into_iter().find(|text| !Positions::is_valid(text)) {
            return Err(ShardError::Position { text: text.into() }.into());
        }
        self.positions.set(section, source, position);
        Ok(self)
    }

    /// Makes the commit end with [`PublishErrorKind::Overtaken`] unless the published set records exactly this
    /// [position](Self::position) for the source. Pass the position that the caller read before it read its pages, or
    /// `None` for no position. Without this check, a full publication could replace newer pages with older ones, if
    /// another run published changes from the source in the meantime. An [update](Self::update) always does its own
    /// check. Default: any position.
    ///
    /// ```
    /// use sitemap_core::publish::PublishErrorKind;
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let publish = |before: Option<&str>, position: &str| {
    ///     let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    ///     shards.add(0, "/tea")?;
    ///     let mut commit = ShardCommit::new(builder.clone())
    ///         .if_position("posts", "queue", before)
    ///         .position("posts", "queue", position)?;
    ///     commit.add(shards.finish()?.into_rows().remove(0))?;
    ///     commit.publish(storage.clone())
    /// };
    /// publish(None, "7")?;
    /// publish(Some("7"), "8")?;
    /// let error = publish(Some("7"), "9").unwrap_err();
    /// assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn if_position(mut self, section: &str, source: &str, position: Option<&str>) -> Self {
        self.expected_positions.push((section.to_owned(), source.to_owned(), position.map(str::to_owned)));
        self
    }

    /// Also publishes a feed with these changes. See the example of [`Feed`]. The changes of earlier commits stay in
    /// the feed. Default: an existing feed stays as it is.
    ///
    /// The feed belongs to the commit: if the commit fails, neither the pages nor the feed change. Several processes
    /// can commit at the same time, and no change is lost. Without changes, the feed stays as it is.
    ///
    /// ```
    /// use sitemap_core::publish::feed::{Feed, FeedChange};
    /// use sitemap_core::publish::files::FEED;
    /// use sitemap_core::publish::shards::ShardCommit;
    /// use sitemap_core::{Loc, Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let change = FeedChange::Upsert(Loc::parse("https://example.com/tea")?, None);
    /// let mut commit = ShardCommit::new(builder).feed(Feed::new(), vec![change]);
    /// commit.add(shards.finish()?.into_rows().remove(0))?;
    /// commit.publish(storage.clone())?;
    /// assert!(storage.get(FEED).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feed(mut self, feed: Feed, changes: Vec<FeedChange>) -> Self {
        self.feed = if changes.is_empty() { FeedAction::Keep } else { FeedAction::Write(feed, changes) };
        self
    }

    /// Removes the feed, for example because changes would be missing from it.
    ///
    /// ```
    /// use sitemap_core::publish::feed::{Feed, FeedChange};
    /// use sitemap_core::publish::files::FEED;
    /// use sitemap_core::publish::shards::ShardCommit;
    /// use sitemap_core::{Loc, Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let row = shards.finish()?.into_rows().remove(0);
    /// let mut commit = ShardCommit::new(builder.clone())
    ///     .feed(Feed::new(), vec![FeedChange::Remove(Loc::parse("https://example.com/cups")?)]);
    /// commit.add(row.clone())?;
    /// commit.publish(storage.clone())?;
    /// assert!(storage.get(FEED).is_some());
    ///
    /// let mut commit = ShardCommit::new(builder).without_feed();
    /// commit.add(row)?;
    /// assert!(commit.publish(storage.clone())?.feed().is_none());
    /// assert!(storage.get(FEED).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_feed(mut self) -> Self {
        self.feed = FeedAction::Remove;
        self
    }

    /// Replaces the [recent section](crate::publish::files::RECENT) with a file written by
    /// [`write_recent`](SetOptions::write_recent), or removes it. Default: a commit removes the recent section,
    /// because only the caller knows whether its entries still match the other sections.
    ///
    /// Pass the set that the caller read. If another run has replaced the recent section since then, the commit ends
    /// with [`PublishErrorKind::Overtaken`].
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, RecentCounts, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let mut recent = builder.clone().write_recent(storage.clone());
    /// recent.add(0, "/tea")?;
    /// let recent = recent.finish()?.into_rows().remove(0);
    ///
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// let mut commit = ShardCommit::new(builder.clone());
    /// commit.add(shards.finish()?.into_rows().remove(0))?;
    /// let summary = commit.recent(&published, Some(recent), RecentCounts::default())?.publish(storage.clone())?;
    /// // The index lists both files. The repeated page counts once.
    /// assert_eq!((summary.indexes()[0].entries(), summary.urls(), summary.files().len()), (2, 1, 1));
    /// assert_eq!(summary.recent().map(|recent| recent.entries()), Some(1));
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!((published.sections(), published.recent().is_some()), (vec!["posts"], true));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ShardError::NotReplaced`] if the file doesn't belong to the recent section, and [`ShardError::Site`] if it was
    /// written for another site.
    pub fn recent(
        mut self,
        published: &PublishedShards,
        file: Option<ShardRow>,
        counts: RecentCounts,
    ) -> Result<Self, PublishError> {
        if let Some(row) = &file {
            self.check_site(row)?;
            if !names::is_recent_file(&row.name) {
                return Err(ShardError::NotReplaced { name: row.name.as_str().into() }.into());
            }
        }
        let seen = published.recent().map(|file| file.name().to_owned());
        self.recent = RecentAction::Replace { seen, new: file.map(Box::new), counts };
        Ok(self)
    }

    /// Keeps the recent section. For a commit that changes no page, such as one that moves pages to other hash buckets.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, RecentCounts, ShardCommit};
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut recent = builder.clone().write_recent(storage.clone());
    /// recent.add(0, "/tea")?;
    /// let mut recent = recent.finish()?.into_rows();
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// let first = ShardCommit::new(builder.clone()).recent(&published, recent.pop(), RecentCounts::default())?;
    /// let again = ShardCommit::new(builder.clone()).keep_recent();
    /// for mut commit in [first, again] {
    ///     let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    ///     shards.add(0, "/tea")?;
    ///     commit.add(shards.finish()?.into_rows().remove(0))?;
    ///     assert!(commit.publish(storage.clone())?.recent().is_some());
    /// }
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn keep_recent(mut self) -> Self {
        self.recent = RecentAction::Keep;
        self
    }

    /// Adds the row of a shard, either from a writer or [from the published set](PublishedShards::written_from). A
    /// repeated row is added only once. If its [source](ShardRow::source) differs from that of the earlier row, the
    /// shard is published without a source.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::SectionName`] if the shard belongs to the [recent section](Self::recent),
    /// [`ShardError::Site`] if it was written for another site, [`ShardError::Buckets`] if another shard of the same
    /// section was written with a different number of buckets, and [`ShardError::Conflict`] if another row describes
    /// the same shard with different content.
    pub fn add(&mut self, row: ShardRow) -> Result<(), PublishError> {
        names::check_section(row.section())?;
        self.check_settings(&row)?;
        update::check(&self.updates, &row)?;
        if let Some(&at) = self.by_identity.get(row.identity()) {
            let one = &mut self.rows[at];
            if one.is_same_shard(&row) {
                // It isn't known which of the two sources is right. Without one, the next run writes the bucket again.
                one.source = one.source.filter(|source| row.source == Some(*source));
                return Ok(());
            }
            let (one, other) = (one.to_string().into(), row.to_string().into());
            return Err(ShardError::Conflict { one, other }.into());
        }
        self.by_identity.insert(row.identity().into(), self.rows.len());
        self.rows.push(row);
        Ok(())
    }

    fn check_site(&self, row: &ShardRow) -> Result<(), ShardError> {
        let base = self.options.site.base();
        if *row.base != *base {
            let (expected, found) = (base.into(), row.base.clone());
            return Err(ShardError::Site { name: row.name.as_str().into(), expected, found });
        }
        Ok(())
    }

    fn check_settings(&mut self, row: &ShardRow) -> Result<(), ShardError> {
        self.check_site(row)?;
        let Some(&first) = self.by_section.get(row.section()) else {
            self.by_section.insert(row.section().into(), self.rows.len());
            return Ok(());
        };
        let first = &self.rows[first];
        if first.buckets != row.buckets {
            let [one, other] = [first, row].map(|row| (row.name.as_str().into(), row.buckets));
            return Err(ShardError::Buckets { one, other });
        }
        Ok(())
    }

    /// Publishes all shards as the new set.
    ///
    /// # Errors
    ///
    /// - [`PublishErrorKind::EmptySet`] if no row was added.
    /// - [`PublishErrorKind::OtherSite`] and [`PublishErrorKind::CannotKeep`] as for
    ///   [`SitemapSet::replace`](crate::SitemapSet::replace).
    /// - [`PublishErrorKind::Shard`] if a shard is missing, or the shards don't contain the expected number of URLs.
    /// - [`PublishErrorKind::Shrunk`] if the set would lose too many pages.
    /// - [`PublishErrorKind::Locked`] if another run holds the lock.
    /// - [`PublishErrorKind::Overtaken`] if another run published in the meantime, on storage without locks.
    /// - [`PublishErrorKind::Io`] if the storage fails.
    ///
    /// After an error, the old set stays published. The exception is an `Io` error while files are being replaced: the
    /// next run then completes the new set.
    pub fn publish(mut self, storage: impl Storage + 'static) -> Result<Summary, PublishError> {
        let is_update = !self.updates.is_empty();
        if self.rows.is_empty() && !is_update {
            return Err(PublishErrorKind::EmptySet { skipped: self.skipped }.into());
        }
        let found = self.rows.iter().map(|row| row.urls).sum();
        if let Some(expected) = self.expected_urls.filter(|expected| *expected != found) {
            return Err(ShardError::UrlCount { expected, found }.into());
        }
        if is_update {
            self.options = Update::options(self.options);
        }
        self.rows.sort_by(ShardRow::order);
        let known = self.known.as_ref();
        let mut set = NextSet::start(Arc::new(storage), &self.options, known)?;
        let stray = match self.uncommitted_for {
            Some(age) => find_uncommitted(&set, self.rows.iter().chain(self.recent.row()), age)?,
            None => Vec::new(),
        };
        let written: Vec<&str> = self.by_section.keys().map(|section| &**section).collect();
        if let Some(seen) = &self.seen {
            let sections = self.options.keep_sections.then_some(&*written);
            update::check_same(&set, seen, sections)?;
        }
        update::check_expected_positions(&set, &self.options.site, &self.expected_positions)?;
        let mut shards = find_all(&set, self.rows)?;
        if is_update {
            self.updates.iter().try_for_each(|update| update.check_positions(&set, &self.positions))?;
            shards = update::merge(&self.updates, &set, shards)?;
            self.options = self.options.keep_sections(false);
            if shards.is_empty() {
                return Err(PublishErrorKind::EmptySet { skipped: self.skipped }.into());
            }
        }
        let (recent, recent_counts) = self.recent.file(&set)?;
        let old_feed = match &self.feed {
            FeedAction::Write(..) => set.read_feed(feed::MOST_BYTES)?,
            _ => None,
        };
        let guard = Guard { allow: self.allow_shrink, skipped: self.skipped };
        let mut commit =
            Commit::of_listed_files(&set, &self.options, guard, &written, shards, recent, stray)?;
        commit.record_recent(recent_counts);
        for update in &self.updates {
            if let Some(changes) = update.changes() {
                commit.record_changes(update.section(), changes);
            }
        }
        if is_update {
            commit.keep_positions_and_formats();
        }
        for (section, source, position) in self.positions.iter() {
            commit.record_position(section, source, position);
        }
        let mut feed_changes = None;
        match self.feed {
            FeedAction::Keep => {}
            FeedAction::Remove => commit.remove_feed(),
            FeedAction::Write(feed, changes) => {
                let site = &self.options.site;
                let own = site.file(names::FEED)?;
                let now = clock::now()?;
                let feed = Document::of(&feed, site.base(), &own, old_feed.as_deref(), changes, now);
                commit.put_feed(&feed.text, feed.summary.entries)?;
                feed_changes = Some(feed.summary);
            }
        }
        commit.sync()?;
        let summary = Summary::new(&commit, &self.options, SkippedRecords::counted(self.skipped))?;
        let removed = commit.publish()?;
        let summary = summary.with_feed_changes(feed_changes);
        Ok(summary.with_removed_files(removed).with_retries(set.storage().retries()))
    }
}
