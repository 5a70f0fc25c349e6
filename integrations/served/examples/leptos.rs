//! The application of the section on Leptos in `docs/guides/axum.md`.
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

/// Stands for the database of your app.
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
        // With `blocking`, the status is known before the first part of the page is sent.
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

/// The state of the handlers that are not pages.
#[derive(Clone)]
struct Api {
    posts: Posts,
    refresher: Refresher,
}

async fn add_post(State(api): State<Api>, Path(slug): Path<String>) -> StatusCode {
    api.posts.add(slug).await;
    // Publishes the sitemap again, without waiting for it.
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
    // The server does not start if a route with parameters has no record, and so no pages in the sitemap.
    assert_eq!(others, [Post::ROUTE.axum()]);

    // Publishes at the first start, and then ten minutes after each refresh.
    let site = Site::new("https://www.example.com")?;
    // The folder keeps the set when the process ends. Remove it if you change the base URL of the site.
    let folder = Directory::open("sitemap-files")?;
    let live = LiveSitemap::on(folder, LiveSitemap::options(site.clone()));
    let rows = posts.clone();
    let (refresher, schedule) = live.every_async(Duration::from_secs(600), async move |publisher| {
        publisher.section("pages")?.add_all(&pages)?;
        publisher.add_all(rows.all().await)?;
        Ok(())
    });
    tokio::spawn(schedule);
    let sitemap = live.service().robots_txt(&site, "User-agent: *\nDisallow: /admin/\n");

    // The site root is the only folder whose files are served. Without it, that would be the folder of the process.
    let options = LeptosOptions::builder().output_name("app").site_root("site").build();
    let api = Api { posts: posts.clone(), refresher: refresher.clone() };
    let router = Router::new()
        .leptos_routes_with_context(&options, routes, move || provide_context(posts.clone()), App)
        .fallback(leptos_axum::file_and_error_handler::<LeptosOptions, _>(|_| App()))
        .with_state(options)
        .merge(Router::new().route(Post::ROUTE.axum(), axum::routing::post(add_post)).with_state(api))
        // Answers for `/sitemap.xml`, the files that it lists, and `/robots.txt`. All else goes to the routes above.
        .layer(sitemap.layer());

    let port = env::var("PORT").map_or(Ok(3000), |port| port.parse())?;
    let handle = Handle::new();
    let mut server = axum_server::bind(SocketAddr::from(([127, 0, 0, 1], port)))
        .handle(handle.clone())
        .first_request_timeout(Duration::from_secs(10));
    // Without these limits, a client that sends its headers slowly keeps its connection for ever.
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10));
    // Ctrl-C, and the signal with which systemd, Docker and Kubernetes end a program.
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
