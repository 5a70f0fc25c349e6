//! Publishes the shop's sitemaps with Diesel.
//!
//! ```sh
//! cargo run -p orm --bin with-diesel -- --out public
//! DATABASE_URL=postgres://localhost/shop cargo run -p orm --bin with-diesel --features postgres -- --fill --out public
//! ```

use std::process::ExitCode;

use orm::with_diesel::Database;
use shop::Options;
use sitemap_core::Summary;

fn main() -> ExitCode {
    shop::report("with-diesel", run())
}

fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let mut database = Database::open(&options)?;
    let mut run = shop::set_options()?.open(&options.out)?.replace()?;
    database.add_pages(&mut run)?;
    Ok(run.commit()?)
}
