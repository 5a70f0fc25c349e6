//! The shop on axum and sqlx. It serves its sitemap and republishes it in the background.
//!
//! ```sh
//! cargo run -p web --bin with-axum
//! curl -i http://127.0.0.1:3000/sitemap.xml
//! curl -i -X POST http://127.0.0.1:3000/admin/republish
//! ```

mod pages;

use std::iter::zip;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::{get, post};
use axum_server::Handle;
use hyper_util::rt::TokioTimer;
use orm::with_sqlx::{Article, Category, Database, Product};
use shop::{Options, Page, html};
use sitemap_core::record::{HasRoute as _, HasRoutes as _};
use sitemap_core::{Site, StaticPages as _};
use sitemap_serve::{LiveSitemap, Refresher};
use tokio::signal::ctrl_c;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The state that all handlers share.
#[derive(Clone)]
struct App {
    database: Database,
    refresher: Refresher,
}

#[tokio::main]
async fn main() -> ExitCode {
    shop::end("with-axum", serve().await)
}

async fn serve() -> Result<(), shop::Error> {
    let options = Options::from_env()?;
    let database = Database::open(&options).await?;

    // Publishes the set now and then at this interval.
    let sitemap = LiveSitemap::with_options(LiveSitemap::options(Site::new(shop::BASE)?).gzip());
    let rows = database.clone();
    let (refresher, schedule) =
        sitemap.every_async(options.every, async move |run| rows.add_pages(run).await);
    tokio::spawn(schedule);
    let sitemap = sitemap.service().robots_txt(&Site::new(shop::BASE)?, shop::ROBOTS_TXT);

    let mut router = Router::new()
        .route(Product::ROUTE.axum(), get(pages::product))
        .route(Category::ROUTE.axum(), get(pages::category))
        .route(Article::ROUTE.axum(), get(pages::article))
        // In production, restrict access to this route to administrators.
        .route("/admin/republish", post(republish))
        .fallback(async || (StatusCode::NOT_FOUND, shop::NOT_FOUND));
    for (route, &page) in zip(Page::ROUTES, Page::PAGES) {
        router = router.route(route.axum(), get(async move || Html(html::of_page(page))));
    }

    let app = App { database, refresher: refresher.clone() };
    // Serves the sitemap files and robots.txt. Other requests go to the routes.
    let router = router.with_state(app).layer(sitemap.layer());

    let handle = Handle::new();
    let mut server = axum_server::bind(([127, 0, 0, 1], options.port).into())
        .handle(handle.clone())
        .first_request_timeout(Duration::from_secs(10));
    // Without these limits, a client that sends its headers slowly could keep its connection forever.
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10));
    tokio::spawn(end_on_signals(handle.clone(), signal(SignalKind::terminate())?));
    tokio::spawn(async move {
        if let Some(address) = handle.listening().await {
            println!("listening on http://{address}");
        }
    });
    server.serve(router.into_make_service()).await?;
    // Wait for a running refresh to end before the database closes.
    refresher.stop().await;
    Ok(())
}

/// Starts a publication and returns immediately.
async fn republish(State(app): State<App>) -> StatusCode {
    app.refresher.wake();
    StatusCode::ACCEPTED
}

/// Waits for Ctrl-C, or for the signal that systemd, Docker and Kubernetes send to stop a program. Then lets running
/// requests complete.
async fn end_on_signals(handle: Handle<SocketAddr>, mut terminate: Signal) {
    tokio::select! {
        Ok(()) = ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    handle.graceful_shutdown(Some(Duration::from_secs(30)));
}
