//! Publishes the shop's sitemaps with sqlx.
//!
//! ```sh
//! cargo run -p orm --bin with-sqlx -- --out public
//! DATABASE_URL=postgres://localhost/shop cargo run -p orm --bin with-sqlx -- --fill --out public
//! ```

use std::process::ExitCode;

use orm::with_sqlx::Database;
use shop::Options;
use sitemap_core::{Directory, Summary};

#[tokio::main]
async fn main() -> ExitCode {
    shop::report("with-sqlx", run().await)
}

async fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let database = Database::open(&options).await?;
    let folder = Directory::open(&options.out)?;
    let mut publisher = shop::publisher()?.to_storage_async(folder).await?;
    database.add_pages(&mut publisher).await?;
    Ok(publisher.finish_async().await?)
}
