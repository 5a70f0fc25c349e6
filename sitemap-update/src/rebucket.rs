//! Moves the pages of a section to another number of hash buckets.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sitemap_core::Storage;
use sitemap_core::publish::{PublishedShards, PublisherBuilder, ShardCommit, bucket_of};

use crate::applied::{Applied, Counts};
use crate::bucket::{self, Pages};
use crate::commit;
use crate::error::UpdateError;
use crate::file;
use crate::place::{self, Place};
use crate::retry::Retry;

/// Moves the pages of a section to another number of hash buckets, as the [crate's example](crate) shows. Only sets with
/// hash buckets can be [updated](crate::Update).
///
/// More buckets make an update cheaper, and the set has more files. Search engines advise against moving pages between
/// files, so do this rarely.
///
/// ```
/// use sitemap_core::publish::PublishedShards;
/// use sitemap_core::{Memory, Publisher, Site};
/// use sitemap_update::Rebucket;
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut publisher = Publisher::builder(site.clone()).to_storage(storage.clone())?;
/// publisher.section("posts")?.add_all(["/tea", "/cups"])?;
/// publisher.finish()?;
///
/// let done = Rebucket::new(Publisher::builder(site.clone()), 40).run(storage.clone())?;
/// assert_eq!((done.files_read(), done.files_written()), (1, 2));
/// assert_eq!(PublishedShards::read(&storage, &site)?.buckets("posts"), Some(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is published before `run`"]
pub struct Rebucket {
    builder: PublisherBuilder,
    section: Option<String>,
    buckets: u32,
    pages_in_memory: u64,
    retry: Retry,
}

impl Rebucket {
    /// Starts to move pages to this number of hash buckets.
    pub fn new(builder: PublisherBuilder, buckets: u32) -> Self {
        Self { builder, section: None, buckets, pages_in_memory: 500_000, retry: Retry::default() }
    }

    /// Sets the section. Default: the only section of the set.
    ///
    /// ```
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut publisher = builder.clone().to_storage(storage.clone())?;
    /// publisher.section("posts")?.add("/tea")?;
    /// publisher.section("shop")?.add("/shop")?;
    /// publisher.finish()?;
    /// let error = Rebucket::new(builder.clone(), 40).run(storage.clone()).unwrap_err();
    /// assert_eq!(error.to_string(), "the published set has the sections `posts`, `shop`; name one of them");
    /// Rebucket::new(builder, 40).section("posts").run(storage)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn section(mut self, name: impl Into<String>) -> Self {
        self.section = Some(name.into());
        self
    }

    /// Sets about how many pages are in memory at the same time. If the section has more, its files are read several
    /// times. Default: 500,000.
    ///
    /// ```
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::Rebucket;
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut publisher = builder.clone().to_storage(storage.clone())?;
    /// publisher.section("posts")?.add_all((0..100).map(|id| format!("/{id}")))?;
    /// publisher.finish()?;
    /// let done = Rebucket::new(builder, 10).pages_in_memory(25).run(storage)?;
    /// assert_eq!((done.files_read(), done.files_written()), (4, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pages_in_memory(mut self, pages: u64) -> Self {
        self.pages_in_memory = pages.max(1);
        self
    }

    /// Sets how often the run is tried if other runs are quicker, and the pause between two attempts. Default: 20 times,
    /// 250 ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::Rebucket;
    ///
    /// let builder = Publisher::builder(Site::new("https://example.com")?);
    /// assert!(Rebucket::new(builder, 40).attempts(2, Duration::ZERO).run(Memory::new()).is_err());
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn attempts(mut self, attempts: u32, pause: Duration) -> Self {
        self.retry = Retry { attempts, pause };
        self
    }

    /// Reads all pages of the section, writes them again and publishes the set.
    ///
    /// # Errors
    ///
    /// The same as for [`Update::run`](crate::Update::run). Until the commit, the published set stays as it is.
    pub fn run(&self, storage: impl Storage + 'static) -> Result<Applied, UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        self.retry.run(|| self.attempt(&storage))
    }

    fn attempt(&self, storage: &Arc<dyn Storage>) -> Result<Applied, UpdateError> {
        let published = PublishedShards::read(storage, self.builder.site())?;
        let section = place::section(&published, self.section.as_deref())?;
        let files = published.section(section);
        let first = Place::first(section, self.buckets, &files);
        let pages: u64 = files.iter().map(|file| file.urls()).sum();
        let passes = u32::try_from(pages.div_ceil(self.pages_in_memory)).unwrap_or(u32::MAX);
        let per_pass = self.buckets.div_ceil(passes.max(1)).max(1);
        let (mut counts, mut rows) = (Counts::default(), Vec::new());
        let mut start = 0;
        while start < self.buckets {
            let end = start.saturating_add(per_pass).min(self.buckets);
            let mut of_buckets: BTreeMap<u32, Pages> = BTreeMap::new();
            for file in &files {
                let mut duplicates = 0;
                file::visit(storage, file, &mut counts, |entry| {
                    let loc = entry.loc().to_string();
                    let bucket = bucket_of(&loc, self.buckets);
                    if (start..end).contains(&bucket) {
                        let pages = of_buckets.entry(bucket).or_default();
                        duplicates += u64::from(pages.insert(loc, entry).is_some());
                    }
                    Ok(())
                })?;
                counts.duplicates += duplicates;
            }
            for (bucket, pages) in of_buckets {
                let place = Place { bucket, ..first };
                rows.extend(bucket::write(&self.builder, storage, &place, &pages)?);
            }
            start = end;
        }
        let replacement = ShardCommit::new(self.builder.clone()).replace_section(&published, section);
        commit::publish(replacement, rows, counts, storage)
    }
}
