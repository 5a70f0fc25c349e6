//! Publishes a table of millions of rows from PostgreSQL, in one of five ways.
//!
//! ```sh
//! DATABASE_URL=postgres://localhost/shop cargo run --release -p orm --bin big-table -- --way copy --out public
//! ```
//!
//! Prints the number of URLs and files, the time, the CPU time and the peak memory.

mod copy;
mod options;
mod product;
mod ways;

use std::process::ExitCode;
use std::time::Instant;

use options::{Options, Way};
use sitemap_core::Summary;
use sqlx::postgres::PgPoolOptions;

#[tokio::main]
async fn main() -> ExitCode {
    shop::end("big-table", run().await)
}

async fn run() -> Result<(), shop::Error> {
    let options = Options::from_env()?;
    let pool = PgPoolOptions::new().max_connections(2).connect(&options.database_url).await?;
    if let Some(rows) = options.fill {
        product::fill(&pool, rows).await?;
    }
    let start = Instant::now();
    let summary = publish(&options, &pool).await?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} URLs in {} files", summary.urls(), summary.files().len());
    println!("{} bytes", summary.bytes());
    println!("{seconds:.2} s");
    println!("{} s of CPU time", cpu_time().unwrap_or("unknown".to_owned()));
    println!("{} KiB at peak", peak_memory().unwrap_or("unknown number of".to_owned()));
    Ok(())
}

async fn publish(options: &Options, pool: &sqlx::PgPool) -> Result<Summary, shop::Error> {
    let site = sitemap_core::Site::new(shop::BASE)?;
    let settings = sitemap_core::SitemapSet::builder(site);
    let settings = if let Some(level) = options.gzip { settings.gzip_level(level) } else { settings };
    let storage = sitemap_core::Directory::open(&options.out)?;
    let mut run = settings.threads(options.threads).storage(storage).replace_async().await?;
    match options.way {
        Way::Stream => ways::stream(pool, &mut run).await?,
        Way::Rows => ways::rows(pool, &mut run).await?,
        Way::Keyset => ways::keyset(pool, &mut run).await?,
        Way::Arrays => ways::arrays(pool, &mut run).await?,
        Way::Copy => ways::copy(pool, &mut run).await?,
    }
    Ok(run.commit_async().await?)
}

/// Returns the CPU time used by this process in seconds, if the system has `/proc`.
fn cpu_time() -> Option<String> {
    /// Linux counts in hundredths of a second on every machine that Rust supports.
    const TICKS: f64 = 100.0;

    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in parentheses and may contain spaces. User and system time are the 12th and 13th values
    // after it.
    let values: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = values.get(11)?.parse::<f64>().ok()? + values.get(12)?.parse::<f64>().ok()?;
    Some(format!("{:.2}", ticks / TICKS))
}

/// Returns the peak memory of this process in KiB, if the system has `/proc`.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").to_owned())
}
