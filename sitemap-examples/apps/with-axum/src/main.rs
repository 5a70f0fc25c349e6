//! The shop on axum and sqlx. It serves its sitemap and republishes it in the background.
//!
//! ```sh
//! cargo run -p with-axum
//! curl -i http://127.0.0.1:3000/sitemap.xml
//! curl -i -X POST http://127.0.0.1:3000/admin/republish
//! ```

mod pages;

use std::iter::zip;
use std::process::ExitCode;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::{get, post};
use shop::{Options, Page, html};
use sitemap_core::publish::Names;
use sitemap_core::record::{HasRoute as _, HasRoutes as _};
use sitemap_core::{Site, StaticPages as _};
use sitemap_serve::{LiveSitemap, Refresher};
use tokio::net::TcpListener;
use with_sqlx::{Article, Category, Database, Product};

/// The state that all handlers share.
#[derive(Clone)]
struct App {
    database: Database,
    refresher: Refresher,
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("with-axum: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), shop::Error> {
    let options = Options::from_env()?;
    let database = Database::open(&options).await?;

    // Publishes the set now and at every interval.
    let sitemap = LiveSitemap::with_options(shop::publisher()?.names(Names::Digest));
    let rows = database.clone();
    let (refresher, schedule) =
        sitemap.every_async(options.every, async move |publisher| rows.add_pages(publisher).await);
    tokio::spawn(schedule);
    let sitemap = sitemap.service().robots_txt(&Site::new(shop::BASE)?, shop::ROBOTS_TXT);

    let mut router = Router::new()
        .route(Product::ROUTE.axum(), get(pages::product))
        .route(Category::ROUTE.axum(), get(pages::category))
        .route(Article::ROUTE.axum(), get(pages::article))
        // In production, restrict access to this route to administrators.
        .route("/admin/republish", post(republish))
        // Serves the sitemap's files and robots.txt; any other path gets 404.
        .fallback_service(sitemap);
    for (route, &page) in zip(Page::ROUTES, Page::PAGES) {
        router = router.route(route.axum(), get(async move || Html(html::of_page(page))));
    }

    let listener = TcpListener::bind(("127.0.0.1", options.port)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    let app = App { database, refresher: refresher.clone() };
    axum::serve(listener, router.with_state(app)).with_graceful_shutdown(interrupted()).await?;
    // A refresh that is running ends before the database closes.
    refresher.stop().await;
    Ok(())
}

/// Starts a publication and returns immediately.
async fn republish(State(app): State<App>) -> StatusCode {
    app.refresher.wake();
    StatusCode::ACCEPTED
}

/// Waits for Ctrl-C.
async fn interrupted() {
    // Without a handler the server runs until it is killed.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
