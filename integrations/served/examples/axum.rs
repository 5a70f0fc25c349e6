//! The application from the guide `docs/guides/axum.md`.
//!
//! ```sh
//! cargo run -p served --example axum
//! ```

use std::env;
use std::iter::zip;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum_server::Handle;
use hyper_util::rt::TokioTimer;
use sitemap_core::record::{HasRoute, HasRoutes};
use sitemap_core::{Directory, Site, SitemapEntry, StaticPages};
use sitemap_serve::{LiveSitemap, Refresher};
use tokio::signal::ctrl_c;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::RwLock;

/// Static pages. `rename_all` gives `About` the path `/about`.
#[derive(Debug, SitemapEntry)]
#[sitemap(rename_all = "kebab-case", section = "pages")]
enum Page {
    #[sitemap(loc = "/", changefreq = "daily")]
    Home,
    About,
}

#[derive(Clone, SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", section = "posts")]
struct Post {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: SystemTime,
}

/// Stands in for your app's database.
#[derive(Clone)]
struct Posts(Arc<RwLock<Vec<Post>>>);

impl Posts {
    fn new() -> Self {
        let posts =
            ["tea", "biscuits"].map(|slug| Post { slug: slug.to_owned(), updated_at: SystemTime::now() });
        Self(Arc::new(RwLock::new(posts.into())))
    }

    async fn all(&self) -> Vec<Post> {
        self.0.read().await.clone()
    }

    async fn has(&self, slug: &str) -> bool {
        self.0.read().await.iter().any(|post| post.slug == slug)
    }

    async fn add(&self, slug: String) {
        self.0.write().await.push(Post { slug, updated_at: SystemTime::now() });
    }
}

/// The state shared by the handlers.
#[derive(Clone)]
struct App {
    posts: Posts,
    refresher: Refresher,
}

async fn post(State(app): State<App>, Path(slug): Path<String>) -> Result<String, StatusCode> {
    if app.posts.has(&slug).await { Ok(slug) } else { Err(StatusCode::NOT_FOUND) }
}

async fn add_post(State(app): State<App>, Path(slug): Path<String>) -> StatusCode {
    app.posts.add(slug).await;
    // Publishes the sitemap again in the background.
    app.refresher.wake();
    StatusCode::ACCEPTED
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().init();
    let posts = Posts::new();

    // Publishes at the first start, and then ten minutes after each refresh ends.
    let site = Site::new("https://www.example.com")?;
    // The set stays in this folder when the process ends. Delete the folder if you change the site's base URL.
    let folder = Directory::open("sitemap-files")?;
    let live = LiveSitemap::on(folder, LiveSitemap::options(site.clone()));
    let rows = posts.clone();
    let (refresher, schedule) = live.every_async(Duration::from_secs(600), async move |run| {
        run.add_all(Page::PAGES)?;
        run.add_all(rows.all().await)?;
        Ok(())
    });
    tokio::spawn(schedule);
    let sitemap = live.service().robots_txt(&site, "User-agent: *\nDisallow: /admin/\n");

    let mut router = Router::new().route(Post::ROUTE.axum(), get(post).post(add_post));
    for (route, page) in zip(Page::ROUTES, Page::PAGES) {
        router = router.route(route.axum(), get(async move || format!("{page:?}")));
    }
    let router = router
        .fallback(async || (StatusCode::NOT_FOUND, "no such page"))
        .with_state(App { posts, refresher: refresher.clone() })
        // Serves `/sitemap.xml`, the files it lists, and `/robots.txt`. Other requests go to the routes above.
        .layer(sitemap.layer());

    let port = env::var("PORT").map_or(Ok(3000), |port| port.parse())?;
    let handle = Handle::new();
    let mut server = axum_server::bind(SocketAddr::from(([127, 0, 0, 1], port)))
        .handle(handle.clone())
        .first_request_timeout(Duration::from_secs(10));
    // Without these limits, a client that sends its headers slowly could keep its connection forever.
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10));
    // Ctrl-C, and the signal that systemd, Docker and Kubernetes send to stop a program.
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::spawn(async move {
        tokio::select! {
            Ok(()) = ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        handle.graceful_shutdown(Some(Duration::from_secs(30)));
    });
    println!("listening on http://127.0.0.1:{port}");
    server.serve(router.into_make_service()).await?;
    refresher.stop().await;
    Ok(())
}
