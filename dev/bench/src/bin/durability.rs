//! Measures the cost of syncing files. A synced set survives a power failure.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sitemap_bench::Result;
use sitemap_bench::cases::{self, Case};
use sitemap_bench::publish::page;
use sitemap_core::{Directory, Publisher, Site};

const ENTRIES: u64 = 1_000_000;

fn main() -> ExitCode {
    let cases = [
        Case::new("plain, not durable", |dir| publish(dir, false, false)),
        Case::new("plain, durable", |dir| publish(dir, false, true)),
        Case::new("gzip, not durable", |dir| publish(dir, true, false)),
        Case::new("gzip, durable", |dir| publish(dir, true, true)),
    ];
    // Unlike the other benchmarks, this one needs a real disk: syncing to a memory disk costs nothing.
    let dir = std::env::var_os("SITEMAP_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    cases::main(&cases, 7, &dir)
}

fn publish(dir: &Path, gzip: bool, durable: bool) -> Result<u64> {
    let storage = Directory::open(dir)?.durable(durable);
    let builder = Publisher::builder(Site::new("https://www.example.com")?);
    let builder = if gzip { builder.gzip() } else { builder };
    let mut publisher = builder.to_storage(storage)?;
    publisher.section("catalog")?.add_all((0..ENTRIES).map(page))?;
    let summary = publisher.finish()?;
    Ok(summary.files().iter().map(sitemap_core::publish::PublishedFile::stored_bytes).sum())
}
