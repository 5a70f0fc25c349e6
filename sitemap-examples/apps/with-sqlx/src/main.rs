//! Publishes the shop's sitemaps with sqlx.
//!
//! ```sh
//! cargo run -p with-sqlx -- --out public
//! DATABASE_URL=postgres://localhost/shop cargo run -p with-sqlx -- --fill --out public
//! ```

use std::process::ExitCode;

use shop::Options;
use sitemap_core::{Directory, Summary};
use with_sqlx::Database;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(summary) => {
            println!("{summary}\n\nfor robots.txt:\n{}", summary.robots_txt());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("with-sqlx: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let database = Database::open(&options).await?;
    let folder = Directory::open(&options.out)?;
    let mut publisher = shop::publisher()?.to_storage_async(folder).await?;
    database.add_pages(&mut publisher).await?;
    Ok(publisher.finish_async().await?)
}
