//! Lists the routes of a Leptos application in its sitemap.
//!
//! Leptos already knows the routes of an application: `leptos_axum::generate_route_list`. [`Pages`] takes the paths
//! without parameters from this list. The pages of a route with parameters, such as `/posts/:slug`, are records of the
//! application. If the application names no record for such a route, [`Pages::new`] returns an error. So a route
//! that is added later is in the sitemap, or the server does not start.
//!
//! ```
//! use leptos::prelude::*;
//! use leptos_axum::generate_route_list;
//! use leptos_router::components::{Route, Router, Routes};
//! use leptos_router::path;
//! use sitemap_core::record::HasRoute as _;
//! use sitemap_core::{Site, SitemapEntry};
//! use sitemap_leptos::Pages;
//! use sitemap_serve::LiveSitemap;
//!
//! #[component]
//! fn App() -> impl IntoView {
//!     view! {
//!         <Router>
//!             <Routes fallback=|| "no such page">
//!                 <Route path=path!("/") view=|| "Home"/>
//!                 <Route path=path!("/about") view=|| "About"/>
//!                 <Route path=path!("/posts/:slug") view=|| "Post"/>
//!                 <Route path=path!("/login") view=|| "Log in"/>
//!             </Routes>
//!         </Router>
//!     }
//! }
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}")]
//! struct Post {
//!     slug: String,
//! }
//!
//! let pages = Pages::new(&generate_route_list(App), [Post::ROUTE], ["/login"])?;
//! assert_eq!(pages.paths(), ["/", "/about"]);
//!
//! let live = LiveSitemap::new(Site::new("https://www.example.com")?);
//! let summary = live.refresh(|publisher| {
//!     publisher.section("pages")?.add_all(pages.paths())?;
//!     publisher.section("posts")?.add(&Post { slug: "tea".to_owned() })?;
//!     Ok(())
//! })?;
//! assert_eq!(summary.urls(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Leptos runs on axum, which mounts a set as a `tower` layer: `.layer(live.service().layer())` after
//! `.leptos_routes(…)` and `.fallback(…)`. The guide `docs/guides/leptos.md` and the example `leptos` are a whole server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use leptos_axum::AxumRouteListing;
use leptos_router::Method;
use sitemap_core::record::Route;

/// The pages of an application whose routes have no parameters. See the [front page](crate).
///
/// ```
/// use leptos_axum::AxumRouteListing;
/// use leptos_router::{Method, SsrMode};
/// use sitemap_leptos::Pages;
///
/// // What `generate_route_list(App)` returns:
/// let route = |path: &str| AxumRouteListing::new(path.into(), SsrMode::default(), [Method::Get], []);
/// let routes = [route("/about"), route("/posts/{slug}")];
///
/// let error = Pages::new(&routes, [], []).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no record is known for the route `/posts/{slug}`; pass the `ROUTE` of its record, or leave out the route"
/// );
/// let pages = Pages::new(&routes, [], ["/posts/{slug}"])?;
/// assert_eq!(pages.paths(), ["/about"]);
/// # Ok::<(), sitemap_leptos::RouteError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Pages {
    paths: Vec<String>,
}

impl Pages {
    /// Sorts the routes of an application: those without parameters are [`paths`](Self::paths).
    ///
    /// `records` are the routes of the records that the application adds itself, such as `Post::ROUTE`. `left_out` are
    /// the routes that the sitemap must not list, such as `/login`, in axum's form: `/users/{id}`. Routes that do not
    /// answer GET have no pages.
    ///
    /// # Errors
    ///
    /// [`RouteError`] if a route has parameters and is in neither list, or if a list names a route that the application
    /// does not have, for example because it was renamed.
    pub fn new<'r>(
        routes: &[AxumRouteListing],
        records: impl IntoIterator<Item = Route>,
        left_out: impl IntoIterator<Item = &'r str>,
    ) -> Result<Self, RouteError> {
        let mut unused: BTreeMap<String, bool> =
            records.into_iter().map(|route| (key(route.axum()), true)).collect();
        unused.extend(left_out.into_iter().map(|path| (key(path), false)));
        let known: BTreeSet<String> = unused.keys().cloned().collect();

        let mut paths = Vec::new();
        for route in routes.iter().filter(|route| route.methods().any(|method| method == Method::Get)) {
            let key = key(route.path());
            unused.remove(&key);
            if known.contains(&key) {
                continue;
            }
            if key.contains('{') {
                return Err(RouteError(Kind::NoRecord { route: route.path().to_owned() }));
            }
            if !paths.iter().any(|path| path == route.path()) {
                paths.push(route.path().to_owned());
            }
        }
        match unused.into_iter().next() {
            Some((route, is_record)) => Err(RouteError(Kind::NoRoute { route, is_record })),
            None => Ok(Self { paths }),
        }
    }

    /// Returns the paths, in the order of the routes.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.paths
    }
}

/// Returns a route in a form in which routes can be compared: without the names of its parameters.
fn key(path: &str) -> String {
    let mut segments = path.split('/').map(|segment| {
        match segment.strip_prefix('{').and_then(|segment| segment.strip_suffix('}')) {
            Some(name) if name.starts_with('*') => "{*}",
            Some(_) => "{}",
            None => segment,
        }
    });
    let first = segments.next().unwrap_or_default().to_owned();
    segments.fold(first, |key, segment| key + "/" + segment)
}

/// The routes and the records of an application do not agree; returned by [`Pages::new`].
///
/// ```
/// use leptos_axum::AxumRouteListing;
/// use leptos_router::{Method, SsrMode};
/// use sitemap_leptos::Pages;
///
/// let about = AxumRouteListing::new("/about".into(), SsrMode::default(), [Method::Get], []);
/// assert_eq!(
///     Pages::new(&[about], [], ["/log-in"]).unwrap_err().to_string(),
///     "the application has no route `/log-in`, which must be left out; correct or remove it"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    NoRecord { route: String },
    NoRoute { route: String, is_record: bool },
}

impl fmt::Display for RouteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NoRecord { route } => write!(
                f,
                "no record is known for the route `{route}`; pass the `ROUTE` of its record, or leave out the route"
            ),
            Kind::NoRoute { route, is_record: true } => write!(
                f,
                "the application has no route `{route}`, which a record has; correct the URL template of the record"
            ),
            Kind::NoRoute { route, is_record: false } => write!(
                f,
                "the application has no route `{route}`, which must be left out; correct or remove it"
            ),
        }
    }
}

impl std::error::Error for RouteError {}
