//! A full publication of a set with hash buckets.

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use sitemap_core::publish::{
    AllowShrink, OnInvalid, PublishErrorKind, PublishedShards, PublisherBuilder, ShardCommit, ShardRow,
};
use sitemap_core::{Entry, Site, Storage};

use crate::applied::{Applied, Counts};
use crate::at_once;
use crate::bucket;
use crate::error::UpdateError;
use crate::place::Place;
use crate::spool::{Part, Spool};

/// Publishes all pages of a set in hash buckets, so that an [`Update`](crate::Update) can change it later.
///
/// Pages may be added in any order. The set has the same files as a set that is published without buckets and then
/// [moved to them](crate::Rebucket). If a page is added to a section more than once, the last entry counts.
///
/// Memory grows with [`pages_in_memory`](Self::pages_in_memory), and with a 64th of the pages. The other pages wait in a
/// storage for temporary files, such as a [`Directory`](sitemap_core::Directory).
///
/// ```
/// use sitemap_core::publish::PublishedShards;
/// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
/// use sitemap_update::Build;
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut build = Build::new(Publisher::builder(site.clone()), 40, Memory::new());
/// for id in 0..1000 {
///     build.add("posts", Entry::new(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
/// }
/// let built = build.run(storage.clone())?;
/// assert_eq!(built.files_written(), 40);
/// assert_eq!(built.summary().map(|summary| summary.urls()), Some(1000));
/// assert_eq!(PublishedShards::read(&storage, &site)?.buckets("posts"), Some(40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is published before `run`"]
pub struct Build {
    builder: PublisherBuilder,
    buckets: u32,
    temporary: Arc<dyn Storage>,
    sections: Vec<Spool>,
    in_memory: usize,
    pages_in_memory: usize,
    threads: usize,
    at_once: usize,
    skipped: u64,
    allow_shrink: Option<AllowShrink>,
    uncommitted_for: Option<Duration>,
    /// Section, source and position.
    positions: Vec<[String; 3]>,
    /// Section, source, and the position that the published set must have.
    expected_positions: Vec<(String, String, Option<String>)>,
}

impl Build {
    /// Starts to collect the pages of a set. Each section has this number of hash buckets.
    ///
    /// `temporary` must be empty, and only this value may use it.
    pub fn new(builder: PublisherBuilder, buckets: u32, temporary: impl Storage + 'static) -> Self {
        Self {
            // What `add` accepts must not be dropped later.
            builder: builder.on_invalid(OnInvalid::Stop),
            buckets,
            temporary: Arc::new(temporary),
            sections: Vec::new(),
            in_memory: 0,
            pages_in_memory: 200_000,
            threads: 1,
            at_once: at_once::DEFAULT,
            skipped: 0,
            allow_shrink: None,
            uncommitted_for: None,
            positions: Vec::new(),
            expected_positions: Vec::new(),
        }
    }

    /// Returns a run with the same settings, and without pages and positions. It uses the same storage for temporary
    /// files, so add pages to it only when this run has ended.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::Build;
    ///
    /// let mut build = Build::new(Publisher::builder(Site::new("https://example.com")?), 4, Memory::new());
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// assert!(!build.is_empty());
    /// assert!(build.without_pages().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_pages(&self) -> Self {
        Self {
            builder: self.builder.clone(),
            buckets: self.buckets,
            temporary: Arc::clone(&self.temporary),
            sections: Vec::new(),
            in_memory: 0,
            pages_in_memory: self.pages_in_memory,
            threads: self.threads,
            at_once: self.at_once,
            skipped: 0,
            allow_shrink: self.allow_shrink,
            uncommitted_for: self.uncommitted_for,
            positions: Vec::new(),
            expected_positions: Vec::new(),
        }
    }

    /// Returns the site of the set.
    ///
    /// ```
    /// use sitemap_core::{Memory, Publisher, Site};
    /// use sitemap_update::Build;
    ///
    /// let build = Build::new(Publisher::builder(Site::new("https://example.com")?), 4, Memory::new());
    /// assert_eq!(build.site().base(), "https://example.com/");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    #[must_use]
    pub fn site(&self) -> &Site {
        self.builder.site()
    }

    /// Returns `true` if no page was added, as in the example of [`without_pages`](Self::without_pages).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Sets the number of pages from which on pages are moved to the storage for temporary files. Default: 200,000.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site, Storage as _};
    /// use sitemap_update::Build;
    ///
    /// let temporary = Memory::new();
    /// let builder = Publisher::builder(Site::new("https://example.com")?);
    /// let mut build = Build::new(builder, 40, temporary.clone()).pages_in_memory(2);
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// assert_eq!(temporary.list()?.len(), 0);
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/cups")?))?;
    /// assert_ne!(temporary.list()?.len(), 0);
    /// build.run(Memory::new())?;
    /// assert_eq!(temporary.list()?.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pages_in_memory(mut self, pages: usize) -> Self {
        self.pages_in_memory = pages.max(1);
        self
    }

    /// Sets the number of threads that write the files. Each has the pages of a 64th of the buckets in memory. The files
    /// are the same for any number of threads. Default: 1.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site, Storage as _};
    /// use sitemap_update::Build;
    ///
    /// let files = |threads| {
    ///     let storage = Memory::new();
    ///     let builder = Publisher::builder(Site::new("https://example.com")?);
    ///     let mut build = Build::new(builder, 100, Memory::new()).threads(threads);
    ///     for id in 0..500 {
    ///         build.add("posts", Entry::new(Loc::parse(format!("https://example.com/{id}"))?))?;
    ///     }
    ///     build.run(storage.clone())?;
    ///     let mut names = storage.list()?;
    ///     names.sort();
    ///     Ok::<_, Box<dyn std::error::Error>>(names)
    /// };
    /// assert_eq!(files(1)?, files(4)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets how many hash buckets are written at the same time, because an object store takes tens of milliseconds for
    /// each request. The files are the same for any number. Default: 16,
    /// divided among the [threads](Self::threads).
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::Build;
    ///
    /// let mut build = Build::new(Publisher::builder(Site::new("https://example.com")?), 40, Memory::new()).at_once(1);
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// assert_eq!(build.run(Memory::new())?.files_written(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_once(mut self, buckets: usize) -> Self {
        self.at_once = buckets;
        self
    }

    /// Allows this run to shrink the published set beyond the limit of
    /// [`max_shrink`](PublisherBuilder::max_shrink). Default: such a run ends with an error.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let publish = |pages, allow: Option<AllowShrink>| {
    ///     let mut build = Build::new(builder.clone(), 4, Memory::new()).allow_shrink(allow);
    ///     for id in 0..pages {
    ///         build.add("posts", Entry::new(Loc::parse(format!("https://example.com/{id}")).unwrap())).unwrap();
    ///     }
    ///     build.run(storage.clone())
    /// };
    /// publish(200, None)?;
    /// assert!(publish(50, None).is_err());
    /// publish(50, Some(AllowShrink::Smaller))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn allow_shrink(mut self, allow: impl Into<Option<AllowShrink>>) -> Self {
        self.allow_shrink = allow.into();
        self
    }

    /// Makes the run also remove shards of interrupted runs that are at least this old, as
    /// [`ShardCommit::remove_uncommitted`] does. A run that ends with an error while it writes leaves its files, because
    /// another run may use files with the same pages. Default: they stay.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site, Storage as _};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut interrupted = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// interrupted.add(0, "/old-tea")?;
    /// let row = interrupted.finish()?.into_rows().remove(0);
    ///
    /// let mut build = Build::new(builder, 1, Memory::new()).remove_uncommitted(Duration::ZERO);
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// build.run(storage.clone())?;
    /// assert!(!storage.list()?.contains(&row.name().to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Records up to where the pages of a section contain the changes of a source; see [`ShardCommit::position`]. Default:
    /// the section has no position.
    ///
    /// ```
    /// use sitemap_core::publish::PublishedShards;
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new()).position("posts", "queue", "7");
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// build.run(storage.clone())?;
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(published.position("posts", "queue"), Some("7"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position(
        mut self,
        section: impl Into<String>,
        source: impl Into<String>,
        position: impl Into<String>,
    ) -> Self {
        self.positions.push([section.into(), source.into(), position.into()]);
        self
    }

    /// Makes the run end with the error [`Overtaken`](sitemap_core::publish::PublishErrorKind::Overtaken) if another run
    /// has moved the position of a source since its pages were read; see [`ShardCommit::if_position`]. Default: any
    /// position.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::{Build, Update};
    ///
    /// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
    /// let build = |before: Option<&str>, position: &str| {
    ///     let build = Build::new(builder.clone(), 4, Memory::new());
    ///     let mut build = build.if_position("posts", "queue", before).position("posts", "queue", position);
    ///     build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(build)
    /// };
    /// build(None, "7")?.run(storage.clone())?;
    /// let slow = build(Some("7"), "8")?;
    /// Update::new(builder.clone()).position("queue", Some("7"), "9").run(storage.clone())?;
    /// assert!(slow.run(storage).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn if_position(
        mut self,
        section: impl Into<String>,
        source: impl Into<String>,
        position: Option<&str>,
    ) -> Self {
        self.expected_positions.push((section.into(), source.into(), position.map(str::to_owned)));
        self
    }

    /// Adds a page to a section.
    ///
    /// # Errors
    ///
    /// [`UpdateError::OtherSite`] if the site may not list the page. The page is left out, and the run can go on.
    /// [`UpdateError::Publish`] if the temporary files cannot be written.
    pub fn add(&mut self, section: &str, page: Entry<'static>) -> Result<(), UpdateError> {
        if !self.builder.site().covers(page.loc()) {
            return Err(UpdateError::OtherSite { loc: page.loc().to_string() });
        }
        self.section(section).add(page);
        self.in_memory += 1;
        if self.in_memory >= self.pages_in_memory {
            self.sections.iter_mut().try_for_each(Spool::flush)?;
            self.in_memory = 0;
        }
        Ok(())
    }

    /// Counts an invalid page that the caller has left out, for the [summary](sitemap_core::Summary::skipped).
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
    /// use sitemap_update::Build;
    ///
    /// let mut build = Build::new(Publisher::builder(Site::new("https://example.com")?), 4, Memory::new());
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// build.count_skipped();
    /// let built = build.run(Memory::new())?;
    /// assert_eq!(built.summary().map(|summary| summary.skipped()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_skipped(&mut self) {
        self.skipped += 1;
    }

    fn section(&mut self, name: &str) -> &mut Spool {
        let found = self.sections.iter().position(|spool| spool.section() == name);
        let index = found.unwrap_or_else(|| {
            let (site, temporary) = (self.builder.site().clone(), Arc::clone(&self.temporary));
            self.sections.push(Spool::new(name, self.buckets, site, temporary, self.sections.len()));
            self.sections.len() - 1
        });
        &mut self.sections[index]
    }

    /// Writes the files of all buckets, and publishes them as the new set. A run that would lose too many pages is refused
    /// before it writes a file, unless only its repeated pages make the difference.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] as for [`ShardCommit::publish`]. Until the commit, the published set stays as it is.
    pub fn run(mut self, storage: impl Storage + 'static) -> Result<Applied, UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        self.check_shrink(&*storage)?;
        let mut commit =
            ShardCommit::new(self.builder.clone()).allow_shrink(self.allow_shrink).skipped(self.skipped);
        for [section, source, position] in &self.positions {
            commit = commit.position(section, source, position)?;
        }
        for (section, source, position) in &self.expected_positions {
            commit = commit.if_position(section, source, position.as_deref());
        }
        if let Some(age) = self.uncommitted_for {
            commit = commit.remove_uncommitted(age);
        }
        let mut counts = Counts::default();
        for mut spool in std::mem::take(&mut self.sections) {
            let parts = spool.take_parts();
            let (rows, duplicates) = self.write(&spool, parts, &storage)?;
            counts.duplicates += duplicates;
            counts.files_written += rows.len() as u64;
            counts.bytes_written += rows.iter().map(ShardRow::stored_bytes).sum::<u64>();
            rows.into_iter().try_for_each(|row| commit.add(row))?;
        }
        let summary = Some(commit.publish(storage)?);
        Ok(Applied { counts, summary, ..Applied::default() })
    }

    /// Refuses a run that would lose too many pages, even if no page is repeated. If the manifest cannot be used, only the
    /// commit knows the number of published pages.
    fn check_shrink(&self, storage: &dyn Storage) -> Result<(), UpdateError> {
        let published = match PublishedShards::read(storage, self.builder.site()) {
            Err(error) if matches!(error.kind(), PublishErrorKind::CannotKeep { .. }) => return Ok(()),
            read => read?,
        };
        let sections = self.sections.iter().map(|spool| (spool.section(), spool.added()));
        let sections: Vec<_> = sections.filter(|(_, added)| *added > 0).collect();
        if sections.is_empty() {
            // The commit reports the empty set.
            return Ok(());
        }
        Ok(published.check_publication(&self.builder, sections, self.skipped, self.allow_shrink)?)
    }

    /// Writes the parts of a section, several at once. Returns the rows of all files, and the number of repeated pages.
    fn write(
        &self,
        spool: &Spool,
        parts: Vec<Part>,
        storage: &Arc<dyn Storage>,
    ) -> Result<(Vec<ShardRow>, u64), UpdateError> {
        let parts = Mutex::new(parts.into_iter());
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let write = || {
            let (mut rows, mut duplicates) = (Vec::new(), 0);
            while let Some(part) = next() {
                let (of_buckets, repeated) = spool.read(part)?;
                duplicates += repeated;
                let of_buckets: Vec<_> = of_buckets.into_iter().collect();
                let written = at_once::map(&of_buckets, self.at_once / self.threads, |(bucket, pages)| {
                    let place = Place::new(spool.section(), self.buckets, *bucket);
                    bucket::write(&self.builder, storage, &place, pages)
                })?;
                rows.extend(written.into_iter().flatten());
            }
            Ok((rows, duplicates))
        };
        let mut outcomes: Vec<Result<(Vec<ShardRow>, u64), UpdateError>> = thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(write)).collect();
            let mut outcomes = vec![write()];
            outcomes.extend(
                others
                    .into_iter()
                    .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            );
            outcomes
        });
        let (mut rows, mut duplicates) = (Vec::new(), 0);
        for outcome in outcomes.drain(..) {
            let (of_thread, repeated) = outcome?;
            rows.extend(of_thread);
            duplicates += repeated;
        }
        Ok((rows, duplicates))
    }
}
