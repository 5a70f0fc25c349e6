//! A full publication of a set with hash buckets.

use std::sync::Arc;
use std::time::Duration;

use sitemap_core::publish::{AllowShrink, OnInvalid, SetOptions, ShrinkLimit};
use sitemap_core::{Entry, Site, Storage};

use crate::error::UpdateError;
use crate::parallel;
use crate::spool::Spool;

/// Publishes all pages of a set in hash buckets, so that an [`Update`](crate::Update) can change it later.
///
/// Pages may be added in any order. The set gets the same files as if it were published without buckets and then [moved
/// to them](crate::Rebucket). If a page is added to a section more than once, the last entry wins.
///
/// Memory use grows with [`pages_in_memory`](Self::pages_in_memory), plus 1/64 of all pages. The other pages are kept
/// in temporary files, in storage such as a [`Directory`](sitemap_core::Directory).
///
/// ```
/// use sitemap_core::publish::shards::PublishedShards;
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_update::Build;
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut build = Build::new(SitemapSet::builder(site.clone()), 40, Memory::new());
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
    pub(crate) builder: SetOptions,
    pub(crate) buckets: u32,
    pub(crate) temporary: Arc<dyn Storage>,
    pub(crate) sections: Vec<Spool>,
    pub(crate) in_memory: usize,
    pub(crate) pages_in_memory: usize,
    pub(crate) threads: usize,
    pub(crate) at_once: usize,
    pub(crate) skipped: u64,
    pub(crate) allow_shrink: Option<AllowShrink>,
    pub(crate) max_removed: ShrinkLimit,
    pub(crate) uncommitted_for: Option<Duration>,
    /// For each position: the section, the source and the position itself.
    pub(crate) positions: Vec<[String; 3]>,
    /// For each expected position: the section, the source, and the position that the published set should have.
    pub(crate) expected_positions: Vec<(String, String, Option<String>)>,
}

impl Build {
    /// Creates a build without pages. Each section is split into `buckets` hash buckets.
    ///
    /// `temporary` must be empty, and nothing else may use it.
    pub fn new(builder: SetOptions, buckets: u32, temporary: impl Storage + 'static) -> Self {
        Self {
            // If `add` has accepted a page, the publication must not skip it later.
            builder: builder.on_invalid(OnInvalid::Stop),
            buckets,
            temporary: Arc::new(temporary),
            sections: Vec::new(),
            in_memory: 0,
            pages_in_memory: 200_000,
            threads: 1,
            at_once: parallel::DEFAULT,
            skipped: 0,
            allow_shrink: None,
            max_removed: ShrinkLimit::OFF,
            uncommitted_for: None,
            positions: Vec::new(),
            expected_positions: Vec::new(),
        }
    }

    /// Returns a build with the same settings, but without pages and positions. It uses the same storage for temporary
    /// files, so don't add pages to it until this build has finished.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let mut build = Build::new(SitemapSet::builder(Site::new("https://example.com")?), 4, Memory::new());
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
            max_removed: self.max_removed,
            uncommitted_for: self.uncommitted_for,
            positions: Vec::new(),
            expected_positions: Vec::new(),
        }
    }

    /// Returns the site of the set.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let build = Build::new(SitemapSet::builder(Site::new("https://example.com")?), 4, Memory::new());
    /// assert_eq!(build.site().base(), "https://example.com/");
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    #[must_use]
    pub fn site(&self) -> &Site {
        self.builder.site()
    }

    /// Returns `true` if no page was added. See the example of [`without_pages`](Self::without_pages).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Sets how many pages are collected in memory before they are moved to temporary files. Default: 200,000.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet, Storage as _};
    /// use sitemap_update::Build;
    ///
    /// let temporary = Memory::new();
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?);
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

    /// Sets how many threads write the files. Each thread keeps the pages of 1/64 of the buckets in memory. The files
    /// do not depend on this number. Default: 1.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet, Storage as _};
    /// use sitemap_update::Build;
    ///
    /// let files = |threads| {
    ///     let storage = Memory::new();
    ///     let builder = SitemapSet::builder(Site::new("https://example.com")?);
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

    /// Sets how many hash buckets are written at the same time. This speeds up object stores, where each request takes
    /// tens of milliseconds. The files do not depend on this number. Default: 16, divided among the
    /// [threads](Self::threads).
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let site = Site::new("https://example.com")?;
    /// let mut build = Build::new(SitemapSet::builder(site), 40, Memory::new()).at_once(1);
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// assert_eq!(build.run(Memory::new())?.files_written(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_once(mut self, buckets: usize) -> Self {
        self.at_once = buckets;
        self
    }

    /// Allows this run to shrink the published set beyond the [`max_shrink`](SetOptions::max_shrink) limit. By
    /// default, such a run fails.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
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

    /// Sets how many published pages the run may remove from the set or from one of its sections, even if it adds as
    /// many pages as it removes; see [`Update::max_removed`](crate::Update::max_removed). To count them, the run also
    /// reads the published files of the hash buckets that change. Its result then contains the
    /// [number](crate::Applied::removed) of pages removed from the remaining sections. Default: [`ShrinkLimit::OFF`].
    ///
    /// A page's bucket depends on its URL and on the number of buckets, so the published section must have the same
    /// number of hash buckets. Otherwise, the run fails with [`UpdateError::CannotCount`], unless it is
    /// [allowed](Self::allow_shrink) to shrink the set. The removed pages are counted after the new files are written,
    /// so a refused run leaves these files behind; [`remove_uncommitted`](Self::remove_uncommitted) deletes them.
    ///
    /// ```
    /// use sitemap_core::publish::ShrinkLimit;
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let build = |path: &str| {
    ///     let mut build = Build::new(builder.clone(), 4, Memory::new()).max_removed(ShrinkLimit::percent(30));
    ///     for id in 0..200 {
    ///         build.add("posts", Entry::new(Loc::parse(format!("https://example.com/{path}/{id}"))?))?;
    ///     }
    ///     Ok::<_, Box<dyn std::error::Error>>(build)
    /// };
    /// build("posts")?.run(storage.clone())?;
    /// build("posts")?.run(storage.clone())?;
    /// let error = build("post")?.run(storage).unwrap_err().to_string();
    /// assert!(error.starts_with("section `posts` would lose 200 of 200 pages"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max_removed(mut self, limit: ShrinkLimit) -> Self {
        self.max_removed = limit;
        self
    }

    /// Also deletes shards that interrupted runs left behind, if they are at least this old; see
    /// [`ShardCommit::remove_uncommitted`](sitemap_core::publish::shards::ShardCommit::remove_uncommitted). A run that
    /// fails while it writes leaves its files, because another run may use files with the same pages. By default, these
    /// shards stay.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet, Storage as _};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
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

    /// Records the last change of a source that is included in a section's pages; see
    /// [`ShardCommit::position`](sitemap_core::publish::shards::ShardCommit::position). By default, the section has no
    /// position.
    ///
    /// ```
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
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

    /// Makes the run fail with the error [`Overtaken`](sitemap_core::publish::PublishErrorKind::Overtaken) if another
    /// run has moved a source's position since its pages were read; see
    /// [`ShardCommit::if_position`](sitemap_core::publish::shards::ShardCommit::if_position). By default, the position
    /// is not checked.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::{Build, UpdateSet as _};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let build = |before: Option<&str>, position: &str| {
    ///     let build = Build::new(builder.clone(), 4, Memory::new());
    ///     let mut build = build.if_position("posts", "queue", before).position("posts", "queue", position);
    ///     build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(build)
    /// };
    /// build(None, "7")?.run(storage.clone())?;
    /// let slow = build(Some("7"), "8")?;
    /// builder.clone().storage(storage.clone()).update().move_position("queue", Some("7"), "9").commit()?;
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
    /// [`UpdateError::OtherSite`] if the site may not list the page. The page is skipped, and you can go on adding
    /// pages. [`UpdateError::Publish`] if the temporary files cannot be written.
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

    /// Counts an invalid page that the caller skipped. The number appears in the
    /// [summary](sitemap_core::Summary::skipped).
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
    /// use sitemap_update::Build;
    ///
    /// let mut build = Build::new(SitemapSet::builder(Site::new("https://example.com")?), 4, Memory::new());
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
}
