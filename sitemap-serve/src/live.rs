//! A set in memory that is published and served by the same process.

use std::collections::HashMap;
use std::future::poll_fn;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_lock::MutexGuardArc;
use bytes::Bytes;

use super::error::{BoxError, RefreshError};
use super::file::File;
use super::lock::lock;
use super::offload::Offload;
use super::report::{self, Span};
use super::service::SitemapService;
use super::source::{Found, Source};
use super::status::Status;
use sitemap_core::Site;
use sitemap_core::publish::{IndexLastMod, Names, PublisherBuilder, is_set_file};
use sitemap_core::{Memory, Publisher, Summary};

/// A set in memory that stays available while it is refreshed. Clones share the set.
///
/// A [refresh](Self::refresh) publishes into a hidden copy of the set, so unchanged files keep their bytes,
/// dates and entity tags. Then it replaces the served set in one step. During a refresh, and after a failed one,
/// requests get the old set. Before the first successful refresh they get 503.
///
/// All files are in memory: those of the served set, those kept from earlier sets, and during a refresh those of the new
/// set. Files that do not change are in memory once.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let service = live.service(); // Mount this in the server.
/// assert_eq!(service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 503);
///
/// let summary = live.refresh(|publisher| {
///     publisher.section("pages")?.add_all(["/", "/about"])?;
///     Ok(())
/// })?;
/// assert_eq!(summary.urls(), 2);
/// assert_eq!(service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LiveSitemap {
    live: Arc<Live>,
}

#[derive(Debug)]
struct Live {
    options: PublisherBuilder,
    /// The lock is held only while the pointer is copied or replaced, so requests do not wait for a refresh.
    current: Mutex<Option<Arc<Snapshot>>>,
    /// A refresh holds this lock while it runs, so that only one runs at a time.
    refreshing: Arc<async_lock::Mutex<()>>,
    status: Mutex<Status>,
    offload: Arc<Offload>,
}

/// The files of one published set. They never change.
#[derive(Debug)]
struct Snapshot {
    memory: Memory,
    files: HashMap<Arc<str>, Arc<File>>,
}

impl LiveSitemap {
    /// Creates a live sitemap without a set.
    ///
    /// File names contain [digests](Names::Digest), so a client that fetched the index before a refresh still
    /// finds the files that this index lists. Dates in the index are those of the [newest page of each
    /// file](IndexLastMod::NewestPage), so all instances of an application that have the same records serve the same
    /// bytes, also after a restart.
    pub fn new(site: Site) -> Self {
        Self::with_options(Self::options(site))
    }

    /// Returns the options of [`new`](Self::new), to be changed and passed to [`with_options`](Self::with_options).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// // For slow crawlers: files stay for six hours after the index has stopped listing them.
    /// let site = Site::new("https://example.com")?;
    /// let live = LiveSitemap::with_options(LiveSitemap::options(site).keep_for(Duration::from_secs(6 * 3600)));
    /// let refresh = |post: &str| {
    ///     live.refresh(|publisher| {
    ///         publisher.section("pages")?.add("/")?;
    ///         Ok(publisher.section("posts")?.add(post)?)
    ///     })
    /// };
    /// for (post, kept) in [("/posts/1", 0), ("/posts/2", 1), ("/posts/3", 2), ("/posts/4", 3)] {
    ///     assert_eq!(refresh(post)?.kept_files(), kept);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn options(site: Site) -> PublisherBuilder {
        Publisher::builder(site).names(Names::Digest).index_lastmod(IndexLastMod::NewestPage)
    }

    /// Creates a live sitemap without a set. Its refreshes publish with these options.
    ///
    /// With [`Names::Stable`], a client that fetches the index before a refresh and a child sitemap after the
    /// refresh gets files of two different sets. Each file is complete.
    ///
    /// ```
    /// use sitemap_core::{Publisher, Site, publish::Names};
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let options = Publisher::builder(Site::new("https://example.com")?).names(Names::Stable);
    /// let live = LiveSitemap::with_options(options);
    /// let summary = live.refresh(|publisher| {
    ///     publisher.section("pages")?.add("/")?;
    ///     publisher.section("posts")?.add("/posts/1")?;
    ///     Ok(())
    /// })?;
    /// assert_eq!(summary.files()[1].name(), "sitemap-posts-1.xml");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_options(options: PublisherBuilder) -> Self {
        let live = Live {
            options,
            current: Mutex::default(),
            refreshing: Arc::default(),
            status: Mutex::default(),
            offload: Arc::default(),
        };
        Self { live: Arc::new(live) }
    }

    /// Returns a service that answers requests for this set, to be mounted in a server.
    pub fn service(&self) -> SitemapService {
        SitemapService::of(Arc::clone(&self.live) as Arc<dyn Source>, None)
    }

    /// Publishes a new set. `fill` adds all records of the set; after that, requests get the new set.
    ///
    /// Only one refresh runs at a time. A second call waits for the first and then runs, so its set contains every
    /// change that was made before the second call. `fill` must not call `refresh`: the call would wait for itself for ever. The call blocks until all records
    /// are read and written, so async programs use [`refresh_async`](Self::refresh_async).
    ///
    /// A refresh whose set would [lose too many pages](PublisherBuilder::max_shrink) fails. If the loss is intended,
    /// `fill` allows it with [`Publisher::allow_shrink`], which holds for this refresh only.
    ///
    /// # Errors
    ///
    /// [`RefreshError::Fill`] if `fill` fails, [`RefreshError::Publish`] if the publisher fails. The old set
    /// stays published.
    pub fn refresh(
        &self,
        fill: impl FnOnce(&mut Publisher) -> Result<(), BoxError>,
    ) -> Result<Summary, RefreshError> {
        self.replace(
            |memory| {
                let mut publisher = self.live.options.clone().to_storage(memory)?;
                fill(&mut publisher).map_err(RefreshError::from_fill)?;
                Ok(publisher.finish()?)
            },
            |summary| Some(summary),
        )
    }

    /// Publishes a new set like [`refresh`](Self::refresh), without blocking the thread. `fill` is an async closure,
    /// which may await queries and add their rows as a stream, on any runtime.
    ///
    /// If the future is dropped before it ends, the refresh is given up and the old set stays.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// # struct Database;
    /// # impl Database {
    /// #     fn slugs(&self) -> impl futures_core::Stream<Item = Result<String, std::io::Error>> { Rows(0) }
    /// # }
    /// # struct Rows(u32);
    /// # impl futures_core::Stream for Rows {
    /// #     type Item = Result<String, std::io::Error>;
    /// #     fn poll_next(
    /// #         mut self: std::pin::Pin<&mut Self>,
    /// #         _: &mut std::task::Context<'_>,
    /// #     ) -> std::task::Poll<Option<Self::Item>> {
    /// #         self.0 += 1;
    /// #         std::task::Poll::Ready((self.0 <= 3).then(|| Ok(format!("/posts/{}", self.0))))
    /// #     }
    /// # }
    /// # let database = Database;
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let live = LiveSitemap::new(Site::new("https://example.com")?);
    /// let summary = live
    ///     .refresh_async(async |publisher| {
    ///         publisher.section("posts")?.add_stream(database.slugs()).await?;
    ///         Ok(())
    ///     })
    ///     .await?;
    /// assert_eq!(summary.urls(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`refresh`](Self::refresh).
    pub async fn refresh_async<F>(&self, fill: F) -> Result<Summary, RefreshError>
    where
        F: AsyncFnOnce(&mut Publisher) -> Result<(), BoxError>,
    {
        let only = self.live.refreshing.lock_arc().await;
        let (start, span) = (Instant::now(), Span::new());
        let mut publish = pin!(self.publish_async(fill, only));
        let result = poll_fn(|context| span.run(|| publish.as_mut().poll(context))).await;
        span.run(|| self.note(&result, start.elapsed(), |summary| Some(summary)));
        result
    }

    /// Changes the published set. `change` gets a hidden copy of the set's storage, which shares the bytes of all files,
    /// and publishes to it, for example with the crate `sitemap-update`. After that, requests get the new set. The cost
    /// follows the number of changed files, and not that of pages.
    ///
    /// Like a [refresh](Self::refresh), it waits for a refresh or change that is running, and must not start another
    /// one. The call blocks, so async programs use `spawn_blocking`: on a runtime with one thread, a call that waits for
    /// [`refresh_async`](Self::refresh_async) would wait for ever. Pass the options of the live sitemap to `change`. A
    /// refresh publishes a set without hash buckets.
    ///
    /// ```
    /// use sitemap_core::{Entry, Loc, Site};
    /// use sitemap_serve::LiveSitemap;
    /// use sitemap_update::{Change, Rebucket, Update};
    ///
    /// let site = Site::new("https://example.com")?;
    /// let live = LiveSitemap::new(site.clone());
    /// live.refresh(|publisher| Ok(publisher.section("posts")?.add_all(["/tea", "/cups"])?))?;
    /// // Once after each refresh: moves the pages to hash buckets, whose files can be changed.
    /// live.update(|storage| Rebucket::new(LiveSitemap::options(site.clone()), 30).run(storage))?;
    ///
    /// let mut update = Update::new(LiveSitemap::options(site));
    /// update.add(Change::Upsert(Entry::new(Loc::parse("https://example.com/pots")?)))?;
    /// let applied = live.update(|storage| update.run(storage))?;
    /// assert_eq!((applied.added(), applied.files_written()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RefreshError::Update`] if `change` fails, for example because the set would lose too many pages. The old set
    /// stays published.
    pub fn update<T, E: Into<BoxError>>(
        &self,
        change: impl FnOnce(Memory) -> Result<T, E>,
    ) -> Result<T, RefreshError> {
        let change = |memory| change(memory).map_err(|error| RefreshError::Update(error.into()));
        self.replace(change, |_| None)
    }

    /// Returns what has happened so far: whether there is a set, the last error, counts, dates and durations.
    ///
    /// An application is ready when [`has_set`](Status::has_set) is true.
    #[must_use]
    pub fn status(&self) -> Status {
        lock(&self.live.status).clone()
    }

    /// Notes a panic of the code that adds the records.
    pub(super) fn note_panic(&self, message: &str) {
        let mut status = lock(&self.live.status);
        status.fail(format!("panic while the records were read: {message}"), Duration::ZERO);
        report::failed(&status.last_error.as_deref().unwrap_or_default(), &status, Duration::ZERO);
    }

    /// Reports the last failure where no caller gets it.
    pub(super) fn report_in_background(&self) {
        report::failed_in_background(&self.status());
    }

    /// Publishes to a copy of the set, and serves the copy.
    fn replace<T>(
        &self,
        publish: impl FnOnce(Memory) -> Result<T, RefreshError>,
        summary: fn(&T) -> Option<&Summary>,
    ) -> Result<T, RefreshError> {
        let _only = self.live.refreshing.lock_blocking();
        let (start, span) = (Instant::now(), Span::new());
        span.run(|| {
            let result = self.publish(publish);
            self.note(&result, start.elapsed(), summary);
            result
        })
    }

    /// Notes and reports the result of a refresh or change. `summary` returns the summary of a refresh.
    fn note<T>(&self, result: &Result<T, RefreshError>, time: Duration, summary: fn(&T) -> Option<&Summary>) {
        let files = self.live.current().map_or(0, |set| set.files.len());
        let mut status = lock(&self.live.status);
        match result {
            Ok(done) => {
                let summary = summary(done);
                status.succeed(summary.map(Summary::urls), files, time);
                match summary {
                    Some(summary) => report::refreshed(summary, &status, time),
                    None => report::updated(&status, time),
                }
            }
            Err(error) => {
                status.fail(error.to_string(), time);
                report::failed(error, &status, time);
            }
        }
    }

    fn publish<T>(&self, publish: impl FnOnce(Memory) -> Result<T, RefreshError>) -> Result<T, RefreshError> {
        let (before, memory) = self.live.copy();
        let done = publish(memory.clone())?;
        self.live.serve(memory, before, || true);
        Ok(done)
    }

    /// Holds the lock until the set is served or given up, also after the future has been dropped.
    async fn publish_async<F>(&self, fill: F, only: MutexGuardArc<()>) -> Result<Summary, RefreshError>
    where
        F: AsyncFnOnce(&mut Publisher) -> Result<(), BoxError>,
    {
        let (before, memory) = self.live.copy();
        let mut publisher = self.live.options.clone().to_storage_async(memory.clone()).await?;
        fill(&mut publisher).await.map_err(RefreshError::from_fill)?;
        let summary = publisher.finish_async().await?;
        // The digests of large files take a while.
        let live = Arc::clone(&self.live);
        let wanted = Arc::new(());
        let is_wanted = Arc::downgrade(&wanted);
        let serve = move || {
            let _only = only;
            live.serve(memory, before, || is_wanted.strong_count() > 0);
        };
        let served = self.live.offload.run(serve).await;
        served.unwrap_or_else(|panic| resume_unwind(panic));
        drop(wanted);
        Ok(summary)
    }
}

impl Live {
    fn current(&self) -> Option<Arc<Snapshot>> {
        lock(&self.current).clone()
    }

    /// Returns the set and a copy of its storage, which shares the bytes of all files.
    fn copy(&self) -> (Option<Arc<Snapshot>>, Memory) {
        let current = self.current();
        let memory = current.as_ref().map(|current| current.memory.snapshot()).unwrap_or_default();
        (current, memory)
    }

    /// Serves a new set in place of the one before, if it is still wanted.
    fn serve(&self, memory: Memory, before: Option<Arc<Snapshot>>, is_wanted: impl FnOnce() -> bool) {
        let next = Snapshot::new(memory, before.as_deref());
        let old = {
            let mut current = lock(&self.current);
            if !is_wanted() {
                return;
            }
            current.replace(Arc::new(next))
        };
        // Dropping a large set takes time, so the old set is dropped after the lock is released.
        drop((old, before));
    }
}

impl Source for Live {
    fn find_ready(&self, name: &str) -> Option<Found> {
        Some(self.find(name))
    }

    fn find(&self, name: &str) -> Found {
        match self.current() {
            None => Found::NoSet,
            Some(set) => set.files.get(name).map_or(Found::Missing, |file| Found::File(Arc::clone(file))),
        }
    }
}

impl Snapshot {
    /// Collects the files of a published set. Reuses unchanged files of the previous set, with their digests and
    /// compressed bytes.
    fn new(memory: Memory, before: Option<&Self>) -> Self {
        let all = memory.files();
        let mut files = HashMap::with_capacity(all.len());
        for (name, bytes, modified) in all {
            if !is_set_file(&name) {
                continue;
            }
            let same = before.and_then(|before| before.files.get(&name)).filter(|file| file.shares(&bytes));
            let file = same.map_or_else(
                || Arc::new(File::new(&name, Bytes::from_owner(bytes), Some(modified))),
                Arc::clone,
            );
            files.insert(name, file);
        }
        Self { memory, files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_is_not_wanted_any_more_is_not_served() {
        let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
        let memory = Memory::new();
        let mut publisher = live.live.options.clone().to_storage(memory.clone()).unwrap();
        publisher.section("pages").unwrap().add("/").unwrap();
        publisher.finish().unwrap();
        live.live.serve(memory.clone(), None, || false);
        assert!(live.live.current().is_none());
        live.live.serve(memory, None, || true);
        assert_eq!(live.live.current().map(|set| set.files.len()), Some(1));
    }
}
