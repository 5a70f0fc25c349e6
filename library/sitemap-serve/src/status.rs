//! The status of a live set.

use std::time::{Duration, SystemTime};

use sitemap_core::clock;

/// The results of a [`LiveSitemap`](crate::LiveSitemap)'s refreshes and changes so far; made by
/// [`LiveSitemap::status`](crate::LiveSitemap::status).
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let _ = live.refresh(|_| Err("connection refused".into()));
/// let status = live.status();
/// assert!(!status.has_set, "requests get 503");
/// assert_eq!(status.last_error.as_deref(), Some("cannot read the records: connection refused"));
///
/// live.refresh(|run| Ok(run.section("pages")?.add_all(["/", "/about"])?))?;
/// let status = live.status();
/// assert!(status.has_set && status.is_current(Duration::from_secs(3600)));
/// assert_eq!((status.successes, status.failures, status.failures_in_a_row), (1, 1, 0));
/// assert_eq!((status.urls, status.files, status.last_error), (Some(2), 1, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// Whether there is a set. Without one, requests for its files get 503, so the application is not ready. For a set
    /// in storage, this is the result of the last search; see [`LiveSitemap::status`](crate::LiveSitemap::status).
    pub has_set: bool,
    /// The number of pages after this instance's last refresh. `None` before the first refresh, and after a change,
    /// because changes do not count all pages.
    pub urls: Option<u64>,
    /// The number of files after this instance's last refresh or change, including the index and the files kept from
    /// earlier sets.
    pub files: usize,
    /// The total size of the files in memory in bytes, including copies that were compressed for clients. A set in
    /// memory has all its files there. For a set in storage, this is the size of its services' caches.
    pub bytes: u64,
    /// The number of successful refreshes and changes.
    pub successes: u64,
    /// The number of failed refreshes and changes.
    pub failures: u64,
    /// The number of refreshes left to another instance on the same [storage](crate::LiveSitemap::on), because that
    /// instance had refreshed the set within the interval or was publishing at the same time.
    pub left_to_others: u64,
    /// The number of failures since the last success.
    pub failures_in_a_row: u64,
    /// The end time of the last known success: either this instance's own, or that of another instance to which this
    /// one left a refresh.
    pub last_success: Option<SystemTime>,
    /// The end time of the last failure.
    pub last_failure: Option<SystemTime>,
    /// The message of the last failure. `None` after a later success.
    pub last_error: Option<String>,
    /// The duration of the last refresh or change, whether it succeeded or failed. Zero after a panic.
    pub last_duration: Option<Duration>,
}

impl Status {
    /// Returns `true` if there is a set and a refresh has succeeded within this time. With [`every`], allow a few
    /// intervals, so that a single failure does not raise an alarm.
    ///
    /// [`every`]: crate::LiveSitemap::every
    #[must_use]
    pub fn is_current(&self, within: Duration) -> bool {
        let is_recent = |date| {
            // If the date is in the future, the clock was set back.
            clock::now().is_ok_and(|now| now.duration_since(date).map_or(true, |age| age <= within))
        };
        self.has_set && self.last_success.is_some_and(is_recent)
    }

    /// Notes a success.
    pub(super) fn succeed(&mut self, urls: Option<u64>, files: usize, took: Duration) {
        self.has_set = true;
        (self.urls, self.files) = (urls, files);
        self.successes += 1;
        self.failures_in_a_row = 0;
        self.last_success = clock::now().ok();
        self.last_error = None;
        self.last_duration = Some(took);
    }

    /// Records that a refresh was left to another instance, which last succeeded at this time.
    pub(super) fn leave(&mut self, last_success: Option<SystemTime>) {
        self.left_to_others += 1;
        self.last_success = self.last_success.max(last_success);
        if last_success > self.last_failure {
            self.failures_in_a_row = 0;
            self.last_error = None;
        }
    }

    /// Notes a failure.
    pub(super) fn fail(&mut self, error: String, took: Duration) {
        self.failures += 1;
        self.failures_in_a_row += 1;
        self.last_failure = clock::now().ok();
        self.last_error = Some(error);
        self.last_duration = Some(took);
    }
}
