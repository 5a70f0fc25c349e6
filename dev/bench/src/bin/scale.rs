//! Measures time and memory for a million, ten million and a hundred million entries.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sitemap_bench::Result;
use sitemap_bench::cases::{self, Case};
use sitemap_bench::publish::page;
use sitemap_core::{Directory, Publisher, Site};

fn main() -> ExitCode {
    let case = |millions: u64| {
        Case::new(format!("{millions} million"), move |dir| publish(dir, millions * 1_000_000))
    };
    let dir = std::env::var_os("SITEMAP_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    cases::main(&[case(1), case(10), case(100)], 1, &dir)
}

fn publish(dir: &Path, entries: u64) -> Result<u64> {
    let site = Site::new("https://www.example.com")?;
    let builder = Publisher::builder(site).gzip_level(1);
    let mut publisher = builder.to_storage(Directory::open(dir)?)?;
    publisher.section("pages")?.add("/")?;
    publisher.section("catalog")?.add_all((0..entries).map(page))?;
    let summary = publisher.finish()?;
    eprintln!(
        "{} entries in {} files, {} indexes",
        summary.urls(),
        summary.files().len(),
        summary.indexes().len()
    );
    Ok(summary.files().iter().map(sitemap_core::publish::PublishedFile::stored_bytes).sum())
}
