//! The application from the Leptos section of `docs/guides/axum.md`.
//!
//! ```sh
//! cargo run -p served --example leptos
//! ```

use std::env;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum_server::Handle;
use hyper_util::rt::TokioTimer;
use leptos::prelude::*;
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list};
use leptos_router::components::{Route, Router as LeptosRouter, Routes};
use leptos_router::hooks::use_params_map;
use leptos_router::path;
use sitemap_core::record::HasRoute;
use sitemap_core::{Directory, Site, SitemapEntry};
use sitemap_serve::{LiveSitemap, Refresher};
use tokio::signal::ctrl_c;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::RwLock;

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

#[component]
fn NotFound() -> impl IntoView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::NOT_FOUND);
    }
    "no such page"
}

#[component]
fn PostPage() -> impl IntoView {
    let posts = expect_context::<Posts>();
    let slug = use_params_map().read_untracked().get("slug").unwrap_or_default();
    let post = async move { posts.has(&slug).await.then_some(slug) };
    view! {
        // With `blocking`, the server knows the status before it sends the first part of the page.
        <Await future=post blocking=true let:slug>
            {slug.clone().map_or_else(|| NotFound().into_any(), IntoAny::into_any)}
        </Await>
    }
}

#[component]
fn App() -> impl IntoView {
    view! {
        <!DOCTYPE html>
        <LeptosRouter>
            <Routes fallback=NotFound>
                <Route path=path!("/") view=|| "Home"/>
                <Route path=path!("/about") view=|| "About"/>
                <Route path=path!("/posts/:slug") view=PostPage/>
            </Routes>
        </LeptosRouter>
    }
}

/// The state shared by the handlers that are not pages.
#[derive(Clone)]
struct Api {
    posts: Posts,
    refresher: Refresher,
}

async fn add_post(State(api): State<Api>, Path(slug): Path<String>) -> StatusCode {
    api.posts.add(slug).await;
    // Publishes the sitemap again in the background.
    api.refresher.wake();
    StatusCode::ACCEPTED
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().init();
    let posts = Posts::new();

    let routes = generate_route_list(App);
    let paths = routes.iter().map(|route| route.path().to_owned());
    let (others, pages): (Vec<_>, Vec<_>) = paths.partition(|path| path.contains('{'));
    // Refuses to start if a route with parameters has no record, because its pages would not be in the sitemap.
    assert_eq!(others, [Post::ROUTE.axum()]);

    // Publishes at the first start, and then ten minutes after each refresh ends.
    let site = Site::new("https://www.example.com")?;
    // The set stays in this folder when the process ends. Delete the folder if you change the site's base URL.
    let folder = Directory::open("sitemap-files")?;
    let live = LiveSitemap::on(folder, LiveSitemap::options(site.clone()));
    let rows = posts.clone();
    let (refresher, schedule) = live.every_async(Duration::from_secs(600), async move |run| {
        run.section("pages")?.add_all(&pages)?;
        run.add_all(rows.all().await)?;
        Ok(())
    });
    tokio::spawn(schedule);
    let sitemap = live.service().robots_txt(&site, "User-agent: *\nDisallow: /admin/\n");

    // Only files in the site root are served. Without this setting, that would be the current directory.
    let options = LeptosOptions::builder().output_name("app").site_root("site").build();
    let api = Api { posts: posts.clone(), refresher: refresher.clone() };
    let router = Router::new()
        .leptos_routes_with_context(&options, routes, move || provide_context(posts.clone()), App)
        .fallback(leptos_axum::file_and_error_handler::<LeptosOptions, _>(|_| App()))
        .with_state(options)
        .merge(Router::new().route(Post::ROUTE.axum(), axum::routing::post(add_post)).with_state(api))
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
