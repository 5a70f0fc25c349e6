//! Publishes the shop's sitemaps with SeaORM.
//!
//! ```sh
//! cargo run -p with-sea-orm -- --out public
//! DATABASE_URL=postgres://localhost/shop cargo run -p with-sea-orm -- --fill --out public
//! ```

use std::process::ExitCode;

use shop::Options;
use sitemap_core::{Directory, Summary};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(summary) => {
            println!("{summary}\n\nfor robots.txt:\n{}", summary.robots_txt());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("with-sea-orm: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let database = with_sea_orm::open(&options).await?;
    let folder = Directory::open(&options.out)?;
    let mut publisher = shop::publisher()?.to_storage_async(folder).await?;
    with_sea_orm::add_pages(&database, &mut publisher).await?;
    Ok(publisher.finish_async().await?)
}
