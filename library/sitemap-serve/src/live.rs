//! A set that one process both publishes and serves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use super::cache::Cache;
use super::error::RefreshError;
use super::handle::Running;
use super::lease::{Claim, Lease};
use super::lease_guard::LeaseGuard;
use super::lock::lock;
use super::offload::{Lane, Offload, or_panic};
use super::report;
use super::service::SitemapService;
use super::set_search::SetSearch;
use super::status::Status;
use super::target::Target;
use sitemap_core::clock::Start;
use sitemap_core::publish::{IndexLastMod, Names, SetOptions};
use sitemap_core::{Site, SitemapSet, Storage};

/// A set that this process publishes and serves. It stays available during refreshes. Clones share the set.
///
/// A set [in memory](Self::new) belongs to one process. A set [in storage](Self::on), such as a directory or a bucket,
/// survives restarts, and all instances of an application can serve and refresh it.
///
/// A refresh replaces the old set in one step; until then, and if the refresh fails, requests get the old set.
/// Unchanged files keep their bytes, dates and entity tags. Before the first successful refresh, requests get 503.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let service = live.service(); // Mount this in the server.
/// assert_eq!(service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 503);
///
/// let summary = live.refresh(|run| {
///     run.section("pages")?.add_all(["/", "/about"])?;
///     Ok(())
/// })?;
/// assert_eq!(summary.urls(), 2);
/// assert_eq!(service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LiveSitemap {
    pub(super) live: Arc<Live>,
}

#[derive(Debug)]
pub(super) struct Live {
    pub(super) options: SetOptions,
    pub(super) target: Target,
    /// Held during a refresh, so that only one runs at a time.
    pub(super) refreshing: Arc<async_lock::Mutex<()>>,
    status: Mutex<Status>,
    start: Start,
    search: Mutex<SetSearch>,
    pub(super) offload: Arc<Offload>,
}

impl Live {
    /// Blocks until no other refresh is running.
    #[cfg(not(target_family = "wasm"))]
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn wait_for_refresh(&self) -> Result<async_lock::MutexGuard<'_, ()>, RefreshError> {
        Ok(self.refreshing.lock_blocking())
    }

    /// Fails if another refresh is running: if the only thread waited, that refresh could never end.
    #[cfg(target_family = "wasm")]
    pub(super) fn wait_for_refresh(&self) -> Result<async_lock::MutexGuard<'_, ()>, RefreshError> {
        self.refreshing.try_lock().ok_or(RefreshError::Busy)
    }
}

impl LiveSitemap {
    /// How long the [options](Self::options) keep files that the set no longer lists: one day.
    ///
    /// A crawler may take hours to fetch the files listed in an index that it has fetched.
    pub const KEEP_FOR: Duration = Duration::from_secs(24 * 3600);

    /// The maximum total size of unlisted files that the [options](Self::options) keep: 256 MiB. A set in memory keeps
    /// these files compressed, which takes about a tenth of that.
    ///
    /// A full sitemap is usually about 5 MB, or 0.5 MB compressed; the protocol allows up to 52,428,800 bytes. So the
    /// last file of each of ten sections can usually change five times, or 50 times with compression, before this limit
    /// removes a file early.
    pub const KEEP_AT_MOST: u64 = 256 * 1024 * 1024;

    /// Creates a live sitemap in memory, without a set yet.
    ///
    /// All files are in memory: those of the served set, those kept from earlier sets and, during a refresh, those of
    /// the new set. Unchanged files are in memory only once. With the default feature `gzip`, kept files are
    /// compressed, and decompressed for clients that do not accept gzip. A refresh publishes to a hidden copy of the
    /// set, which then replaces the served set.
    ///
    /// File names contain [digests](Names::Digest), so a client that fetched the index before a refresh can still fetch
    /// the files listed in it. Dates in the index are those of the [newest page in each
    /// file](IndexLastMod::NewestPage), so all instances with the same records serve the same bytes, even after a
    /// restart. But each instance only has the files that it published itself.
    pub fn new(site: Site) -> Self {
        Self::with_options(Self::options(site))
    }

    /// Returns the options that [`new`](Self::new) uses: [`Names::Digest`], [`IndexLastMod::NewestPage`],
    /// [`KEEP_FOR`](Self::KEEP_FOR) and [`KEEP_AT_MOST`](Self::KEEP_AT_MOST). Adjust them and pass them to
    /// [`with_options`](Self::with_options) or [`on`](Self::on).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let options = LiveSitemap::options(Site::new("https://example.com")?);
    /// let live = LiveSitemap::with_options(options.keep_for(Duration::from_secs(6 * 3600)).keep_at_most(500));
    /// let refresh = |post: &str| {
    ///     live.refresh(|run| {
    ///         run.section("pages")?.add("/")?;
    ///         Ok(run.section("posts")?.add(post)?)
    ///     })
    /// };
    /// // Each set has another file with 163 bytes, so three of them stay.
    /// for post in ["/posts/1", "/posts/2", "/posts/3", "/posts/4"] {
    ///     assert_eq!(refresh(post)?.removed_early(), 0);
    /// }
    /// let summary = refresh("/posts/5")?;
    /// assert_eq!((summary.kept_files(), summary.removed_early()), (3, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn options(site: Site) -> SetOptions {
        let builder = SitemapSet::builder(site).names(Names::Digest).index_lastmod(IndexLastMod::NewestPage);
        builder.keep_for(Self::KEEP_FOR).keep_at_most(Self::KEEP_AT_MOST)
    }

    /// Creates a live sitemap in memory, without a set yet. Its refreshes publish with these options.
    ///
    /// With [`Names::Stable`], a client that fetches the index before a refresh and a child sitemap after it gets files
    /// from two different sets. Each file is still complete.
    ///
    /// ```
    /// use sitemap_core::{publish::Names, Site, SitemapSet};
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let options = SitemapSet::builder(Site::new("https://example.com")?).names(Names::Stable);
    /// let live = LiveSitemap::with_options(options);
    /// let summary = live.refresh(|run| {
    ///     run.section("pages")?.add("/")?;
    ///     run.section("posts")?.add("/posts/1")?;
    ///     Ok(())
    /// })?;
    /// assert_eq!(summary.files()[1].name(), "sitemap-posts-1.xml");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_options(options: SetOptions) -> Self {
        Self::at(Target::Memory(Arc::default()), options)
    }

    /// Creates a live sitemap in storage: a directory, or a bucket with `ObjectStorage` from the crate
    /// `sitemap-object-store`. If the storage already contains a published set, it is served at once.
    ///
    /// Several instances of an application can share the storage. Any of them may refresh the set, and all of them
    /// serve the new one: each instance checks `sitemap.xml` for changes at most [once a
    /// second](SitemapService::REVALIDATE_AFTER). Files whose names contain digests never change, so they are read only
    /// once. If two instances refresh the set at the same time, one succeeds, and the other gets an error for which
    /// [`RefreshError::is_overtaken`](crate::RefreshError::is_overtaken) returns `true`. Schedules
    /// ([`every`](Self::every)) share the work: an instance skips a refresh if another instance has begun or completed
    /// one within the interval.
    ///
    /// Files are read when they are first requested, and stay in memory up to [a total
    /// size](SitemapService::cache_bytes). If the storage fails, the files in memory are still served.
    ///
    /// Start with the [options](Self::options), which put a digest of the content in file names. With
    /// [`Names::Stable`], a client may get files from two different sets. All instances need the same options.
    ///
    /// Blocks while it reads the storage: up to three minutes if a bucket does not respond. If the storage fails, the
    /// error is in the status as [`last_error`](Status::last_error), and the next request or call of
    /// [`status`](Self::status) tries again.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// use sitemap_core::{Directory, Site};
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let site = Site::new("https://example.com")?;
    /// let directory = Directory::open(folder)?;
    /// let start = || LiveSitemap::on(directory.clone(), LiveSitemap::options(site.clone()));
    /// let (one, other) = (start(), start());
    /// one.refresh(|run| Ok(run.section("pages")?.add_all(["/", "/about"])?))?;
    ///
    /// let get = |live: &LiveSitemap| live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]);
    /// assert_eq!(get(&one).body(), get(&other).body());
    ///
    /// // After a restart:
    /// let one = start();
    /// assert!(one.status().has_set);
    /// assert_eq!(get(&one).headers()["etag"], get(&other).headers()["etag"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on(storage: impl Storage + 'static, options: SetOptions) -> Self {
        let cache =
            Cache::new(Arc::new(storage), SitemapService::CACHE_BYTES, SitemapService::REVALIDATE_AFTER);
        let this = Self::at(Target::Storage(Arc::new(cache)), options);
        this.live.look_unless_known();
        this
    }

    fn at(target: Target, options: SetOptions) -> Self {
        let live = Live {
            options,
            target,
            refreshing: Arc::default(),
            status: Mutex::default(),
            start: Start::now(),
            search: Mutex::default(),
            offload: Arc::default(),
        };
        Self { live: Arc::new(live) }
    }

    /// Returns a service that answers requests for this set. Mount it in a server.
    pub fn service(&self) -> SitemapService {
        let (source, cache) = self.live.target.source();
        SitemapService::of(source, cache)
    }

    /// Returns the current status: whether there is a set, the last error, counts, dates and durations.
    ///
    /// An application is ready when [`has_set`](Status::has_set) is true. While it is false, each call starts a search
    /// of the [storage](Self::on) in the background, at most once a second. So a readiness probe that asks repeatedly
    /// notices a set published by another instance, even if there are no requests and no schedule.
    #[must_use]
    pub fn status(&self) -> Status {
        let mut status = self.lock_status().clone();
        status.bytes = self.live.target.bytes();
        if !status.has_set {
            status.last_error = status.last_error.or_else(|| lock(&self.live.search).error.clone());
            self.start_look();
        }
        status
    }

    /// Searches for another instance's set on a thread, unless the last search was less than a second ago.
    fn start_look(&self) {
        /// Ends the search, even if the storage panics.
        struct Look(Arc<Live>);

        impl Drop for Look {
            fn drop(&mut self) {
                lock(&self.0.search).end();
            }
        }

        if matches!(self.live.target, Target::Memory(_))
            || !lock(&self.live.search).begin(self.live.start.elapsed())
        {
            return;
        }
        let look = Look(Arc::clone(&self.live));
        self.live.offload.start(Lane::Any, move || {
            look.0.look_unless_known();
        });
    }

    /// Searches for another instance's set after a failed refresh or change, so the report of the failure can state
    /// what requests get.
    pub(super) fn look_after_failure(&self) {
        // A panic in the storage is treated like an error.
        let _ = catch_unwind(AssertUnwindSafe(|| self.live.look_unless_known()));
    }

    /// Records a panic in the code that adds the records.
    pub(super) fn note_panic(&self, message: &str) {
        let mut status = self.lock_status();
        status.fail(format!("panic while the records were read: {message}"), Duration::ZERO);
        report::failed(&status.last_error.as_deref().unwrap_or_default(), &status, Duration::ZERO);
    }

    /// Reports the last failure of a refresh that has no caller.
    pub(super) fn report_in_background(&self) {
        report::failed_in_background(&self.lock_status());
    }

    /// Asks for the lease to refresh the set. If another instance has the lease and no set is known, also searches for
    /// that instance's set.
    pub(super) fn take_lease(&self, interval: Duration) -> Lease {
        let live = &*self.live;
        let lacks_set = || live.look_unless_known() && !live.target.has_set();
        // If the storage panics here, it also panics in the refresh, which reports it.
        let lease = catch_unwind(AssertUnwindSafe(|| live.target.take_lease(interval, lacks_set)));
        lease.unwrap_or_else(|_| Lease::Ours(Claim::default()))
    }

    /// Records that a refresh was left to another instance, which last succeeded at this time. Returns `false` if there
    /// is no set yet.
    pub(super) fn leave(&self, last_success: Option<SystemTime>) -> bool {
        let mut status = self.lock_status();
        if status.has_set {
            status.leave(last_success);
            report::left(&status);
        }
        status.has_set
    }

    /// Like [`take_lease`](Self::take_lease), but does not block. If the future is dropped before the storage answers,
    /// the lease is released.
    pub(super) async fn take_lease_async(
        &self,
        interval: Duration,
        running: &Arc<Running>,
    ) -> Lease<Arc<LeaseGuard>> {
        let (this, running) = (self.clone(), Arc::clone(running));
        let take = move || this.take_lease(interval).map(|claim| this.lease_guard(claim, &running));
        let lease = self.live.offload.run(Lane::Any, take).await;
        or_panic(lease)
    }

    /// Returns a guard that releases this instance's lease when dropped.
    pub(super) fn lease_guard(&self, claim: Claim, running: &Arc<Running>) -> Arc<LeaseGuard> {
        Arc::new(LeaseGuard::new(claim, &self.live.target, &self.live.offload, running))
    }

    /// Releases the lease after a failed refresh, so the next instance to ask gets it.
    pub(super) fn give_back(&self, claim: Claim) {
        // If the storage panics here, it has already made the refresh fail, and that was reported.
        let _ = catch_unwind(AssertUnwindSafe(|| self.live.target.give_back(claim)));
    }

    pub(super) fn lock_status(&self) -> MutexGuard<'_, Status> {
        let has_set = self.live.target.has_set();
        let mut status = lock(&self.live.status);
        status.has_set = has_set;
        status
    }
}

impl Live {
    /// Searches for a published set, unless one is already known. If the search fails, records and reports the error
    /// and returns `false`.
    fn look_unless_known(&self) -> bool {
        if self.target.has_set() {
            return true;
        }
        let error = self.target.look().err();
        if let Some(error) = &error {
            report::unreadable_set(error);
        }
        let is_known = error.is_none();
        lock(&self.search).error = error.map(|error| format!("cannot read the published set: {error}"));
        is_known
    }
}
