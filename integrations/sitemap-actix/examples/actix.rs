//! The application from the guide `docs/guides/actix-web.md`.
//!
//! ```sh
//! cargo run -p sitemap-actix --example actix
//! ```

use std::env;
use std::future::ready;
use std::iter::zip;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use actix_web::{App, HttpResponse, HttpServer, web};
use sitemap_actix::Sitemap;
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

async fn post(posts: web::Data<Posts>, slug: web::Path<String>) -> HttpResponse {
    if posts.has(&slug).await { HttpResponse::Ok().body(slug.into_inner()) } else { not_found() }
}

async fn add_post(
    posts: web::Data<Posts>,
    refresher: web::Data<Refresher>,
    slug: web::Path<String>,
) -> HttpResponse {
    posts.add(slug.into_inner()).await;
    // Publishes the sitemap again in the background.
    refresher.wake();
    HttpResponse::Accepted().finish()
}

fn not_found() -> HttpResponse {
    HttpResponse::NotFound().body("no such page")
}

#[actix_web::main]
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
    actix_web::rt::spawn(schedule);
    let sitemap = Sitemap::new(live.service().robots_txt(&site, "User-agent: *\nDisallow: /admin/\n"));

    let (posts, handle) = (web::Data::new(posts), web::Data::new(refresher.clone()));
    let server = HttpServer::new(move || {
        let mut app = App::new()
            .app_data(posts.clone())
            .app_data(handle.clone())
            .service(web::resource(Post::ROUTE.actix_web()).get(post).post(add_post))
            .default_service(web::to(|| ready(not_found())));
        for (route, page) in zip(Page::ROUTES, Page::PAGES) {
            app = app.route(route.actix_web(), web::get().to(move || ready(format!("{page:?}"))));
        }
        // Serves `/sitemap.xml`, the files it lists, and `/robots.txt`. Other requests go to the routes above.
        app.wrap(sitemap.clone())
    });
    let port = env::var("PORT").map_or(Ok(3000), |port| port.parse())?;
    // Disconnects a client that takes longer than this to send its headers. The default is five seconds.
    let server = server.client_request_timeout(Duration::from_secs(10)).bind(("127.0.0.1", port))?;
    // Returns after Ctrl-C or SIGTERM.
    server.run().await?;
    refresher.stop().await;
    Ok(())
}
