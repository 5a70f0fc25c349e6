//! Serves a sitemap in a Rocket application.
//!
//! The fairing [`Sitemap`] mounts routes for a set's files and follows Rocket's lifecycle: refreshes start at liftoff
//! and stop at shutdown. The routes forward all requests that are not for the set, so the application's own routes and
//! catchers answer them, including 404s.
//!
//! ```
//! use std::time::Duration;
//!
//! use rocket::http::Status;
//! use rocket::local::blocking::Client;
//! use rocket::{State, catch, catchers, post, routes};
//! use sitemap_core::Site;
//! use sitemap_rocket::Sitemap;
//! use sitemap_serve::{LiveSitemap, Refresher};
//!
//! /// Handlers get the handle of the refreshes from Rocket's state.
//! #[post("/changed")]
//! fn changed(refresher: &State<Refresher>) -> Status {
//!     refresher.wake();
//!     Status::Accepted
//! }
//!
//! #[catch(404)]
//! fn not_found() -> &'static str {
//!     "no such page"
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let site = Site::new("https://www.example.com")?;
//! let live = LiveSitemap::new(site.clone());
//! let service = live.service().robots_txt(&site, "User-agent: *\nDisallow: /cart\n");
//! let schedule = live.clone();
//! let rocket = rocket::build()
//!     .manage(live.clone())
//!     .mount("/", routes![changed])
//!     .register("/", catchers![not_found])
//!     // The closure gets the application, whose state has the database.
//!     .attach(Sitemap::new(service).refresh(move |_rocket| {
//!         schedule.every_async(Duration::from_secs(600), async |run| {
//!             run.section("pages")?.add_all(["/", "/about"])?;
//!             Ok(())
//!         })
//!     }));
//!
//! let client = Client::tracked(rocket)?;
//! # while !live.status().has_set { std::thread::yield_now() }
//! let get = |path| client.get(path).dispatch().into_string().unwrap();
//! assert!(get("/sitemap.xml").contains("<loc>https://www.example.com/about</loc>"));
//! assert!(get("/robots.txt").ends_with("Sitemap: https://www.example.com/sitemap.xml\n"));
//! assert_eq!(get("/sitemap-other.xml"), "no such page");
//! assert_eq!(client.post("/changed").dispatch().status(), Status::Accepted);
//! # Ok(())
//! # }
//! ```
//!
//! The guide `docs/guides/rocket.md` and the example `rocket` show a complete server.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `gzip` | yes | compressed responses and sets |

use std::fmt;
use std::future::Future;
use std::io::Cursor;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use rocket::fairing::{Fairing, Info, Kind};
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::tokio::spawn;
use rocket::{Build, Data, Orbit, Request, Response, Rocket, fairing};
use sitemap_serve::{Refresher, SitemapService};

type Schedule = Pin<Box<dyn Future<Output = ()> + Send>>;
type Start = Box<dyn FnOnce(&Rocket<Build>) -> (Refresher, Schedule) + Send>;

/// A fairing that serves a set, and refreshes it from liftoff to shutdown. See the [crate documentation](crate).
///
/// ```
/// use sitemap_core::Directory;
/// use sitemap_rocket::Sitemap;
/// use sitemap_serve::SitemapService;
///
/// # let folder = std::env::temp_dir();
/// // A set that another process publishes needs no refreshes.
/// let sitemap = Sitemap::new(SitemapService::new(Directory::open(folder)?)).mount("/shop");
/// let client = rocket::local::blocking::Client::tracked(rocket::build().attach(sitemap))?;
/// assert_eq!(client.get("/shop/sitemap.css").dispatch().status().code, 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a fairing does nothing before it is attached to a rocket"]
pub struct Sitemap {
    service: SitemapService,
    base: String,
    start: Mutex<Option<Start>>,
    schedule: Mutex<Option<Schedule>>,
    refresher: Mutex<Option<Refresher>>,
}

impl Sitemap {
    /// Creates a fairing for a set. Pass [`LiveSitemap::service`](sitemap_serve::LiveSitemap::service), or
    /// [`SitemapService::new`] for a directory or bucket. Configure robots.txt and other settings on the service.
    pub fn new(service: SitemapService) -> Self {
        Self {
            service,
            base: "/".to_owned(),
            start: Mutex::default(),
            schedule: Mutex::default(),
            refresher: Mutex::default(),
        }
    }

    /// Sets the path under which the set's files are served. Default: `/`. See the [example](Self).
    ///
    /// Use this instead of [`SitemapService::mount`], because the fairing also mounts its routes there.
    pub fn mount(mut self, path: &str) -> Self {
        self.base = format!("/{}", path.trim_matches('/'));
        self.service = self.service.mount(path);
        self
    }

    /// Refreshes the set from liftoff to shutdown.
    ///
    /// `start` returns the result of [`LiveSitemap::every_async`](sitemap_serve::LiveSitemap::every_async). It is
    /// called when Rocket ignites. Its argument gives access to managed state and to the state of fairings attached
    /// earlier, such as a database connection pool. The handle becomes the managed state `Refresher`. If several
    /// fairings refresh sets, this is the first one's handle. At shutdown, a running refresh is abandoned.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::Site;
    /// use sitemap_rocket::Sitemap;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// struct Pages(Vec<String>);
    ///
    /// let live = LiveSitemap::new(Site::new("https://www.example.com")?);
    /// let schedule = live.clone();
    /// let sitemap = Sitemap::new(live.service()).refresh(move |rocket| {
    ///     let paths = rocket.state::<Pages>().map(|pages| pages.0.clone()).unwrap_or_default();
    ///     schedule.every_async(Duration::from_secs(600), async move |run| {
    ///         run.section("pages")?.add_all(&paths)?;
    ///         Ok(())
    ///     })
    /// });
    /// let rocket = rocket::build().manage(Pages(vec!["/".to_owned()])).attach(sitemap);
    /// let client = rocket::local::blocking::Client::tracked(rocket)?;
    /// # while !live.status().has_set { std::thread::yield_now() }
    /// assert!(client.get("/sitemap.xml").dispatch().into_string().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refresh<F>(mut self, start: impl FnOnce(&Rocket<Build>) -> (Refresher, F) + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let start = move |rocket: &Rocket<Build>| {
            let (refresher, schedule) = start(rocket);
            (refresher, Box::pin(schedule) as Schedule)
        };
        self.start = Mutex::new(Some(Box::new(start)));
        self
    }

    /// Returns the routes. They rank before all others, so a route such as `/<page>` does not hide the sitemap.
    fn routes(&self) -> Vec<Route> {
        // Rocket answers HEAD requests with the GET route, so HEAD needs no route of its own. The service answers all
        // methods after GET with 405.
        [Method::Get, Method::Put, Method::Post, Method::Delete, Method::Patch, Method::Options]
            .map(|method| Route::ranked(-100, method, "/<file>", Files(self.service.clone())))
            .into()
    }
}

#[rocket::async_trait]
impl Fairing for Sitemap {
    fn info(&self) -> Info {
        Info { name: "sitemap", kind: Kind::Ignite | Kind::Liftoff | Kind::Shutdown }
    }

    async fn on_ignite(&self, mut rocket: Rocket<Build>) -> fairing::Result {
        if let Some(start) = take(&self.start) {
            let (refresher, schedule) = start(&rocket);
            *lock(&self.schedule) = Some(schedule);
            *lock(&self.refresher) = Some(refresher.clone());
            // Rocket panics if a type is managed twice.
            if rocket.state::<Refresher>().is_none() {
                rocket = rocket.manage(refresher);
            }
        }
        if self.base != "/" {
            rocket = rocket.mount(self.base.clone(), self.routes());
        }
        // Crawlers request robots.txt at the root of the host, wherever the set is mounted.
        Ok(rocket.mount("/", self.routes()))
    }

    async fn on_liftoff(&self, _: &Rocket<Orbit>) {
        if let Some(schedule) = take(&self.schedule) {
            spawn(schedule);
        }
    }

    async fn on_shutdown(&self, _: &Rocket<Orbit>) {
        if let Some(refresher) = take(&self.refresher) {
            refresher.stop().await;
        }
    }
}

impl fmt::Debug for Sitemap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sitemap")
            .field("service", &self.service)
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take<T>(mutex: &Mutex<Option<T>>) -> Option<T> {
    lock(mutex).take()
}

#[derive(Clone)]
struct Files(SitemapService);

#[rocket::async_trait]
impl Handler for Files {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let headers = request.headers().iter();
        let headers = headers.map(|header| (header.name().as_str().to_owned(), header.value().to_owned()));
        let path = request.uri().path();
        let answer = self.0.respond_or_pass_async(request.method().as_str(), path.as_str(), headers);
        let Some(found) = answer.await else {
            return Outcome::Forward((data, Status::NotFound));
        };
        let (head, body) = found.into_parts();
        let mut response = Response::build();
        response.status(Status::new(head.status.as_u16()));
        for (name, value) in &head.headers {
            if let Ok(value) = value.to_str() {
                response.raw_header_adjoin(name.as_str().to_owned(), value.to_owned());
            }
        }
        Outcome::Success(response.sized_body(body.len(), Cursor::new(body)).finalize())
    }
}
