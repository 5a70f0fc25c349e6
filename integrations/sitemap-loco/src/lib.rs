//! Serves a sitemap in a Loco application.
//!
//! [`Sitemap`] is an initializer: it adds the files of a set to the router, starts the refreshes, and puts their
//! handle into the shared store. Requests that are not for the set go to the application, also for its own 404.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use loco_rs::app::{AppContext, Initializer};
//! use loco_rs::controller::extractor::shared_store::SharedStore;
//! use sitemap_core::Site;
//! use sitemap_loco::Sitemap;
//! use sitemap_serve::{LiveSitemap, Refresher};
//!
//! /// Return this from `Hooks::initializers`.
//! fn sitemap() -> loco_rs::Result<Box<dyn Initializer>> {
//!     let site = Site::new("https://www.example.com").map_err(loco_rs::Error::wrap)?;
//!     let live = LiveSitemap::new(site.clone());
//!     let service = live.service().robots_txt(&site, "User-agent: *\nDisallow: /cart\n");
//!     Ok(Box::new(Sitemap::new(service).refresh(move |_context: &AppContext| {
//!         // The context has the database: `let db = _context.db.clone();`
//!         live.every_async(Duration::from_secs(600), async |publisher| {
//!             publisher.section("pages")?.add_all(["/", "/about"])?;
//!             Ok(())
//!         })
//!     })))
//! }
//!
//! /// A controller that starts the next refresh.
//! async fn changed(SharedStore(refresher): SharedStore<Refresher>) -> loco_rs::Result<()> {
//!     refresher.wake();
//!     Ok(())
//! }
//!
//! /// Await this in `Hooks::on_shutdown`.
//! async fn on_shutdown(context: &AppContext) {
//!     sitemap_loco::stop(context).await;
//! }
//! ```
//!
//! The guide `docs/guides/loco.md` and the example `loco` are a whole server.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `gzip` | yes | compressed responses and sets |

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use axum::Router;
use loco_rs::Result;
use loco_rs::app::{AppContext, Initializer};
use sitemap_serve::{Refresher, SitemapService};

type Schedule = Pin<Box<dyn Future<Output = ()> + Send>>;
type Start = Box<dyn Fn(&AppContext) -> (Refresher, Schedule) + Send + Sync>;

/// An initializer that serves a set, and starts its refreshes. See the [front page](crate).
///
/// ```
/// use loco_rs::app::Initializer as _;
/// use sitemap_core::Directory;
/// use sitemap_loco::Sitemap;
/// use sitemap_serve::SitemapService;
///
/// # let folder = std::env::temp_dir();
/// // A set that another process publishes needs no refreshes.
/// let sitemap = Sitemap::new(SitemapService::new(Directory::open(folder)?).mount("/shop"));
/// assert_eq!(sitemap.name(), "sitemap");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "an initializer does nothing before `Hooks::initializers` returns it"]
pub struct Sitemap {
    service: SitemapService,
    start: Option<Start>,
}

impl Sitemap {
    /// Creates an initializer for a set: [`LiveSitemap::service`](sitemap_serve::LiveSitemap::service), or
    /// [`SitemapService::new`] for a directory or a bucket. The service has the settings, such as robots.txt.
    pub fn new(service: SitemapService) -> Self {
        Self { service, start: None }
    }

    /// Refreshes the set while the server runs.
    ///
    /// `start` returns what [`LiveSitemap::every_async`](sitemap_serve::LiveSitemap::every_async) returns. It is called
    /// when the server starts, and not in processes that only run workers or tasks. The handle is in the shared store of
    /// the context, from which controllers and [`stop`] get it.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use loco_rs::app::Initializer as _;
    /// use sitemap_core::Site;
    /// use sitemap_loco::Sitemap;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let live = LiveSitemap::new(Site::new("https://www.example.com")?);
    /// let sitemap = Sitemap::new(live.service()).refresh(move |context| {
    ///     let host = context.config.server.host.clone();
    ///     live.every_async(Duration::from_secs(600), async move |publisher| {
    ///         publisher.section("pages")?.add(&format!("{host}/about"))?;
    ///         Ok(())
    ///     })
    /// });
    /// assert_eq!(sitemap.name(), "sitemap");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh<F>(mut self, start: impl Fn(&AppContext) -> (Refresher, F) + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.start = Some(Box::new(move |context| {
            let (refresher, schedule) = start(context);
            (refresher, Box::pin(schedule))
        }));
        self
    }
}

#[async_trait]
impl Initializer for Sitemap {
    fn name(&self) -> String {
        "sitemap".to_owned()
    }

    async fn after_routes(&self, router: Router, context: &AppContext) -> Result<Router> {
        if let Some(start) = &self.start {
            let (refresher, schedule) = start(context);
            context.shared_store.insert(refresher);
            tokio::spawn(schedule);
        }
        Ok(router.layer(self.service.clone().layer()))
    }
}

impl fmt::Debug for Sitemap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sitemap").field("service", &self.service).finish_non_exhaustive()
    }
}

/// Stops the refreshes, and waits until none is running. Await it in `Hooks::on_shutdown`.
///
/// A refresh that is running is given up, and the old set stays.
pub async fn stop(context: &AppContext) {
    if let Some(refresher) = context.shared_store.get::<Refresher>() {
        refresher.stop().await;
    }
}
