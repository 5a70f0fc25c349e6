//! An update of a published set.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sitemap_core::publish::{
    AllowShrink, Feed, PublishedShard, PublishedShards, PublisherBuilder, ShardCommit, ShardRow, bucket_of,
};
use sitemap_core::{Entry, Storage};

use crate::advice::advised_buckets;
use crate::applied::{Applied, Counts};
use crate::bucket;
use crate::change::Change;
use crate::commit;
use crate::error::UpdateError;
use crate::merge::{self, OfPage};
use crate::place::{self, Place};
use crate::retry::Retry;

/// A batch of changes of a published set, as the [crate's example](crate) shows.
///
/// The update reads the files of the hash buckets of the changed pages, merges the changes in the order of the URLs,
/// writes these files again and commits them. All other files stay, and are not read. If another run changes one of the
/// same buckets meanwhile, or holds the lock of the set, the update starts again on the new set.
///
/// The commit also publishes a [`Feed`] with the changes of the last days, in the file
/// [`sitemap-changes.atom`](sitemap_core::publish::FEED). It lists pages that were added, changed or removed. Pages that
/// are the same as before are not listed, so the same changes applied again leave the feed as it is. A full publication
/// does not know which pages it changes, so it leaves the feed as it is, too.
///
/// New files have the format of the published ones. All other settings must be those of the set.
///
/// The changes stay in memory, also for another attempt: about 330 bytes for the URL and date of a page, so a million
/// changes take about 330 MB. Split more changes into several updates. The pages of one bucket are in memory, too.
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
/// use sitemap_update::{Change, Rebucket, Update};
///
/// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
/// let mut publisher = builder.clone().to_storage(storage.clone())?;
/// publisher.section("posts")?.add("/tea")?;
/// publisher.section("shop")?.add("/shop")?;
/// publisher.finish()?;
/// Rebucket::new(builder.clone(), 4).section("posts").run(storage.clone())?;
///
/// let mut update = Update::new(builder).section("posts").attempts(3);
/// update.add(Change::Upsert(Entry::new(Loc::parse("https://example.com/cups")?)))?;
/// assert_eq!(update.run(storage.clone())?.added(), 1);
/// // The same changes again change nothing.
/// assert_eq!(update.run(storage)?.unchanged(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is published before `run`"]
pub struct Update {
    builder: PublisherBuilder,
    section: Option<String>,
    /// The last change of each page: its entry, or `None` if the page is gone.
    changes: BTreeMap<String, Option<Entry<'static>>>,
    retry: Retry,
    allow_shrink: Option<AllowShrink>,
    uncommitted_for: Option<Duration>,
    position: Option<Move>,
    /// The settings of the feed, or `None` if the set shall have none.
    feed: Option<Feed>,
}

/// A move of the position of a source of changes.
#[derive(Debug)]
struct Move {
    source: String,
    from: Option<String>,
    to: String,
}

impl Update {
    /// Starts an update of the set of a site.
    pub fn new(builder: PublisherBuilder) -> Self {
        Self {
            builder,
            section: None,
            changes: BTreeMap::new(),
            retry: Retry::default(),
            allow_shrink: None,
            uncommitted_for: None,
            position: None,
            feed: Some(Feed::new()),
        }
    }

    /// Sets the section whose pages change, as in the [example](Self). Default: the only section of the set.
    pub fn section(mut self, name: impl Into<String>) -> Self {
        self.section = Some(name.into());
        self
    }

    /// Sets how often the update is tried if other runs are quicker, as in the [example](Self). Default: 20.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.retry.attempts = attempts;
        self
    }

    /// Sets the pause between two attempts. Default: 250 ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::Update;
    ///
    /// let update = Update::new(Publisher::builder(Site::new("https://example.com")?)).pause(Duration::ZERO);
    /// assert!(update.run(Memory::new()).is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn pause(mut self, pause: Duration) -> Self {
        self.retry.pause = pause;
        self
    }

    /// Allows this update to shrink the set beyond the limit of
    /// [`max_shrink`](PublisherBuilder::max_shrink). Default: such an update ends with an error and writes nothing.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::{Loc, Memory, Publisher, Site};
    /// use sitemap_update::{Change, Rebucket, Update};
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut publisher = builder.clone().to_storage(storage.clone())?;
    /// publisher.section("posts")?.add_all((0..200).map(|id| format!("/posts/{id}")))?;
    /// publisher.finish()?;
    /// Rebucket::new(builder.clone(), 4).run(storage.clone())?;
    ///
    /// let mut update = Update::new(builder);
    /// for id in 0..150 {
    ///     update.add(Change::Remove(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
    /// }
    /// assert!(update.run(storage.clone()).is_err());
    /// assert_eq!(update.allow_shrink(AllowShrink::Smaller).run(storage)?.removed(), 150);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn allow_shrink(mut self, allow: impl Into<Option<AllowShrink>>) -> Self {
        self.allow_shrink = allow.into();
        self
    }

    /// Makes the update also remove shards of interrupted updates that are at least this old, as
    /// [`ShardCommit::remove_uncommitted`] does. Default: they stay.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::Update;
    ///
    /// let update = Update::new(Publisher::builder(Site::new("https://example.com")?));
    /// let update = update.remove_uncommitted(Duration::from_secs(24 * 60 * 60));
    /// assert!(update.run(Memory::new()).is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Moves the [position](ShardCommit::position) of a source of changes with the same commit. `from` is the position at
    /// which the changes start, and `to` the one up to which they reach. The update then publishes even if no page
    /// changes. Default: all positions stay.
    ///
    /// ```
    /// use sitemap_core::publish::PublishedShards;
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::{Rebucket, Update, UpdateError};
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut publisher = builder.clone().to_storage(storage.clone())?;
    /// publisher.section("posts")?.add("/tea")?;
    /// publisher.finish()?;
    /// Rebucket::new(builder.clone(), 4).run(storage.clone())?;
    ///
    /// let update = Update::new(builder.clone()).position("queue", None, "7");
    /// update.run(storage.clone())?;
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(published.position("posts", "queue"), Some("7"));
    /// // The changes after `None` are no longer the next ones.
    /// assert!(matches!(update.run(storage), Err(UpdateError::OtherPosition { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position(mut self, source: impl Into<String>, from: Option<&str>, to: impl Into<String>) -> Self {
        self.position = Some(Move { source: source.into(), from: from.map(str::to_owned), to: to.into() });
        self
    }

    /// Sets the limits of the feed, or removes the feed of the set with `None`. A set whose updates do not all write the
    /// feed has none, because its feed would lack changes. Default: [`Feed::new`].
    ///
    /// ```
    /// use sitemap_core::publish::{FEED, Feed};
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::{Build, Change, Update};
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// build.run(storage.clone())?;
    ///
    /// let update = |page: &str| {
    ///     let mut update = Update::new(builder.clone());
    ///     update.add(Change::Upsert(Entry::new(Loc::parse(format!("https://example.com{page}"))?)))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(update)
    /// };
    /// let applied = update("/cups")?.run(storage.clone())?;
    /// let feed = applied.summary().and_then(|summary| summary.feed_changes()).unwrap_or_default();
    /// assert_eq!((feed.entries(), feed.cut()), (1, 0));
    ///
    /// let applied = update("/pots")?.feed(Feed::new().max_entries(1)).run(storage.clone())?;
    /// let feed = applied.summary().and_then(|summary| summary.feed_changes()).unwrap_or_default();
    /// assert_eq!((feed.entries(), feed.cut()), (1, 1));
    ///
    /// update("/milk")?.feed(None).run(storage.clone())?;
    /// assert!(storage.get(FEED).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feed(mut self, feed: impl Into<Option<Feed>>) -> Self {
        self.feed = feed.into();
        self
    }

    /// Adds a change. A later change of the same page replaces an earlier one.
    ///
    /// # Errors
    ///
    /// [`UpdateError::OtherSite`] if the site may not list the page. The change is left out, and the update can go on.
    pub fn add(&mut self, change: Change) -> Result<(), UpdateError> {
        let loc = change.loc();
        if !self.builder.site().covers(loc) {
            return Err(UpdateError::OtherSite { loc: loc.to_string() });
        }
        let loc = loc.to_string();
        let entry = match change {
            Change::Upsert(entry) => Some(entry),
            Change::Remove(_) => None,
        };
        self.changes.insert(loc, entry);
        Ok(())
    }

    /// Applies all changes to the published set, in one commit. Publishes nothing if no page changes.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] if the set cannot be published, also if all attempts were overtaken or the set would lose
    /// too many pages, and the other errors if the published set cannot be updated. [`UpdateError::OtherPosition`] if the
    /// set does not have the [position](Self::position) at which the changes start.
    pub fn run(&self, storage: impl Storage + 'static) -> Result<Applied, UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        self.retry.run(|| self.attempt(&storage))
    }

    fn attempt(&self, storage: &Arc<dyn Storage>) -> Result<Applied, UpdateError> {
        let published = PublishedShards::read(storage, self.builder.site())?;
        let section = place::section(&published, self.section.as_deref())?;
        let Some(buckets) = published.buckets(section) else {
            let pages = published.section(section).iter().map(|file| file.urls()).sum();
            let advised = advised_buckets(pages, self.changes.len() as u64);
            return Err(UpdateError::NoBuckets { section: section.to_owned(), advised });
        };
        if let Some(Move { source, from, .. }) = &self.position {
            let found = published.position(section, source);
            if found != from.as_deref() {
                let (source, found) = (source.clone(), found.map(str::to_owned));
                return Err(UpdateError::OtherPosition {
                    source_name: source,
                    expected: from.clone(),
                    found,
                });
            }
        }
        let mut of_buckets: BTreeMap<u32, Vec<OfPage<'_>>> = BTreeMap::new();
        for change in &self.changes {
            of_buckets.entry(bucket_of(change.0, buckets)).or_default().push(change);
        }
        let first = Place::first(section, buckets, &published.section(section));
        let mut counts = Counts::default();
        self.check_shrink(storage, &published, &first, &of_buckets, &mut counts)?;
        let (mut replaced, mut unchanged, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut effective = Vec::new();
        for (bucket, changes) in &of_buckets {
            let place = Place { bucket: *bucket, ..first };
            let mut pages = merge::read(storage, &published, &place, &mut counts)?;
            let of_bucket = merge::merge(&mut pages, changes, &mut counts);
            if of_bucket.is_empty() {
                unchanged.push(*bucket);
                continue;
            }
            let new = bucket::write(&self.builder, storage, &place, &pages)?;
            let old = published.bucket(section, *bucket);
            if old.iter().map(|shard| shard.name()).eq(new.iter().map(ShardRow::name)) {
                unchanged.push(*bucket);
            } else {
                replaced.push(*bucket);
                effective.extend(of_bucket);
                rows.extend(new);
            }
        }
        if replaced.is_empty() && self.position.is_none() {
            return Ok(Applied { counts, ..Applied::default() });
        }
        let mut commit = ShardCommit::new(self.builder.clone())
            .allow_shrink(self.allow_shrink)
            .update(&published, section, replaced)?
            .check_unchanged(&published, unchanged)?
            .changes(counts.added + counts.changed + counts.removed);
        if let Some(Move { source, to, .. }) = &self.position {
            commit = commit.position(section, source, to)?;
        }
        commit = match &self.feed {
            Some(feed) => commit.feed(feed.clone(), effective),
            None => commit.without_feed(),
        };
        if let Some(age) = self.uncommitted_for {
            commit = commit.remove_uncommitted(age);
        }
        commit::publish(commit, rows, counts, storage)
    }

    /// Refuses an update that would lose too many pages, before it writes anything. Only if all removals together would
    /// be too many, reads the buckets once more to count the pages that remain.
    fn check_shrink(
        &self,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        first: &Place<'_>,
        of_buckets: &BTreeMap<u32, Vec<OfPage<'_>>>,
        counts: &mut Counts,
    ) -> Result<(), UpdateError> {
        let urls = |shards: Vec<&PublishedShard>| -> u64 { shards.iter().map(|shard| shard.urls()).sum() };
        let check = |pages| published.check_shrink(&self.builder, first.section, pages, self.allow_shrink);
        let all = urls(published.section(first.section));
        let removals = self.changes.values().filter(|change| change.is_none()).count() as u64;
        if check(all.saturating_sub(removals)).is_ok() {
            return Ok(());
        }
        let (mut after, mut reads) = (all, Counts::default());
        for (bucket, changes) in of_buckets {
            let place = Place { bucket: *bucket, ..*first };
            let mut pages = merge::read(storage, published, &place, &mut reads)?;
            merge::merge(&mut pages, changes, &mut Counts::default());
            after = after - urls(published.bucket(first.section, *bucket)) + pages.len() as u64;
        }
        counts.files_read += reads.files_read;
        counts.bytes_read += reads.bytes_read;
        Ok(check(after)?)
    }
}
