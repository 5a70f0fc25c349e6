//! The status of a service.

use std::time::SystemTime;

use sitemap_core::clock;

/// What a service knows about its set; made by [`SitemapService::status`](crate::SitemapService::status).
///
/// A service for a [`LiveSitemap`](crate::LiveSitemap) in memory reads no storage, so it never reports failures.
///
/// ```
/// use sitemap_core::{Memory, Site, SitemapSet};
/// use sitemap_serve::SitemapService;
///
/// let memory = Memory::new();
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone()).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
///
/// let service = SitemapService::new(memory);
/// assert_eq!(service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 200);
/// let status = service.status();
/// assert!(status.has_set && status.bytes > 0);
/// assert_eq!((status.failures, status.last_error), (0, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServiceStatus {
    /// Whether the storage had a set when it last answered. Without a set, requests for its files get 503.
    pub has_set: bool,
    /// The total size of the files in memory in bytes, including copies that were compressed for clients.
    pub bytes: u64,
    /// The number of times that checking or reading a file has failed.
    pub failures: u64,
    /// The number of failures since the storage last answered.
    pub failures_in_a_row: u64,
    /// The last time that the storage answered.
    pub last_success: Option<SystemTime>,
    /// The last time that the storage failed.
    pub last_failure: Option<SystemTime>,
    /// The message of the last failure. `None` if the storage has answered since.
    pub last_error: Option<String>,
}

impl ServiceStatus {
    /// Records that the storage has answered.
    pub(super) fn succeed(&mut self) {
        self.failures_in_a_row = 0;
        self.last_success = clock::now().ok();
        self.last_error = None;
    }

    /// Records that the storage has failed. Returns `true` for the first of several failures in a row.
    pub(super) fn fail(&mut self, error: String) -> bool {
        self.failures += 1;
        self.failures_in_a_row += 1;
        self.last_failure = clock::now().ok();
        self.last_error = Some(error);
        self.failures_in_a_row == 1
    }
}
