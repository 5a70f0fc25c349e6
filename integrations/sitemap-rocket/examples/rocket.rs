//! The application from the guide `docs/guides/rocket.md`.
//!
//! ```sh
//! cargo run -p sitemap-rocket --example rocket
//! ```

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rocket::http::Status;
use rocket::{State, catch, catchers, get, post, routes};
use sitemap_core::{Directory, Site, SitemapEntry, StaticPages};
use sitemap_rocket::Sitemap;
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

#[get("/")]
fn home() -> &'static str {
    "Home"
}

#[get("/about")]
fn about() -> &'static str {
    "About"
}

#[get("/posts/<slug>")]
async fn post(posts: &State<Posts>, slug: &str) -> Option<String> {
    posts.has(slug).await.then(|| slug.to_owned())
}

#[post("/posts/<slug>")]
async fn add_post(posts: &State<Posts>, refresher: &State<Refresher>, slug: &str) -> Status {
    posts.add(slug.to_owned()).await;
    // Publishes the sitemap again in the background.
    refresher.wake();
    Status::Accepted
}

#[catch(404)]
fn not_found() -> &'static str {
    "no such page"
}

#[rocket::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().init();

    let site = Site::new("https://www.example.com")?;
    // The set stays in this folder when the process ends. Delete the folder if you change the site's base URL.
    let folder = Directory::open("sitemap-files")?;
    let live = LiveSitemap::on(folder, LiveSitemap::options(site.clone()));
    // Serves `/sitemap.xml`, the files it lists, and `/robots.txt`. Other requests go to the routes and catchers.
    let service = live.service().robots_txt(&site, "User-agent: *\nDisallow: /admin/\n");
    let sitemap = Sitemap::new(service).refresh(move |rocket| {
        // The rocket has the state that was managed before, and the state of fairings attached before.
        let posts = rocket.state::<Posts>().cloned();
        // Publishes at the first liftoff, and then ten minutes after each refresh ends. Stops at shutdown.
        live.every_async(Duration::from_secs(600), async move |run| {
            let posts = posts.as_ref().ok_or("the application manages no `Posts`")?;
            run.add_all(Page::PAGES)?;
            run.add_all(posts.all().await)?;
            Ok(())
        })
    });

    // Rocket does not disconnect clients that send their headers slowly, so a proxy in front of it must do so.
    rocket::build()
        .manage(Posts::new())
        .mount("/", routes![home, about, post, add_post])
        .register("/", catchers![not_found])
        .attach(sitemap)
        .launch()
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use sitemap_core::record::{HasRoute, HasRoutes, Route};

    use super::*;

    /// Rocket's attribute needs a literal, so the route repeats the URL template.
    #[test]
    fn routes_are_the_sitemaps_templates() {
        let routes = routes![home, about, post].into_iter().map(|route| route.uri.to_string());
        let templates = [Page::ROUTES, &[Post::ROUTE]].concat().into_iter().map(Route::rocket);
        assert!(routes.eq(templates));
    }
}
