//! Refreshing and changing a live set.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use super::error::{BoxError, RefreshError};
use super::lease_guard::LeaseGuard;
use super::live::LiveSitemap;
use super::offload::{Lane, or_panic};
use super::refresh_storage::{Hold, RefreshStorage};
use super::report::{self, Refreshed, Span};
use sitemap_core::clock::Start;
use sitemap_core::{Replacement, SitemapSet, Storage, Summary};

impl LiveSitemap {
    /// Publishes a new set and serves it from then on. `fill` adds all records of the set.
    ///
    /// Only one refresh runs at a time. A second call waits for the first and then runs, so its set contains every
    /// change made before the second call. `fill` must not call `refresh`, because that call would wait forever for the
    /// running one. Blocks until all records are read and written, so use [`refresh_async`](Self::refresh_async) in
    /// async programs.
    ///
    /// The refresh fails if the set would [lose too many pages](sitemap_core::publish::SetOptions::max_shrink).
    /// If the loss is intended, call [`Replacement::allow_shrink`] in `fill`; this applies to the current refresh only.
    ///
    /// # Errors
    ///
    /// [`RefreshError::Fill`] if `fill` fails, [`RefreshError::Publish`] if publishing fails. The old set stays
    /// published. [`RefreshError::is_overtaken`] returns `true` if the refresh failed because another instance was
    /// publishing to the same storage. On WebAssembly, [`RefreshError::Busy`] if another refresh is running.
    pub fn refresh(
        &self,
        fill: impl FnOnce(&mut Replacement) -> Result<(), BoxError>,
    ) -> Result<Summary, RefreshError> {
        self.replace(
            |storage| {
                let mut run = self.live.options.clone().storage(storage).replace()?;
                fill(&mut run).map_err(RefreshError::from_fill)?;
                Ok(run.commit()?)
            },
            |summary| Some(summary),
        )
    }

    /// Publishes a new set like [`refresh`](Self::refresh), without blocking the thread. `fill` is an async closure. It
    /// may await queries and add their rows as a stream, on any runtime.
    ///
    /// If the future is dropped before it completes, the refresh is abandoned and the old set stays. But if the set is
    /// in storage and all records have already been added, the refresh completes on a separate thread, and the new set
    /// is served.
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
    ///     .refresh_async(async |run| {
    ///         run.section("posts")?.add_stream(database.slugs()).await?;
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
        F: AsyncFnOnce(&mut Replacement) -> Result<(), BoxError>,
    {
        self.refresh_while(fill, None).await
    }

    /// Like [`refresh_async`](Self::refresh_async), but holds `lease` until no thread works on the refresh any more.
    pub(super) async fn refresh_while<F>(
        &self,
        fill: F,
        lease: Option<Arc<LeaseGuard>>,
    ) -> Result<Summary, RefreshError>
    where
        F: AsyncFnOnce(&mut Replacement) -> Result<(), BoxError>,
    {
        let hold = Arc::new(Hold { _only: self.live.refreshing.lock_arc().await, _lease: lease });
        let (start, span) = (Start::now(), Span::new());
        let mut publish = pin!(self.publish_async(fill, hold, start));
        match poll_fn(|context| span.run(|| publish.as_mut().poll(context))).await {
            Ok((summary, served)) => {
                span.run(|| drop(served));
                Ok(summary)
            }
            Err(error) => {
                let this = self.clone();
                // `look_after_failure` catches panics in the storage.
                let _ = self.live.offload.run(Lane::Any, move || this.look_after_failure()).await;
                span.run(|| self.note_error(&error, start.elapsed()));
                Err(error)
            }
        }
    }

    /// Changes the published set and serves the result from then on. `change` gets the set and publishes to it, for
    /// example with the crate `sitemap-update`. The cost depends on the number of changed files, not on the number of
    /// pages. For a set in memory, `change` gets a hidden copy that shares the bytes of all files.
    ///
    /// Like a [refresh](Self::refresh), it waits for any running refresh or change, and `change` must not start another
    /// one. A later refresh publishes a set without hash buckets, and the next update adds them again. The call blocks, so use [`update_async`](Self::update_async) in async programs: on a single-threaded
    /// runtime, a call that waits for [`refresh_async`](Self::refresh_async) would wait forever.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    /// use sitemap_update::UpdateSet as _;
    ///
    /// let site = Site::new("https://example.com")?;
    /// let live = LiveSitemap::new(site);
    /// live.refresh(|run| Ok(run.section("posts")?.add_all(["/tea", "/cups"])?))?;
    /// let applied = live.update(|set| {
    ///     let mut update = set.update();
    ///     update.section("posts").upsert("/pots")?;
    ///     update.commit()
    /// })?;
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
        change: impl FnOnce(&SitemapSet) -> Result<T, E>,
    ) -> Result<T, RefreshError> {
        self.replace(|storage| self.change(storage, change), |_| None)
    }

    /// Changes the published set like [`update`](Self::update), without blocking the thread: `change` runs on a
    /// separate thread, with any runtime. If the future is dropped before `change` begins, the set stays as it is. If
    /// it is dropped later, `change` still runs to its end.
    ///
    /// ```
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    /// use sitemap_update::UpdateSet as _;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let site = Site::new("https://example.com")?;
    /// let live = LiveSitemap::new(site);
    /// live.refresh_async(async |run| Ok(run.section("posts")?.add_all(["/tea", "/cups"])?)).await?;
    /// let applied = live
    ///     .update_async(|set| {
    ///         let mut update = set.update();
    ///         update.section("posts").upsert("/pots")?;
    ///         update.commit()
    ///     })
    ///     .await?;
    /// assert_eq!((applied.added(), applied.files_written()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`update`](Self::update).
    pub async fn update_async<T, E>(
        &self,
        change: impl FnOnce(&SitemapSet) -> Result<T, E> + Send + 'static,
    ) -> Result<T, RefreshError>
    where
        T: Send + 'static,
        E: Into<BoxError>,
    {
        let only = self.live.refreshing.lock_arc().await;
        let this = self.clone();
        let change = move || {
            let changed = this.replace_alone(|storage| this.change(storage, change), |_| None);
            drop(only);
            changed
        };
        let changed = self.live.offload.run(Lane::Any, change).await;
        or_panic(changed)
    }

    /// Publishes the next set and serves it.
    fn change<T, E: Into<BoxError>>(
        &self,
        storage: Arc<dyn Storage>,
        change: impl FnOnce(&SitemapSet) -> Result<T, E>,
    ) -> Result<T, RefreshError> {
        let set = self.live.options.clone().storage(storage);
        change(&set).map_err(|error| RefreshError::Update(error.into()))
    }

    fn replace<T>(
        &self,
        publish: impl FnOnce(Arc<dyn Storage>) -> Result<T, RefreshError>,
        summary: fn(&T) -> Option<&Summary>,
    ) -> Result<T, RefreshError> {
        let _only = self.live.wait_for_refresh()?;
        self.replace_alone(publish, summary)
    }

    /// Publishes the next set and serves it. The caller must hold the lock that keeps out other refreshes.
    fn replace_alone<T>(
        &self,
        publish: impl FnOnce(Arc<dyn Storage>) -> Result<T, RefreshError>,
        summary: fn(&T) -> Option<&Summary>,
    ) -> Result<T, RefreshError> {
        let (start, span) = (Start::now(), Span::new());
        span.run(|| {
            let next = self.live.target.next();
            match publish(next.storage()) {
                Ok(done) => {
                    next.serve(|| true);
                    let summary = summary(&done);
                    let refreshed = summary.map(Refreshed::new);
                    let files = match summary {
                        Some(summary) => {
                            self.live.target.note_success();
                            Some(count_files(summary))
                        }
                        None => self.live.target.count_files(),
                    };
                    self.note_served(refreshed, files, start.elapsed());
                    Ok(done)
                }
                Err(error) => {
                    self.look_after_failure();
                    self.note_error(&error, start.elapsed());
                    Err(error)
                }
            }
        })
    }

    /// Records and reports a refresh or change whose set is now served. `refreshed` is `None` for a change, which has
    /// no numbers. `files` is `None` if the number of files is unknown.
    fn note_served(&self, refreshed: Option<Refreshed>, files: Option<usize>, time: Duration) {
        let mut status = self.lock_status();
        let files = files.unwrap_or(status.files);
        status.succeed(refreshed.map(|refreshed| refreshed.urls), files, time);
        match refreshed {
            Some(refreshed) => report::refreshed(refreshed, &status, time),
            None => report::updated(&status, time),
        }
    }

    /// Records and reports a failed refresh or change.
    fn note_error(&self, error: &RefreshError, time: Duration) {
        let mut status = self.lock_status();
        if error.is_overtaken() {
            status.leave(None);
            report::left(&status);
        } else {
            status.fail(error.to_string(), time);
            report::failed(error, &status, time);
        }
    }

    /// Publishes the next set, serves it, and tells the other instances. If the future is dropped after the last record
    /// was added, a thread completes these steps; the storage holds the lock until then.
    ///
    /// Returns no [`Served`] if the set is in memory and the future is dropped.
    async fn publish_async<F>(
        &self,
        fill: F,
        hold: Arc<Hold>,
        start: Start,
    ) -> Result<(Summary, Option<Served>), RefreshError>
    where
        F: AsyncFnOnce(&mut Replacement) -> Result<(), BoxError>,
    {
        let next = self.live.target.next();
        let storage = RefreshStorage { storage: next.storage(), hold: Arc::clone(&hold) };
        let mut run = self.live.options.clone().storage(storage).replace_async().await?;
        fill(&mut run).await.map_err(RefreshError::from_fill)?;
        let live = self.clone();
        let wanted = Arc::new(());
        let is_wanted = Arc::downgrade(&wanted);
        let finish = move || -> Result<_, RefreshError> {
            let summary = run.commit()?;
            // Digests of large files take a while, and the storage may block.
            if !next.serve(|| is_wanted.strong_count() > 0) {
                return Ok((summary, None));
            }
            live.live.target.note_success();
            let (refreshed, files) = (Refreshed::new(&summary), count_files(&summary));
            Ok((summary, Some(Served { live, refreshed, files, start, _hold: hold })))
        };
        let finished = self.live.offload.run(Lane::Any, finish).await;
        drop(wanted);
        or_panic(finished)
    }
}

/// A refresh whose set is now served. Dropping this value records the refresh. That happens where the refresh is
/// awaited, or right after the set is served if nobody awaits the refresh any more.
struct Served {
    live: LiveSitemap,
    refreshed: Refreshed,
    files: usize,
    start: Start,
    _hold: Arc<Hold>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.live.note_served(Some(self.refreshed), Some(self.files), self.start.elapsed());
    }
}

/// Returns the number of files after a refresh, including the indexes and the files kept from earlier sets.
fn count_files(summary: &Summary) -> usize {
    let kept = usize::try_from(summary.kept_files()).unwrap_or(usize::MAX);
    let others = [summary.recent(), summary.feed(), summary.html_page()].into_iter().flatten().count();
    summary.files().len() + summary.indexes().len() + others + kept
}
