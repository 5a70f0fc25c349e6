//! A set that is published and served by the same process.

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
use sitemap_core::publish::{IndexLastMod, Names, PublisherBuilder};
use sitemap_core::{Publisher, Site, Storage};

/// A set that this process publishes and serves, and that stays available while it is refreshed. Clones share the set.
///
/// A set [in memory](Self::new) belongs to one process. A set [on a storage](Self::on), such as a directory or a bucket,
/// survives restarts, and all instances of an application can serve and refresh it.
///
/// During a refresh, and after a failed one, requests get the old set. After a refresh, they get the new one, in one step.
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
    pub(super) live: Arc<Live>,
}

#[derive(Debug)]
pub(super) struct Live {
    pub(super) options: PublisherBuilder,
    pub(super) target: Target,
    /// A refresh holds this lock while it runs, so that only one runs at a time.
    pub(super) refreshing: Arc<async_lock::Mutex<()>>,
    status: Mutex<Status>,
    start: Start,
    search: Mutex<SetSearch>,
    pub(super) offload: Arc<Offload>,
}

impl Live {
    /// Blocks until no other refresh runs.
    #[cfg(not(target_family = "wasm"))]
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn wait_for_refresh(&self) -> Result<async_lock::MutexGuard<'_, ()>, RefreshError> {
        Ok(self.refreshing.lock_blocking())
    }

    /// Fails if another refresh runs, because nothing else runs while the only thread waits.
    #[cfg(target_family = "wasm")]
    pub(super) fn wait_for_refresh(&self) -> Result<async_lock::MutexGuard<'_, ()>, RefreshError> {
        self.refreshing.try_lock().ok_or(RefreshError::Busy)
    }
}

impl LiveSitemap {
    /// How long the [options](Self::options) keep files that the set no longer lists: a day.
    ///
    /// A crawler that has fetched the index may take hours to fetch the files in it.
    pub const KEEP_FOR: Duration = Duration::from_secs(24 * 3600);

    /// How many bytes of files that the set no longer lists the [options](Self::options) keep at most: 256 MiB. A set in
    /// memory keeps these files compressed, so they take about a tenth of this.
    ///
    /// A full sitemap usually has about 5 MB, or 0.5 MB with compression; the protocol allows 52,428,800 bytes. So the last
    /// file of each of ten sections can usually change five times, or 50 times with compression, before the maximum
    /// removes a file early.
    pub const KEEP_AT_MOST: u64 = 256 * 1024 * 1024;

    /// Creates a live sitemap in memory, without a set.
    ///
    /// All files are in memory: those of the served set, those kept from earlier sets, and during a refresh those of the
    /// new set. Files that do not change are in memory once. Kept files are compressed, if the crate has its default feature
    /// `gzip`; a client that does not accept gzip gets them decompressed. A refresh publishes to a hidden copy of the set, which then
    /// replaces it.
    ///
    /// File names contain [digests](Names::Digest), so a client that fetched the index before a refresh still
    /// finds the files that this index lists. Dates in the index are those of the [newest page of each
    /// file](IndexLastMod::NewestPage), so all instances of an application that have the same records serve the same
    /// bytes, even after a restart. But each instance has only the files that it has published itself.
    pub fn new(site: Site) -> Self {
        Self::with_options(Self::options(site))
    }

    /// Returns the options of [`new`](Self::new), to be changed and passed to [`with_options`](Self::with_options) or
    /// [`on`](Self::on): [`Names::Digest`], [`IndexLastMod::NewestPage`], [`KEEP_FOR`](Self::KEEP_FOR) and
    /// [`KEEP_AT_MOST`](Self::KEEP_AT_MOST).
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
    ///     live.refresh(|publisher| {
    ///         publisher.section("pages")?.add("/")?;
    ///         Ok(publisher.section("posts")?.add(post)?)
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
    pub fn options(site: Site) -> PublisherBuilder {
        let builder = Publisher::builder(site).names(Names::Digest).index_lastmod(IndexLastMod::NewestPage);
        builder.keep_for(Self::KEEP_FOR).keep_at_most(Self::KEEP_AT_MOST)
    }

    /// Creates a live sitemap in memory, without a set. Its refreshes publish with these options.
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
        Self::at(Target::Memory(Arc::default()), options)
    }

    /// Creates a live sitemap on a storage: a directory, or a bucket with `ObjectStorage` of the crate
    /// `sitemap-object-store`. If a set is published there, it is served at once.
    ///
    /// Several instances of an application can share the storage. Any of them may refresh the set, and all of them serve
    /// the new one: an instance checks at most [once a second](SitemapService::REVALIDATE_AFTER) whether `sitemap.xml` has
    /// changed. Files whose names contain digests never change, so they are read once. If two instances refresh the set
    /// at the same time, one of them succeeds and the other gets an error that [`RefreshError::is_overtaken`](crate::RefreshError::is_overtaken) recognises.
    /// Schedules ([`every`](Self::every)) share the work: an instance leaves a refresh out if another one has begun or
    /// completed a refresh within the interval.
    ///
    /// Files are read on their first request and stay in memory, up to [a total size](SitemapService::cache_bytes). While
    /// the storage fails, these files are still served.
    ///
    /// Start with the [options](Self::options), which name files by their content. With [`Names::Stable`], a client may
    /// get files of two different sets. All instances need the same options.
    ///
    /// The call looks into the storage, which blocks, for a bucket that does not answer up to three minutes. A failure is
    /// [`last_error`](Status::last_error) of the status; the next request, or the next call of [`status`](Self::status),
    /// looks again.
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
    /// one.refresh(|publisher| Ok(publisher.section("pages")?.add_all(["/", "/about"])?))?;
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
    pub fn on(storage: impl Storage + 'static, options: PublisherBuilder) -> Self {
        let cache =
            Cache::new(Arc::new(storage), SitemapService::CACHE_BYTES, SitemapService::REVALIDATE_AFTER);
        let this = Self::at(Target::Storage(Arc::new(cache)), options);
        this.live.look_unless_known();
        this
    }

    fn at(target: Target, options: PublisherBuilder) -> Self {
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

    /// Returns a service that answers requests for this set, to be mounted in a server.
    pub fn service(&self) -> SitemapService {
        let (source, cache) = self.live.target.source();
        SitemapService::of(source, cache)
    }

    /// Returns what has happened so far: whether there is a set, the last error, counts, dates and durations.
    ///
    /// An application is ready when [`has_set`](Status::has_set) is true. While it is false, a call starts a look into the
    /// [storage](Self::on), at most once a second and without waiting for it. So a probe that asks again learns of a set
    /// that another instance has published, also without requests and schedules.
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

    /// Looks for a set of another instance on a thread, if a look is due.
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

    /// Looks for a set of another instance after a refresh or change that has failed, so that its report tells whether
    /// requests get a set.
    pub(super) fn look_after_failure(&self) {
        // A storage that panics is as good as one that fails.
        let _ = catch_unwind(AssertUnwindSafe(|| self.live.look_unless_known()));
    }

    /// Notes a panic of the code that adds the records.
    pub(super) fn note_panic(&self, message: &str) {
        let mut status = self.lock_status();
        status.fail(format!("panic while the records were read: {message}"), Duration::ZERO);
        report::failed(&status.last_error.as_deref().unwrap_or_default(), &status, Duration::ZERO);
    }

    /// Reports the last failure where no caller gets it.
    pub(super) fn report_in_background(&self) {
        report::failed_in_background(&self.lock_status());
    }

    /// Asks whether this instance or another one refreshes the set now. If it is another one, also looks for its first
    /// set.
    pub(super) fn take_lease(&self, interval: Duration) -> Lease {
        let live = &*self.live;
        let lacks_set = || live.look_unless_known() && !live.target.has_set();
        // If the storage panics, so does the refresh, which reports it.
        let lease = catch_unwind(AssertUnwindSafe(|| live.target.take_lease(interval, lacks_set)));
        lease.unwrap_or_else(|_| Lease::Ours(Claim::default()))
    }

    /// Notes that a refresh is left to another instance, which has last succeeded at this time. Returns `false` if there
    /// is no set yet.
    pub(super) fn leave(&self, last_success: Option<SystemTime>) -> bool {
        let mut status = self.lock_status();
        if status.has_set {
            status.leave(last_success);
            report::left(&status);
        }
        status.has_set
    }

    /// Does the same as [`take_lease`](Self::take_lease) without blocking. If the future is dropped while the storage
    /// answers, the lease is given back.
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

    /// Returns a lease of this instance, which is given back when it is dropped.
    pub(super) fn lease_guard(&self, claim: Claim, running: &Arc<Running>) -> Arc<LeaseGuard> {
        Arc::new(LeaseGuard::new(claim, &self.live.target, &self.live.offload, running))
    }

    /// Leaves a refresh that has failed to whoever asks next.
    pub(super) fn give_back(&self, claim: Claim) {
        // A storage that panics has made the refresh fail, which has been reported.
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
    /// Checks whether a set is published unless one is known. Notes and reports a failure, and returns `false` after it.
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
