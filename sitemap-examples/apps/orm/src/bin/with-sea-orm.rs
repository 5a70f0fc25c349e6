//! Publishes the shop's sitemaps with SeaORM.
//!
//! ```sh
//! cargo run -p orm --bin with-sea-orm -- --out public
//! DATABASE_URL=postgres://localhost/shop cargo run -p orm --bin with-sea-orm -- --fill --out public
//! ```

use std::process::ExitCode;

use orm::with_sea_orm;
use shop::Options;
use sitemap_core::{Directory, Summary};

#[tokio::main]
async fn main() -> ExitCode {
    shop::report("with-sea-orm", run().await)
}

async fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let database = with_sea_orm::open(&options).await?;
    let folder = Directory::open(&options.out)?;
    let mut run = shop::set_options()?.storage(folder).replace_async().await?;
    with_sea_orm::add_pages(&database, &mut run).await?;
    Ok(run.commit_async().await?)
}
