//! The application from the Loco section of `docs/guides/axum.md`.
//!
//! ```sh
//! cd integrations/served && cargo run --example loco -- start
//! ```

use std::iter::zip;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::get;
use axum_server::Handle;
use hyper_util::rt::TokioTimer;
use loco_rs::app::{AppContext, Hooks};
use loco_rs::bgworker::Queue;
use loco_rs::boot::{BootResult, ServeParams, StartMode, create_app, shutdown_signal};
use loco_rs::config::Config;
use loco_rs::controller::extractor::shared_store::SharedStore;
use loco_rs::controller::{AppRoutes, Routes};
use loco_rs::environment::Environment;
use loco_rs::task::Tasks;
use loco_rs::{Error, Result};
use sitemap_core::record::{HasRoute, HasRoutes};
use sitemap_core::{Directory, Site, SitemapEntry, StaticPages};
use sitemap_serve::{LiveSitemap, Refresher};
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

async fn post(SharedStore(posts): SharedStore<Posts>, Path(slug): Path<String>) -> Result<String> {
    if posts.has(&slug).await { Ok(slug) } else { Err(Error::NotFound) }
}

async fn add_post(
    SharedStore(posts): SharedStore<Posts>,
    SharedStore(refresher): SharedStore<Refresher>,
    Path(slug): Path<String>,
) -> StatusCode {
    posts.add(slug).await;
    // Publishes the sitemap again in the background.
    refresher.wake();
    StatusCode::ACCEPTED
}

struct App;

#[async_trait]
impl Hooks for App {
    fn app_name() -> &'static str {
        env!("CARGO_CRATE_NAME")
    }

    async fn boot(mode: StartMode, environment: &Environment, config: Config) -> Result<BootResult> {
        create_app::<Self>(mode, environment, config).await
    }

    async fn after_context(context: AppContext) -> Result<AppContext> {
        context.shared_store.insert(Posts::new());
        Ok(context)
    }

    async fn after_routes(router: Router, context: &AppContext) -> Result<Router> {
        let site = Site::new("https://www.example.com").map_err(Error::wrap)?;
        // The set stays in this folder when the process ends. Delete the folder if you change the site's base URL.
        let folder = Directory::open("sitemap-files").map_err(Error::wrap)?;
        let live = LiveSitemap::on(folder, LiveSitemap::options(site.clone()));
        // In an app with a database: `let database = context.db.clone();`
        let posts = context
            .shared_store
            .get::<Posts>()
            .ok_or_else(|| Error::string("the shared store has no `Posts`"))?;
        // Publishes when the server first starts, and then ten minutes after each refresh ends.
        let (refresher, schedule) = live.every_async(Duration::from_secs(600), async move |run| {
            run.add_all(Page::PAGES)?;
            run.add_all(posts.all().await)?;
            Ok(())
        });
        tokio::spawn(schedule);
        context.shared_store.insert(refresher);
        // Serves `/sitemap.xml`, the files it lists, and `/robots.txt`. Other requests go to the routes.
        let sitemap = live.service().robots_txt(&site, "User-agent: *\nDisallow: /admin/\n");
        Ok(router.layer(sitemap.layer()))
    }

    async fn on_shutdown(context: &AppContext) {
        if let Some(refresher) = context.shared_store.get::<Refresher>() {
            refresher.stop().await;
        }
    }

    // Loco's own server never disconnects a client that is still sending its headers, however slowly.
    async fn serve(app: Router, context: &AppContext, address: &ServeParams) -> Result<()> {
        let listener = TcpListener::bind(format!("{}:{}", address.binding, address.port))?;
        let handle = Handle::new();
        let mut server = axum_server::from_tcp(listener)?
            .handle(handle.clone())
            .first_request_timeout(Duration::from_secs(10));
        server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10));
        let context = context.clone();
        tokio::spawn(async move {
            shutdown_signal().await;
            Self::on_shutdown(&context).await;
            handle.graceful_shutdown(Some(Duration::from_secs(30)));
        });
        server.serve(app.into_make_service_with_connect_info::<SocketAddr>()).await?;
        Ok(())
    }

    fn routes(_: &AppContext) -> AppRoutes {
        let mut routes = Routes::new().add(Post::ROUTE.axum(), get(post).post(add_post));
        for (route, page) in zip(Page::ROUTES, Page::PAGES) {
            routes = routes.add(route.axum(), get(async move || format!("{page:?}")));
        }
        AppRoutes::empty().add_route(routes)
    }

    async fn connect_workers(_: &AppContext, _: &Queue) -> Result<()> {
        Ok(())
    }

    fn register_tasks(_: &mut Tasks) {}
}

#[tokio::main]
async fn main() -> Result<()> {
    loco_rs::cli::main::<App>().await
}
