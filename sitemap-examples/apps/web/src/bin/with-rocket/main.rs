//! The shop on Rocket and SeaORM. It serves its sitemap and republishes it in the background.
//!
//! ```sh
//! cargo run -p web --bin with-rocket
//! curl -i http://127.0.0.1:3000/sitemap.xml
//! curl -i -X POST http://127.0.0.1:3000/admin/republish
//! ```

mod pages;

use std::process::ExitCode;

use rocket::fairing::AdHoc;
use rocket::http::Status;
use rocket::{Config, Rocket, State, catch, catchers, routes};
use shop::Options;
use sitemap_core::Site;
use sitemap_rocket::Sitemap;
use sitemap_serve::{LiveSitemap, Refresher};

#[rocket::main]
async fn main() -> ExitCode {
    shop::end("with-rocket", serve().await)
}

async fn serve() -> Result<(), shop::Error> {
    let options = Options::from_env()?;
    let database = orm::with_sea_orm::open(&options).await?;

    let live = LiveSitemap::with_options(LiveSitemap::options(Site::new(shop::BASE)?).gzip());
    let service = live.service().robots_txt(&Site::new(shop::BASE)?, shop::ROBOTS_TXT);
    let rows = database.clone();
    // Publishes the set when the server starts, and then at this interval until it stops.
    let sitemap = Sitemap::new(service).refresh(move |_rocket| {
        live.every_async(options.every, async move |run| orm::with_sea_orm::add_pages(&rows, run).await)
    });

    let config =
        Config { port: options.port, log_level: rocket::config::LogLevel::Critical, ..Config::default() };
    // Rocket does not disconnect clients that send their headers slowly, so a proxy in front of it must do so.
    let rocket: Rocket<_> = rocket::custom(config)
        .manage(database)
        .mount("/", pages::static_routes())
        .mount("/", routes![pages::product, pages::category, pages::article, republish])
        .register("/", catchers![not_found])
        .attach(sitemap)
        .attach(AdHoc::on_liftoff("address", |rocket| {
            Box::pin(async move {
                println!("listening on http://{}:{}", rocket.config().address, rocket.config().port);
            })
        }));
    rocket.launch().await?;
    Ok(())
}

#[catch(404)]
fn not_found() -> &'static str {
    shop::NOT_FOUND
}

/// Starts a publication and returns immediately. In production, restrict access to this route to administrators.
#[rocket::post("/admin/republish")]
fn republish(refresher: &State<Refresher>) -> Status {
    refresher.wake();
    Status::Accepted
}
