//! Measures the cost of compression at each level and on two threads, and the cost of flate2 alone for the same text.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_bench::Result;
use sitemap_bench::cases::{self, Case};
use sitemap_bench::publish::page;
use sitemap_core::publish::PublisherBuilder;
use sitemap_core::{Directory, Publisher, Site, SitemapWriter};

const ENTRIES: u64 = 1_000_000;

fn main() -> ExitCode {
    let mut cases = vec![
        Case::new("level 6, 1 thread", |dir| publish(dir, |builder| builder.gzip_level(6))),
        Case::new("level 6, 2 threads", |dir| publish(dir, |builder| builder.gzip_level(6).threads(2))),
        Case::new("level 6, flate2 alone", |dir| alone(dir, 6)),
        Case::new("plain, 1 thread", |dir| publish(dir, |builder| builder)),
        Case::new("plain, 2 threads", |dir| publish(dir, |builder| builder.threads(2))),
    ];
    for level in [1, 2, 3, 4, 5, 7, 8, 9] {
        let run = move |dir: &Path| publish(dir, |builder| builder.gzip_level(level));
        cases.push(Case::new(format!("level {level}, 1 thread"), run));
    }
    cases::main(&cases, 3, Path::new("/dev/shm"))
}

fn publish(dir: &Path, options: impl FnOnce(PublisherBuilder) -> PublisherBuilder) -> Result<u64> {
    let storage = Directory::open(dir)?.durable(false);
    let builder = Publisher::builder(Site::new("https://www.example.com")?);
    let mut publisher = options(builder).to_storage(storage)?;
    publisher.section("catalog")?.add_all((0..ENTRIES).map(page))?;
    let summary = publisher.finish()?;
    Ok(summary.files().iter().map(sitemap_core::publish::PublishedFile::stored_bytes).sum())
}

/// Compresses the text of one file again and again, once for each file of the set, and returns the total compressed
/// size.
fn alone(_: &Path, level: u32) -> Result<u64> {
    const FILE: u64 = 50_000;

    let mut writer = SitemapWriter::new(Site::new("https://www.example.com")?, Vec::new());
    (0..FILE).try_for_each(|id| writer.add(&page(id)))?;
    let (text, _) = writer.finish()?;
    let mut stored = 0;
    for _ in 0..ENTRIES / FILE {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(&text)?;
        stored += encoder.finish()?.len() as u64;
    }
    Ok(stored)
}
