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
    let mut run = shop::set_options()?.storage(folder).replace_async().await?;
    database.add_pages(&mut run).await?;
    Ok(run.commit_async().await?)
}
