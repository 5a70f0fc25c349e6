//! Measures how many files and bytes a run writes after a few records have changed, with and without hash buckets.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use sitemap_bench::Result;
use sitemap_core::publish::BucketKey;
use sitemap_core::{Entry, Publisher, Site, Summary};

const RECORDS: u64 = 1_000_000;
const CHANGES: u64 = 100;

fn main() -> ExitCode {
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<()> {
    println!(
        "{RECORDS} records, compressed, and {CHANGES} changes: a third edited, a third removed, a third added\n"
    );
    println!("| order | children | written | bytes written | of all bytes | first run | second run |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for shards in [None, Some(64), Some(128), Some(256), Some(512)] {
        let dir = std::env::temp_dir().join(format!("sitemap-bench-shards-{}", std::process::id()));
        let row = measure(&dir, shards);
        std::fs::remove_dir_all(&dir)?;
        println!("{}", row?);
    }
    Ok(())
}

fn measure(dir: &Path, shards: Option<u16>) -> Result<String> {
    let start = Instant::now();
    publish(dir, shards, false)?;
    let first = start.elapsed();
    let start = Instant::now();
    let summary = publish(dir, shards, true)?;
    let second = start.elapsed();

    let written: Vec<_> = summary.files().iter().filter(|file| file.changed()).collect();
    let bytes: u64 = written.iter().map(|file| file.stored_bytes()).sum();
    let all: u64 = summary.files().iter().map(sitemap_core::publish::PublishedFile::stored_bytes).sum();
    let order = shards.map_or("plain".to_owned(), |shards| format!("{shards} shards"));
    Ok(format!(
        "| {order} | {} | {} | {bytes} | {} % | {:.2} s | {:.2} s |",
        summary.files().len(),
        written.len(),
        bytes * 100 / all,
        first.as_secs_f64(),
        second.as_secs_f64(),
    ))
}

/// A record: its ID, and the number of times it was edited.
struct Record(u64, u64);

fn publish(dir: &Path, shards: Option<u16>, changed: bool) -> Result<Summary> {
    let step = RECORDS / CHANGES;
    let records = (0..RECORDS + if changed { CHANGES / 3 } else { 0 }).filter_map(move |id| {
        // The changed records are spread evenly over the IDs.
        let change = (changed && id < RECORDS && id % step == step / 2).then_some(id / step % 3);
        match change {
            Some(0) => Some(Record(id, 1)),
            Some(1) => None,
            // The IDs of the added records start at `RECORDS`.
            _ => Some(Record(id, 0)),
        }
    });
    let site = Site::new("https://www.example.com")?;
    let mut publisher = Publisher::builder(site.clone()).gzip().to_dir(dir)?;
    let entry = |Record(id, edits): Record| -> std::result::Result<Entry<'static>, sitemap_core::Error> {
        let date: sitemap_core::LastMod = if edits > 0 { "2026-02-01" } else { "2026-01-31" }.parse()?;
        Ok(Entry::new(site.resolve(format!("/catalog/item-{id}"))?).with_lastmod(date))
    };
    let section = publisher.section("catalog")?;
    match shards {
        None => {
            let mut section = section;
            section.try_add_all(records.map(entry))?;
        }
        Some(shards) => {
            let by_loc = |entry: &Entry<'_>| BucketKey::from(entry.loc().as_str());
            section.in_buckets(shards, by_loc)?.try_add_all(records.map(entry))?;
        }
    }
    Ok(publisher.finish()?)
}
