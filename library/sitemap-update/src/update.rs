//! Updates a published set.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use sitemap_core::publish::feed::Feed;
use sitemap_core::publish::{AllowShrink, ShrinkLimit};
use sitemap_core::{Entry, Loc, SitemapSet, Storage};

use crate::applied::Applied;
use crate::change::Change;
use crate::changed_file::{ChangedFile, List};
use crate::error::UpdateError;
use crate::on_unknown::OnUnknown;
use crate::parallel;
use crate::recent::Recent;
use crate::retry::Retry;

/// A batch of changes to a published set, as the [crate's example](crate) shows.
///
/// The update reads the hash buckets of the changed pages, merges the changes into them, rewrites their files and
/// commits. All other files are neither read nor written. If another run changes one of these buckets in the meantime,
/// or holds the set's lock, the update is restarted on the new set.
///
/// The commit also publishes a [`Feed`] of the last days' changes, in the file
/// [`sitemap-changes.atom`](sitemap_core::publish::files::FEED). It lists pages that were added, changed or removed,
/// but not unchanged ones. So applying the same changes twice does not change the feed. A full publication doesn't know
/// which pages it changes, so it does not change the feed either.
///
/// New files have the same format as the published ones. All other settings must match those of the set.
///
/// The changes stay in memory in case the update has to be restarted. A page with a URL and a date takes about 330
/// bytes, so a million changes take about 330 MB, or about 800 MB if all of them have an effect. Split larger batches
/// into several updates. The pages of [up to 16 buckets](Self::at_once) are in memory as well.
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_update::{Change, Rebucket, UpdateSet as _};
///
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut run = builder.clone().storage(storage.clone()).replace()?;
/// run.section("posts")?.add("/tea")?;
/// run.section("shop")?.add("/shop")?;
/// run.commit()?;
/// Rebucket::new(&builder.clone().storage(storage.clone()), 4).section("posts").commit()?;
///
/// let mut update = builder.storage(storage.clone()).update().default_section("posts").attempts(3);
/// update.add(Change::Upsert(Entry::new(Loc::parse("https://example.com/cups")?)))?;
/// assert_eq!(update.commit()?.added(), 1);
/// // The same changes again change nothing.
/// assert_eq!(update.commit()?.unchanged(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is published before `commit`"]
pub struct Update {
    pub(crate) set: SitemapSet,
    pub(crate) section: Option<String>,
    /// The sections that are created if the set does not have them.
    pub(crate) new_sections: BTreeSet<String>,
    /// The last change of each page, by section: the page's entry, or `None` if the page is removed. The key `None`
    /// stands for the update's own section.
    pub(crate) changes: BTreeMap<Option<String>, Changes>,
    /// The number of changes added so far.
    pub(crate) added: u64,
    pub(crate) retry: Retry,
    pub(crate) at_once: usize,
    pub(crate) allow_shrink: Option<AllowShrink>,
    pub(crate) max_removed: ShrinkLimit,
    pub(crate) on_unknown: OnUnknown,
    pub(crate) uncommitted_for: Option<Duration>,
    pub(crate) position: Option<Move>,
    /// The settings of the feed, or `None` to publish no feed.
    pub(crate) feed: Option<Feed>,
    /// The settings of the recent section, or `None` to publish none.
    pub(crate) recent: Option<Recent>,
    pub(crate) keeps_changes: bool,
    pub(crate) changed_file: Option<ChangedFile>,
}

/// The last change of each page of a section.
pub(crate) type Changes = BTreeMap<String, Added>;

/// A change: its sequence number, and the page's entry or `None` if the page is removed.
pub(crate) type Added = (u64, Option<Entry<'static>>);

/// Moves the position of a source of changes.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) source: String,
    pub(crate) from: Option<String>,
    pub(crate) to: String,
}

impl Update {
    /// Creates an update of a site's set, without any changes yet.
    pub fn new(set: &SitemapSet) -> Self {
        Self {
            set: set.clone(),
            section: None,
            new_sections: BTreeSet::new(),
            changes: BTreeMap::new(),
            added: 0,
            retry: Retry::default(),
            at_once: parallel::DEFAULT,
            allow_shrink: None,
            max_removed: ShrinkLimit::OFF,
            on_unknown: OnUnknown::Skip,
            uncommitted_for: None,
            position: None,
            feed: Some(Feed::new()),
            recent: None,
            keeps_changes: false,
            changed_file: None,
        }
    }

    /// Sets the section whose pages change, as in the [example](Self). Use [`add_to`](Self::add_to) to change pages of
    /// other sections. Default: the only section of the set.
    pub fn default_section(mut self, name: impl Into<String>) -> Self {
        self.section = Some(name.into());
        self
    }

    /// Sets how many times the update is attempted if other runs commit first, as in the [example](Self). Default: 20.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.retry.attempts = attempts;
        self
    }

    /// Sets the pause between attempts. Default: 250 ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::UpdateSet as _;
    ///
    /// let update = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).update().pause(Duration::ZERO);
    /// assert!(update.commit().is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn pause(mut self, pause: Duration) -> Self {
        self.retry.pause = pause;
        self
    }

    /// Sets how many hash buckets are read and written at the same time. This speeds up object stores, where each
    /// request takes tens of milliseconds. The files do not depend on this number. If buckets are large, fewer run at
    /// once, with about 200,000 pages in total. Default: 16.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::UpdateSet as _;
    ///
    /// let update = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).update().at_once(1);
    /// assert!(update.commit().is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn at_once(mut self, buckets: usize) -> Self {
        self.at_once = buckets;
        self
    }

    /// Allows this update to shrink the set beyond the [`max_shrink`](sitemap_core::publish::SetOptions::max_shrink) limit. By default,
    /// such an update fails and writes nothing.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::{Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Change, Rebucket, UpdateSet as _};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..200).map(|id| format!("/posts/{id}")))?;
    /// run.commit()?;
    /// Rebucket::new(&builder.clone().storage(storage.clone()), 4).commit()?;
    ///
    /// let mut update = builder.storage(storage.clone()).update();
    /// for id in 0..150 {
    ///     update.add(Change::Remove(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
    /// }
    /// assert!(update.commit().is_err());
    /// assert_eq!(update.allow_shrink(AllowShrink::Smaller).commit()?.removed(), 150);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn allow_shrink(mut self, allow: impl Into<Option<AllowShrink>>) -> Self {
        self.allow_shrink = allow.into();
        self
    }

    /// Sets how many pages the update may remove from the set or from one of its sections, even if it adds as many.
    /// [`max_shrink`](sitemap_core::publish::SetOptions::max_shrink) only limits the net loss, so it does not notice a mistake that
    /// changes the URL of every page. [`allow_shrink`](Self::allow_shrink) lifts this limit too. Default:
    /// [`ShrinkLimit::OFF`].
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, Change, UpdateSet as _};
    ///
    /// let page = |path: &str, id| Loc::parse(format!("https://example.com/{path}/{id}"));
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// for id in 0..200 {
    ///     build.add("posts", Entry::new(page("posts", id)?))?;
    /// }
    /// build.run(storage.clone())?;
    ///
    /// let mut update = builder.storage(storage.clone()).update().max_removed(ShrinkLimit::percent(30));
    /// for id in 0..200 {
    ///     update.add(Change::Remove(page("posts", id)?))?;
    ///     update.add(Change::Upsert(Entry::new(page("post", id)?)))?;
    /// }
    /// assert_eq!(
    ///     update.commit().unwrap_err().to_string(),
    ///     "section `posts` would lose 200 of 200 pages, and the limit is a loss of 30 %, from 100 pages on; check the \
    ///      source of the records, or allow the loss for this run with `allow_shrink(AllowShrink::Smaller)`"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max_removed(mut self, limit: ShrinkLimit) -> Self {
        self.max_removed = limit;
        self
    }

    /// Sets what the update does when asked to remove a page that the set does not list; see the example of
    /// [`OnUnknown`]. Default: [`OnUnknown::Skip`].
    ///
    /// ```
    /// use sitemap_core::{Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Change, OnUnknown, Rebucket, UpdateSet as _};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    /// Rebucket::new(&builder.clone().storage(storage.clone()), 4).commit()?;
    ///
    /// let mut update = builder.storage(storage.clone()).update().on_unknown(OnUnknown::Stop);
    /// update.add(Change::Remove(Loc::parse("https://example.com/pots")?))?;
    /// assert!(update.commit().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_unknown(mut self, on_unknown: OnUnknown) -> Self {
        self.on_unknown = on_unknown;
        self
    }

    /// Also deletes shards that interrupted updates left behind, if they are at least this old; see
    /// [`ShardCommit::remove_uncommitted`](sitemap_core::publish::shards::ShardCommit::remove_uncommitted). By default,
    /// these shards stay.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::UpdateSet as _;
    ///
    /// let update = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).update();
    /// let update = update.remove_uncommitted(Duration::from_secs(24 * 60 * 60));
    /// assert!(update.commit().is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Moves the [position](sitemap_core::publish::shards::ShardCommit::position) of a source of changes in the same
    /// commit. `from` is the position where the changes start, and `to` is where they end. The update then publishes
    /// even if no page changes. By default, all positions stay the same.
    ///
    /// ```
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::{Rebucket, UpdateSet as _, UpdateError};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    /// Rebucket::new(&builder.clone().storage(storage.clone()), 4).commit()?;
    ///
    /// let update = builder.clone().storage(storage.clone()).update().move_position("queue", None, "7");
    /// update.commit()?;
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(published.position("posts", "queue"), Some("7"));
    /// // The changes after `None` are no longer the next ones.
    /// assert!(matches!(update.commit(), Err(UpdateError::OtherPosition { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_position(
        mut self,
        source: impl Into<String>,
        from: Option<&str>,
        to: impl Into<String>,
    ) -> Self {
        self.position = Some(Move { source: source.into(), from: from.map(str::to_owned), to: to.into() });
        self
    }

    /// Sets the limits of the feed, or removes the feed from the set with `None`. An update without a feed has to
    /// remove it, because its own changes would be missing. Default: [`Feed::new`].
    ///
    /// ```
    /// use sitemap_core::publish::feed::Feed;
    /// use sitemap_core::publish::files::FEED;
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, Change, UpdateSet as _};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// build.run(storage.clone())?;
    ///
    /// let update = |page: &str| {
    ///     let mut update = builder.clone().storage(storage.clone()).update();
    ///     update.add(Change::Upsert(Entry::new(Loc::parse(format!("https://example.com{page}"))?)))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(update)
    /// };
    /// let applied = update("/cups")?.commit()?;
    /// let feed = applied.summary().and_then(|summary| summary.feed_changes()).unwrap_or_default();
    /// assert_eq!((feed.entries(), feed.cut()), (1, 0));
    ///
    /// let applied = update("/pots")?.feed(Feed::new().max_entries(1)).commit()?;
    /// let feed = applied.summary().and_then(|summary| summary.feed_changes()).unwrap_or_default();
    /// assert_eq!((feed.entries(), feed.cut()), (1, 1));
    ///
    /// update("/milk")?.feed(None).commit()?;
    /// assert!(storage.get(FEED).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feed(mut self, feed: impl Into<Option<Feed>>) -> Self {
        self.feed = feed.into();
        self
    }

    /// Also writes the recent section: one extra file in the index, which repeats the entries of the most recently
    /// changed pages. The pages stay in their own files, with the same dates. `None` removes the section. Any update or
    /// full publication that does not write the section removes it too, because its entries would be out of date.
    /// Default: `None`.
    ///
    /// The section helps crawlers. If a set is updated often between a crawler's visits, most of its files change, and
    /// the crawler has to fetch nearly all of them. With the recent section, a single file tells it what is new.
    /// Updates don't get cheaper, because the pages are also written to their own files. So choose the number of hash
    /// buckets [first](crate::advised_buckets).
    ///
    /// Entries stay as long as that is cheaper than fetching the files of their pages. When rewriting old entries has
    /// cost as many bytes as the files written since then, the section is folded, which drops the entries from before
    /// the previous fold. [`Applied::recent`] returns their number.
    ///
    /// Updates that write the section cannot commit at the same time. If another update commits first, this one is
    /// restarted.
    ///
    /// ```
    /// use sitemap_core::publish::files::is_recent_file;
    /// use sitemap_core::{Entry, LastMod, Loc, Memory, Site, SitemapSet, Storage as _};
    /// use sitemap_update::{Build, Change, Recent, UpdateSet as _};
    ///
    /// let page = |path: &str, day| {
    ///     let loc = Loc::parse(format!("https://example.com{path}"))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(Entry::new(loc).with_lastmod(LastMod::date(2026, 1, day)?))
    /// };
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", page("/tea", 1)?)?;
    /// build.add("posts", page("/cups", 1)?)?;
    /// build.run(storage.clone())?;
    ///
    /// let mut update = builder.clone().storage(storage.clone()).update().recent(Recent::new());
    /// update.add(Change::Upsert(page("/tea", 31)?))?;
    /// let applied = update.commit()?;
    /// let summary = applied.summary().ok_or("a page has changed")?;
    /// // `/tea` is in two files, and counts once.
    /// assert_eq!((summary.urls(), summary.recent().map(|recent| recent.entries())), (2, Some(1)));
    ///
    /// // A removed page also leaves the section, which is empty now.
    /// let mut update = builder.storage(storage.clone()).update().recent(Recent::new());
    /// update.add(Change::Remove(Loc::parse("https://example.com/tea")?))?;
    /// let applied = update.commit()?;
    /// assert!(applied.summary().ok_or("a page has changed")?.recent().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recent(mut self, recent: impl Into<Option<Recent>>) -> Self {
        self.recent = recent.into();
        self
    }

    /// Sets whether [`Applied::changes`] returns the changes that had an effect. Use it to pass them on, for example to
    /// search engines. Default: `false`, which needs less memory.
    ///
    /// ```
    /// use sitemap_core::publish::feed::FeedChange;
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, Change, UpdateSet as _};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let tea = || Loc::parse("https://example.com/tea");
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(tea()?))?;
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/cups")?))?;
    /// build.run(storage.clone())?;
    ///
    /// let mut update = builder.storage(storage.clone()).update().keep_changes(true);
    /// update.add(Change::Upsert(Entry::new(Loc::parse("https://example.com/cups")?)))?;
    /// update.add(Change::Remove(tea()?))?;
    /// assert_eq!(update.changes().count(), 2);
    /// assert_eq!(update.commit()?.changes(), [FeedChange::Remove(tea()?)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_changes(mut self, keep: bool) -> Self {
        self.keeps_changes = keep;
        self
    }

    /// Appends the changes that had an effect to a file, as the example of [`ChangedFile`] shows. Each change is listed
    /// at least once, even if the process is killed at any moment. [`Applied::changes`] also returns the changes. By
    /// default, no file is written.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, Change, ChangedFile, UpdateSet as _};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tea = || Loc::parse("https://example.com/tea");
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(tea()?))?;
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/cups")?))?;
    /// build.run(storage.clone())?;
    ///
    /// let path = folder.path().join("changed.ndjson");
    /// let mut update = builder.storage(storage.clone()).update().changed_file(ChangedFile::new(&path));
    /// update.add(Change::Remove(tea()?))?;
    /// update.commit()?;
    /// assert_eq!(std::fs::read_to_string(path)?, "{\"op\":\"remove\",\"loc\":\"https://example.com/tea\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changed_file(mut self, file: impl Into<Option<ChangedFile>>) -> Self {
        self.changed_file = file.into();
        self
    }

    /// Returns `true` if the changes that had an effect are needed after the commit.
    pub(crate) fn keeps(&self) -> bool {
        self.keeps_changes || self.changed_file.is_some()
    }

    /// Returns the added changes, grouped by section and sorted by URL: each URL and its new entry, or `None` for a
    /// removal. The example of [`keep_changes`](Self::keep_changes) counts them.
    pub fn changes(&self) -> impl Iterator<Item = (&str, Option<&Entry<'static>>)> {
        self.changes.values().flatten().map(|(loc, (_, entry))| (loc.as_str(), entry.as_ref()))
    }

    /// Adds a change. It replaces any earlier change of the same page.
    ///
    /// # Errors
    ///
    /// [`UpdateError::OtherSite`] if the site may not list the page. The change is skipped, and you can go on adding
    /// changes.
    pub fn add(&mut self, change: Change) -> Result<(), UpdateError> {
        self.insert(None, change)
    }

    /// Adds changes from an iterator, which may read them from a file or a queue. For an async stream, call
    /// [`add`](Self::add) for each change as it arrives.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, Change, UpdateSet as _, UpdateError};
    ///
    /// let page = |path: String| Loc::parse(format!("https://example.com{path}"));
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(page("/1".into())?))?;
    /// build.run(storage.clone())?;
    ///
    /// let mut update = builder.storage(storage.clone()).update();
    /// let pages = (2..=100).map(|id| page(format!("/{id}"))).collect::<Result<Vec<_>, _>>()?;
    /// update.add_all(pages.into_iter().map(|page| Change::Upsert(Entry::new(page))))?;
    /// assert_eq!(update.commit()?.added(), 99);
    ///
    /// // The changes before the first one of another site are added.
    /// let mut update = SitemapSet::builder(Site::new("https://example.org")?).storage(Memory::new()).update();
    /// let changes = ["https://example.org/1", "https://example.com/2", "https://example.org/3"];
    /// let changes = changes.map(|page| Ok(Change::Remove(Loc::parse(page)?)));
    /// let added = update.add_all(changes.into_iter().collect::<Result<Vec<_>, sitemap_core::Error>>()?);
    /// assert!(matches!(added, Err(UpdateError::OtherSite { .. })));
    /// assert_eq!(update.changes().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the first change that cannot be added. The iterator is not advanced any further.
    pub fn add_all(&mut self, changes: impl IntoIterator<Item = Change>) -> Result<(), UpdateError> {
        changes.into_iter().try_for_each(|change| self.add(change))
    }

    /// Adds a change to a page of another section. The changes of all sections are published in one commit. The section
    /// must already exist in the set, with hash buckets.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, Change, UpdateSet as _};
    ///
    /// let page = |path: &str| Loc::parse(format!("https://example.com{path}"));
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(page("/posts/tea")?))?;
    /// build.add("shop", Entry::new(page("/shop/tea")?))?;
    /// build.run(storage.clone())?;
    ///
    /// let mut update = builder.storage(storage.clone()).update();
    /// update.add_to("posts", Change::Upsert(Entry::new(page("/posts/cups")?)))?;
    /// update.add_to("shop", Change::Upsert(Entry::new(page("/shop/cups")?)))?;
    /// let applied = update.commit()?;
    /// assert_eq!(applied.summary().map(|summary| summary.urls()), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`add`](Self::add).
    pub fn add_to(&mut self, section: &str, change: Change) -> Result<(), UpdateError> {
        let section = Some(section.to_owned()).filter(|section| self.section.as_ref() != Some(section));
        self.insert(section, change)
    }

    fn insert(&mut self, section: Option<String>, change: Change) -> Result<(), UpdateError> {
        let loc = change.loc();
        if !self.set.site().covers(loc) {
            return Err(UpdateError::OtherSite { loc: loc.to_string() });
        }
        let loc = loc.to_string();
        let entry = match change {
            Change::Upsert(entry) => Some(entry),
            Change::Remove(_) => None,
        };
        self.changes.entry(section).or_default().insert(loc, (self.added, entry));
        self.added += 1;
        Ok(())
    }

    /// Returns the last change of a page in the section with this name or, without a name, in the update's own section.
    /// Use it to detect conflicting changes when their order is unknown.
    ///
    /// ```
    /// use sitemap_core::{Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Change, UpdateSet as _};
    ///
    /// let mut update = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).update();
    /// let page = Loc::parse("https://example.com/tea")?;
    /// assert_eq!(update.change(None, &page), None);
    /// update.add(Change::Remove(page.clone()))?;
    /// assert_eq!(update.change(None, &page), Some(Change::Remove(page.clone())));
    /// assert_eq!(update.change(Some("shop"), &page), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn change(&self, section: Option<&str>, page: &Loc<'static>) -> Option<Change> {
        let section = section.map(str::to_owned).filter(|section| self.section.as_ref() != Some(section));
        let (_, change) = self.changes.get(&section)?.get(page.as_str())?;
        Some(change.clone().map_or_else(|| Change::Remove(page.clone()), Change::Upsert))
    }

    /// Applies all changes to the published set, in one commit. Publishes nothing if no page changes.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] if the set cannot be published, for example because other runs committed first in all
    /// attempts, or because the set would lose too many pages. The other errors mean that the published set cannot be
    /// updated. [`UpdateError::OtherPosition`] if the set does not have the [position](Self::move_position) where the
    /// changes start. [`UpdateError::Publish`] also if the [file of changes](Self::changed_file) cannot be written. If
    /// this happens after the commit, the next run adds the changes.
    pub fn commit(&self) -> Result<Applied, UpdateError> {
        self.commit_to(Arc::clone(self.set.storage()))
    }

    /// Applies all changes like [`commit`](Self::commit), but to a copy of the set in other storage.
    ///
    /// # Errors
    ///
    /// The same as for [`commit`](Self::commit).
    pub fn commit_to(&self, storage: impl Storage + 'static) -> Result<Applied, UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        let mut converted = Vec::new();
        let mut result = match &self.changed_file {
            None => self.retry.run(|| self.attempt(&storage, &mut converted)),
            Some(file) => {
                let mut list = List::open(file.path())?;
                list.recover(&*storage)?;
                let result = self.retry.run(|| {
                    list.announce(self.changes(), &*storage)?;
                    self.attempt(&storage, &mut converted)
                });
                list.finish(result)
            }
        };
        if let Ok(applied) = &mut result {
            applied.converted = converted;
        }
        result
    }
}

impl From<SitemapSet> for Update {
    /// Starts an update with the default settings.
    fn from(set: SitemapSet) -> Self {
        Self::new(&set)
    }
}
