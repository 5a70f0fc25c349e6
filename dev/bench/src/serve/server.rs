//! The servers. Each runs in a separate process.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use sitemap_core::publish::Summary;
use sitemap_core::{Directory, Site};
use sitemap_serve::{LiveSitemap, SitemapService};
use tower_http::services::ServeDir;

use super::slowest::Slowest;
use crate::child::peak_kib;
use crate::publish;
use crate::{Result, workload};

/// The path that returns four numbers: the server's CPU time so far in microseconds, its memory and its peak memory in
/// KiB, and the CPU time of the slowest request in microseconds.
pub const USAGE: &str = "/-/usage";
/// The path that refreshes the live set with different rows, and returns the total size of its files.
pub const REFRESH: &str = "/-/refresh";

/// Prints the server's origin, and serves until the process is killed.
///
/// # Errors
///
/// Returns an error if the server is unknown, the set cannot be read or created, or no port can be opened.
pub fn serve(name: &str, dir: &Path, pages: u64) -> Result<()> {
    let slowest = Slowest::default();
    let router = match name {
        "ServeDir" => {
            Router::new().fallback_service(ServeDir::new(dir).precompressed_br().precompressed_gzip())
        }
        "directory" => Router::new().fallback_service(SitemapService::new(Directory::open(dir)?)),
        "live" | "live, measured" => live(pages)?,
        _ => return Err(format!("there is no server `{name}`").into()),
    };
    let router = if name == "live, measured" {
        let slowest = slowest.clone();
        let measure = move |request: Request, next: Next| slowest.measure(next.run(request));
        router.layer(middleware::from_fn(measure))
    } else {
        router
    };
    let router = router.route(USAGE, get(async move || usage(&slowest).map_err(|error| error.to_string())));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        std::io::stdout().flush()?;
        Ok(axum::serve(listener, router).await?)
    })
}

/// Creates a live set that can be refreshed.
fn live(pages: u64) -> Result<Router> {
    let live = LiveSitemap::new(Site::new(workload::BASE)?);
    let service = live.service();
    let first = AtomicU64::new(0);
    let refresh = move || -> Result<Summary> {
        // Each set contains different rows, so every file changes.
        let first = first.fetch_add(1, Ordering::Relaxed);
        Ok(live.refresh(|run| {
            run.section("catalog")?.add_all((first..first + pages).map(publish::page))?;
            Ok(())
        })?)
    };
    refresh()?;
    let refresh = Arc::new(refresh);
    let again = async move || {
        let done = tokio::task::spawn_blocking(move || {
            refresh().map(|summary| summary.bytes()).map_err(|error| error.to_string())
        });
        done.await.map_err(|error| error.to_string()).flatten().map(|bytes| bytes.to_string())
    };
    Ok(Router::new().route(REFRESH, post(again)).fallback_service(service))
}

fn usage(slowest: &Slowest) -> Result<String> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let cpu = (usage.user_time() + usage.system_time()).num_microseconds();
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let now = line.and_then(|line| line.split_whitespace().next());
    let now = now.ok_or("`/proc/self/status` has no line `VmRSS`; the benchmark needs Linux")?;
    Ok(format!("{cpu} {now} {} {}", peak_kib()?, slowest.micros()))
}
