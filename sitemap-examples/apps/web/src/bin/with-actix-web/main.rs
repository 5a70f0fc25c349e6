//! The shop on actix-web and Diesel. It serves its sitemap and republishes it in the background.
//!
//! ```sh
//! cargo run -p web --bin with-actix-web
//! curl -i http://127.0.0.1:3000/sitemap.xml
//! curl -i -X POST http://127.0.0.1:3000/admin/republish
//! ```

mod pages;

use std::future::ready;
use std::iter::zip;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use orm::with_diesel::{Article, Category, Database, ProductWithImages};
use shop::{Options, Page, html};
use sitemap_actix::Sitemap;
use sitemap_core::record::{HasRoute as _, HasRoutes as _};
use sitemap_core::{Site, StaticPages as _};
use sitemap_serve::{LiveSitemap, Refresher};

#[actix_web::main]
async fn main() -> ExitCode {
    shop::end("with-actix-web", serve().await)
}

async fn serve() -> Result<(), shop::Error> {
    let options = Options::from_env()?;
    // Uses a single connection, because the sample data is in that connection's in-memory database. An application with
    // a database server uses a pool.
    let database = web::Data::new(Mutex::new(Database::open(&options)?));

    // Publishes the set now and then at this interval, on a background thread.
    let sitemap = LiveSitemap::with_options(LiveSitemap::options(Site::new(shop::BASE)?).gzip());
    let rows = database.clone();
    let refresher = sitemap.every(options.every, move |run| {
        rows.lock().unwrap_or_else(PoisonError::into_inner).add_pages(run)
    })?;
    let stopper = refresher.clone();
    let refresher = web::Data::new(refresher);
    let sitemap = Sitemap::new(sitemap.service().robots_txt(&Site::new(shop::BASE)?, shop::ROBOTS_TXT));

    let server = HttpServer::new(move || {
        let mut app = App::new()
            .app_data(database.clone())
            .app_data(refresher.clone())
            .route(ProductWithImages::ROUTE.actix_web(), web::get().to(pages::product))
            .route(Category::ROUTE.actix_web(), web::get().to(pages::category))
            .route(Article::ROUTE.actix_web(), web::get().to(pages::article))
            // In production, restrict access to this route to administrators.
            .route("/admin/republish", web::post().to(republish))
            .default_service(web::to(async || HttpResponse::NotFound().body(shop::NOT_FOUND)));
        for (route, &page) in zip(Page::ROUTES, Page::PAGES) {
            app = app
                .route(route.actix_web(), web::get().to(move || ready(web::Html::new(html::of_page(page)))));
        }
        // Serves the sitemap files and robots.txt. Other requests go to the routes.
        app.wrap(sitemap.clone())
    });
    // Disconnects a client that takes longer than this to send its headers.
    let server = server.client_request_timeout(Duration::from_secs(10));
    let server = server.bind(("127.0.0.1", options.port))?;
    for address in server.addrs() {
        println!("listening on http://{address}");
    }
    server.run().await?;
    // Wait for a running refresh to end before the database closes.
    stopper.stop().await;
    Ok(())
}

/// Starts a publication and returns immediately.
async fn republish(refresher: web::Data<Refresher>) -> HttpResponse {
    refresher.wake();
    HttpResponse::Accepted().finish()
}
