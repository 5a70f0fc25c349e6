//! The shop on Rocket and SeaORM. It serves its sitemap and republishes it in the background.
//!
//! ```sh
//! cargo run -p with-rocket
//! curl -i http://127.0.0.1:3000/sitemap.xml
//! curl -i -X POST http://127.0.0.1:3000/admin/republish
//! ```

mod pages;
mod sitemap;

use std::process::ExitCode;

use rocket::fairing::AdHoc;
use rocket::http::Status;
use rocket::{Config, Rocket, State, routes};
use shop::Options;
use sitemap_core::Site;
use sitemap_core::publish::Names;
use sitemap_serve::{LiveSitemap, Refresher};

#[rocket::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("with-rocket: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), shop::Error> {
    let options = Options::from_env()?;
    let database = with_sea_orm::open(&options).await?;

    // Publishes the set now and at every interval.
    let sitemap = LiveSitemap::with_options(shop::publisher()?.names(Names::Digest));
    let rows = database.clone();
    let (refresher, schedule) = sitemap
        .every_async(options.every, async move |publisher| with_sea_orm::add_pages(&rows, publisher).await);
    tokio::spawn(schedule);
    let service = sitemap.service().robots_txt(&Site::new(shop::BASE)?, shop::ROBOTS_TXT);

    let config =
        Config { port: options.port, log_level: rocket::config::LogLevel::Critical, ..Config::default() };
    let rocket: Rocket<_> = rocket::custom(config)
        .manage(database)
        .manage(refresher.clone())
        .mount("/", pages::static_routes())
        .mount("/", routes![pages::product, pages::category, pages::article, republish])
        // Serves the sitemap's files and robots.txt; a catcher answers for any other path.
        .mount("/", sitemap::routes(&service))
        .attach(AdHoc::on_liftoff("address", |rocket| {
            Box::pin(async move {
                println!("listening on http://{}:{}", rocket.config().address, rocket.config().port);
            })
        }));
    rocket.launch().await?;
    // A refresh that is running ends before the database closes.
    refresher.stop().await;
    Ok(())
}

/// Starts a publication and returns immediately. In production, restrict access to this route to administrators.
#[rocket::post("/admin/republish")]
fn republish(refresher: &State<Refresher>) -> Status {
    refresher.wake();
    Status::Accepted
}
