//! A set that is published into what is being served.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;

use super::error::{BoxError, RefreshError};
use super::file::File;
use super::report;
use super::service::SitemapService;
use super::source::{Found, Source};
use sitemap_core::PublishError;
use sitemap_core::Site;
use sitemap_core::publish::{Names, PublisherBuilder, is_set_file};
use sitemap_core::{Memory, Publisher, Storage, Summary};

/// A set in memory that is served while it is published anew. Clones are the same set.
///
/// A [refresh](Self::refresh) publishes into a copy that nobody sees yet, which begins with the files
/// of the set before, so that those that do not change keep their bytes, dates and entity tags. Then one
/// pointer is switched. Requests meanwhile get the old set, and when a refresh fails they go on getting
/// it. Before the first one succeeds they get 503.
///
/// All files are in memory, and during a refresh the new set as well; of two sets, files with the same bytes
/// are there once.
///
/// ```
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let service = live.service(); // to be mounted
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
    /// Held as long as it takes to copy or replace a pointer.
    current: Mutex<Option<Arc<Snapshot>>>,
    /// Held by the refresh that is at work.
    refreshing: Mutex<()>,
    last_error: Mutex<Option<String>>,
}

/// A set that stands; it never changes.
#[derive(Debug)]
struct Snapshot {
    memory: Memory,
    files: HashMap<String, Arc<File>>,
}

impl LiveSitemap {
    /// No set yet. Its files will be [named by their digests](Names::Digest), so that a client that has
    /// one index finds just the files it lists, also when the next set has come since.
    pub fn new(site: Site) -> Self {
        Self::with_options(Publisher::builder(site).names(Names::Digest))
    }

    /// No set yet; it will be published with these options.
    ///
    /// With [`Names::Stable`] a client that fetches the index before a refresh and a file after it gets
    /// each of them whole, but of two generations.
    pub fn with_options(options: PublisherBuilder) -> Self {
        let live = Live {
            options,
            current: Mutex::default(),
            refreshing: Mutex::default(),
            last_error: Mutex::default(),
        };
        Self { live: Arc::new(live) }
    }

    /// What answers the requests for this set, to be mounted in a server.
    pub fn service(&self) -> SitemapService {
        SitemapService::of(Arc::clone(&self.live) as Arc<dyn Source>, None)
    }

    /// Publishes the set anew: `fill` adds all its records, and then it stands.
    ///
    /// One refresh is at work at a time; another call waits for it and then begins, so that what was
    /// changed before a call is in the set after it; `fill` itself must not call it. This takes as long as
    /// the records do: async programs call it in `spawn_blocking`.
    ///
    /// # Errors
    ///
    /// The error of `fill`, or that of [`Publisher::finish`]. The old set stays.
    pub fn refresh(
        &self,
        fill: impl FnOnce(&mut Publisher) -> Result<(), BoxError>,
    ) -> Result<Summary, RefreshError> {
        let _only = lock(&self.live.refreshing);
        let begun = Instant::now();
        let result = self.publish(fill);
        match &result {
            Ok(summary) => report::refreshed(summary, begun.elapsed()),
            Err(error) => report::failed(error, begun.elapsed()),
        }
        *lock(&self.live.last_error) = result.as_ref().err().map(ToString::to_string);
        result
    }

    /// Why the last refresh failed; `None` if it did not, or there was none.
    #[must_use]
    pub fn last_error(&self) -> Option<String> {
        lock(&self.live.last_error).clone()
    }

    pub(super) fn note_panic(&self) {
        report::panicked();
        *lock(&self.live.last_error) = Some("panic while the sitemap was refreshed".to_owned());
    }

    fn publish(
        &self,
        fill: impl FnOnce(&mut Publisher) -> Result<(), BoxError>,
    ) -> Result<Summary, RefreshError> {
        let before = self.live.current();
        let memory = before.as_ref().map(|before| before.memory.snapshot()).unwrap_or_default();
        let mut publisher = self.live.options.clone().to_storage(memory.clone())?;
        fill(&mut publisher).map_err(RefreshError::of_fill)?;
        let summary = publisher.finish()?;
        let next = Snapshot::new(memory, before.as_deref()).map_err(PublishError::source)?;
        let old = lock(&self.live.current).replace(Arc::new(next));
        // What is dropped may be large, and nobody should wait for that.
        drop(old);
        Ok(summary)
    }
}

impl Live {
    fn current(&self) -> Option<Arc<Snapshot>> {
        lock(&self.current).clone()
    }
}

impl Source for Live {
    fn at_hand(&self, name: &str) -> Option<Found> {
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
    /// Of what was published; files that are the same as before are taken over, with all that is known
    /// of them.
    fn new(memory: Memory, before: Option<&Self>) -> std::io::Result<Self> {
        let mut files = HashMap::new();
        for name in memory.list()? {
            let (true, Some(bytes), Some(stat)) =
                (is_set_file(&name), memory.get(&name), memory.metadata(&name)?)
            else {
                continue;
            };
            let bytes = Bytes::from_owner(bytes);
            let same = before.and_then(|before| before.files.get(&name)).filter(|file| file.shares(&bytes));
            let file =
                same.map_or_else(|| Arc::new(File::new(&name, bytes, Some(stat.modified))), Arc::clone);
            files.insert(name, file);
        }
        Ok(Self { memory, files })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is locked is replaced in one step, so a panic leaves it whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
