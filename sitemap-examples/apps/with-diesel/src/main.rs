//! Publishes the shop's sitemaps with Diesel.
//!
//! ```sh
//! cargo run -p with-diesel -- --out public
//! DATABASE_URL=postgres://localhost/shop cargo run -p with-diesel --features postgres -- --fill --out public
//! ```

use std::process::ExitCode;

use shop::Options;
use sitemap_core::Summary;
use with_diesel::Database;

fn main() -> ExitCode {
    match run() {
        Ok(summary) => {
            println!("{summary}\n\nfor robots.txt:\n{}", summary.robots_txt());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("with-diesel: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let mut database = Database::open(&options)?;
    let mut publisher = shop::publisher()?.to_dir(&options.out)?;
    database.add_pages(&mut publisher)?;
    Ok(publisher.finish()?)
}
