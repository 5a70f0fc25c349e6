//! Moves a section's pages to a different number of hash buckets.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sitemap_core::publish::shards::{PublishedShard, PublishedShards, ShardCommit, ShardRow, bucket_of};
use sitemap_core::{SitemapSet, Storage, threads};

use crate::applied::{Applied, Counts};
use crate::bucket::{self, Pages};
use crate::commit;
use crate::error::UpdateError;
use crate::file;
use crate::parallel;
use crate::place::{self, Place};
use crate::retry::Retry;
use crate::spool::{self, Spool};

/// Moves a section's pages to a different number of hash buckets, as the [crate's example](crate) shows. The
/// first [update](crate::Update) of a section without hash buckets does the same, with a number for small changes.
///
/// With more buckets, an update is cheaper, but the set has more files. Search engines advise against moving pages
/// between files, so do this rarely.
///
/// ```
/// use sitemap_core::publish::shards::PublishedShards;
/// use sitemap_core::{Memory, Site, SitemapSet};
/// use sitemap_update::Rebucket;
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut run = SitemapSet::builder(site.clone()).storage(storage.clone()).replace()?;
/// run.section("posts")?.add_all(["/tea", "/cups"])?;
/// run.commit()?;
///
/// let done = Rebucket::new(&SitemapSet::builder(site.clone()).storage(storage.clone()), 40).commit()?;
/// assert_eq!((done.files_read(), done.files_written()), (1, 2));
/// assert_eq!(PublishedShards::read(&storage, &site)?.buckets("posts"), Some(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is published before `commit`"]
pub struct Rebucket {
    set: SitemapSet,
    section: Option<String>,
    buckets: u32,
    pages_in_memory: usize,
    temporary: Option<Arc<dyn Storage>>,
    uncommitted_for: Option<Duration>,
    at_once: usize,
    retry: Retry,
}

impl Rebucket {
    /// Creates a run that moves pages to this number of hash buckets.
    pub fn new(set: &SitemapSet, buckets: u32) -> Self {
        Self {
            set: set.clone(),
            section: None,
            buckets,
            pages_in_memory: 500_000,
            temporary: None,
            uncommitted_for: None,
            at_once: parallel::DEFAULT,
            retry: Retry::default(),
        }
    }

    /// Sets the section. Default: the only section of the set.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.section("shop")?.add("/shop")?;
    /// run.commit()?;
    /// let error = Rebucket::new(&builder.clone().storage(storage.clone()), 40).commit().unwrap_err();
    /// assert_eq!(error.to_string(), "the published set has the sections `posts`, `shop`; name one of them");
    /// Rebucket::new(&builder.storage(storage.clone()), 40).section("posts").commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn section(mut self, name: impl Into<String>) -> Self {
        self.section = Some(name.into());
        self
    }

    /// Sets approximately how many pages are in memory at once. If the section has more pages, its files are read
    /// several times, or the pages are kept in [temporary files](Self::temporary). Default: 500,000.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..100).map(|id| format!("/{id}")))?;
    /// run.commit()?;
    /// let done = Rebucket::new(&builder.storage(storage.clone()), 10).pages_in_memory(25).commit()?;
    /// assert_eq!((done.files_read(), done.files_written()), (4, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pages_in_memory(mut self, pages: usize) -> Self {
        self.pages_in_memory = pages.max(1);
        self
    }

    /// Sets the storage for temporary files, such as a [`Directory`](sitemap_core::Directory). The section's files are
    /// then read only once, no matter how many pages there are. Memory use grows with
    /// [`pages_in_memory`](Self::pages_in_memory), plus 1/64 of all pages. Default: no temporary files.
    ///
    /// `storage` must be empty, and nothing else may use it. It is empty again after the run, even if the run fails.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet, Storage as _};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, temporary) = (Memory::new(), Memory::new());
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?);
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..100).map(|id| format!("/{id}")))?;
    /// run.commit()?;
    /// let rebucket = Rebucket::new(&builder.storage(storage.clone()), 10).pages_in_memory(25).temporary(temporary.clone());
    /// let done = rebucket.commit()?;
    /// assert_eq!((done.files_read(), done.files_written()), (1, 10));
    /// assert_eq!(temporary.list()?.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn temporary(mut self, storage: impl Storage + 'static) -> Self {
        self.temporary = Some(Arc::new(storage));
        self
    }

    /// Also deletes shards that interrupted runs of this section left behind, if they are at least this old; see
    /// [`ShardCommit::remove_uncommitted`]. By default, these shards stay.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Site, SitemapSet, Storage as _};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut interrupted = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// interrupted.add(0, "/old-tea")?;
    /// let row = interrupted.finish()?.into_rows().remove(0);
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    ///
    /// Rebucket::new(&builder.storage(storage.clone()), 4).remove_uncommitted(Duration::ZERO).commit()?;
    /// assert!(!storage.list()?.contains(&row.name().to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Sets how many files are read, and how many hash buckets are written, at the same time. This speeds up object
    /// stores, where each request takes tens of milliseconds. The files do not depend on this number. If buckets are
    /// large, fewer run at once, with about 200,000 pages in total. Default: 16.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..100).map(|id| format!("/{id}")))?;
    /// run.commit()?;
    /// assert_eq!(Rebucket::new(&builder.storage(storage.clone()), 10).at_once(1).commit()?.files_written(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_once(mut self, buckets: usize) -> Self {
        self.at_once = buckets;
        self
    }

    /// Sets how many times the run is attempted if other runs commit first. Default: 20.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::Rebucket;
    ///
    /// let rebucket = Rebucket::new(&SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()), 40);
    /// assert!(rebucket.attempts(2).pause(Duration::ZERO).commit().is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.retry.attempts = attempts;
        self
    }

    /// Sets the pause between attempts; see the example of [`attempts`](Self::attempts). Default: 250 ms.
    pub fn pause(mut self, pause: Duration) -> Self {
        self.retry.pause = pause;
        self
    }

    /// Reads all pages of the section, writes them to the new buckets, and publishes the set.
    ///
    /// # Errors
    ///
    /// The same as for [`Update::commit`](crate::Update::commit). The published set does not change until the commit.
    pub fn commit(&self) -> Result<Applied, UpdateError> {
        self.commit_to(Arc::clone(self.set.storage()))
    }

    /// Rewrites the section like [`commit`](Self::commit), but in a copy of the set in other storage.
    ///
    /// # Errors
    ///
    /// The same as for [`commit`](Self::commit).
    pub fn commit_to(&self, storage: impl Storage + 'static) -> Result<Applied, UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        self.retry.run(|| self.attempt(&storage))
    }

    pub(crate) fn attempt(&self, storage: &Arc<dyn Storage>) -> Result<Applied, UpdateError> {
        let published = PublishedShards::read(storage, self.set.site())?;
        let section = place::section(&published, self.section.as_deref())?;
        let files = published.section(section);
        let first = Place::first(&published, section, self.buckets);
        let mut counts = Counts::default();
        let rows = match &self.temporary {
            Some(temporary) => {
                let rows = self.once(storage, &files, &first, temporary, &mut counts);
                // The storage must be empty before the next attempt.
                spool::clear(&**temporary);
                rows?
            }
            None => self.in_passes(storage, &files, &first, &mut counts)?,
        };
        let replacement = ShardCommit::new(place::of_indexes(self.set.options(), &published))
            .replace_section(&published, section);
        // No page changes, so the entries in the recent section are still correct.
        let mut replacement = replacement.keep_recent();
        if let Some(age) = self.uncommitted_for {
            replacement = replacement.remove_uncommitted(age);
        }
        commit::publish(replacement, rows, counts, storage)
    }

    /// Reads each file once. Pages that don't fit into memory go to temporary files.
    fn once(
        &self,
        storage: &Arc<dyn Storage>,
        files: &[&PublishedShard],
        first: &Place<'_>,
        temporary: &Arc<dyn Storage>,
        counts: &mut Counts,
    ) -> Result<Vec<ShardRow>, UpdateError> {
        let site = self.set.site().clone();
        let mut spool = Spool::new(first.section, self.buckets, site, Arc::clone(temporary), 0);
        let mut in_memory = 0;
        file::visit_all(storage, files, self.at_once, counts, |entry| {
            spool.add(entry);
            in_memory += 1;
            if in_memory < self.pages_in_memory {
                return Ok(());
            }
            in_memory = 0;
            spool.flush()
        })?;
        let mut rows = Vec::new();
        for part in spool.take_parts() {
            let (of_buckets, duplicates) = spool.read(part)?;
            counts.duplicates += duplicates;
            self.write(storage, first, of_buckets, &mut rows)?;
        }
        Ok(rows)
    }

    /// Reads each file as often as needed. Each pass keeps only the pages of some buckets in memory.
    fn in_passes(
        &self,
        storage: &Arc<dyn Storage>,
        files: &[&PublishedShard],
        first: &Place<'_>,
        counts: &mut Counts,
    ) -> Result<Vec<ShardRow>, UpdateError> {
        let pages: u64 = files.iter().map(|file| file.urls()).sum();
        let passes = u32::try_from(pages.div_ceil(self.pages_in_memory as u64)).unwrap_or(u32::MAX);
        let per_pass = self.buckets.div_ceil(passes.max(1)).max(1);
        let (mut rows, mut start) = (Vec::new(), 0);
        while start < self.buckets {
            let end = start.saturating_add(per_pass).min(self.buckets);
            let mut of_buckets: BTreeMap<u32, Pages> = BTreeMap::new();
            let mut duplicates = 0;
            file::visit_all(storage, files, self.at_once, counts, |entry| {
                let loc = entry.loc().to_string();
                let bucket = bucket_of(&loc, self.buckets);
                if (start..end).contains(&bucket) {
                    let pages = of_buckets.entry(bucket).or_default();
                    duplicates += u64::from(pages.insert(loc, entry).is_some());
                }
                Ok(())
            })?;
            counts.duplicates += duplicates;
            self.write(storage, first, of_buckets, &mut rows)?;
            start = end;
        }
        Ok(rows)
    }

    fn write(
        &self,
        storage: &Arc<dyn Storage>,
        first: &Place<'_>,
        of_buckets: BTreeMap<u32, Pages>,
        rows: &mut Vec<ShardRow>,
    ) -> Result<(), UpdateError> {
        let written = threads::map(self.at_once, of_buckets, |(bucket, pages)| {
            bucket::write(self.set.options(), storage, &Place { bucket, ..*first }, &pages)
        })?;
        rows.extend(written.into_iter().flatten());
        Ok(())
    }
}
