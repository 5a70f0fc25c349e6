//! Compares how much each reader needs to read a set of sitemaps.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sitemap_bench::child::{self, CHILD, Purpose, Usage};
use sitemap_bench::options::{self, Options};
use sitemap_bench::publish::{CONTENDERS, Contender};
use sitemap_bench::read::READERS;
use sitemap_bench::{Result, allocations, workload};

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

const USAGE: &str = "\
usage: read [--entries N] [--rounds N] [--only NAME]... [--dir DIR]

  --entries N  URLs in the set (default 1000000)
  --rounds N   timed runs of each reader (default 5)
  --only NAME  run only this reader; may be repeated
  --dir DIR    write the files to a new directory in DIR (default /dev/shm)
";

fn main() -> ExitCode {
    options::main(USAGE, |arguments| match arguments {
        [child, arguments @ ..] if *child == CHILD => child::main(READERS, arguments),
        _ => compare(arguments),
    })
}

fn compare(arguments: &[&str]) -> Result<()> {
    let mut options = Options::new(arguments)?;
    let entries = options.positive("--entries", 1_000_000)?;
    let rounds: usize = options.positive("--rounds", 5)?;
    let readers = options.only("--only", READERS, |reader| reader.name)?;
    let scratch = tempfile::tempdir_in(options.or("--dir", PathBuf::from("/dev/shm"))?)?;
    options.finish()?;
    let dir = scratch.path();
    let floor = CONTENDERS
        .iter()
        .find(|contender| contender.name == "floor")
        .ok_or("there is no contender `floor`")?;
    (floor.run)(dir, entries)?;
    let bytes = size(dir, entries)?;

    let mut runs: Vec<Vec<Usage>> = vec![Vec::new(); readers.len()];
    let mut counts = Vec::new();
    for reader in &readers {
        eprintln!("checking {}", reader.name);
        counts.push(child::spawn(*reader, dir, entries, Purpose::Count)?.allocations);
    }
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        for turn in 0..runs.len() {
            // Each round starts with a different reader, so that no reader always runs first.
            let place = (round + turn) % runs.len();
            runs[place].push(child::spawn(readers[place], dir, entries, Purpose::Time)?);
        }
    }
    print!("{}", table(&readers, &runs, &counts, entries, bytes));
    Ok(())
}

fn size(dir: &Path, entries: u64) -> Result<u64> {
    let mut bytes = 0;
    for (_, n) in workload::files(entries).zip(1..) {
        bytes += fs::metadata(workload::child_path(dir, n))?.len();
    }
    Ok(bytes)
}

#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn table(readers: &[Contender], runs: &[Vec<Usage>], counts: &[u64], entries: u64, bytes: u64) -> String {
    let median = |runs: &[Usage]| {
        let mut cpu: Vec<f64> = runs.iter().map(Usage::cpu).collect();
        cpu.sort_by(f64::total_cmp);
        cpu[cpu.len() / 2]
    };
    let base = median(&runs[0]);
    let mut out = String::new();
    _ = writeln!(
        out,
        "| reader | CPU s, median | MB/s | x {} | min | max | peak RSS MiB | allocations/entry |",
        readers[0].name
    );
    _ = writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|");
    for ((reader, runs), count) in readers.iter().zip(runs).zip(counts) {
        let cpu = median(runs);
        let least = runs.iter().map(Usage::cpu).fold(f64::INFINITY, f64::min);
        let most = runs.iter().map(Usage::cpu).fold(0.0, f64::max);
        let peak = runs.iter().map(|run| run.peak_kib).max().unwrap_or_default() as f64 / 1024.0;
        _ = writeln!(
            out,
            "| {} | {cpu:.3} | {:.0} | {:.2} | {least:.3} | {most:.3} | {peak:.1} | {:.2} |",
            reader.name,
            bytes as f64 / 1e6 / cpu,
            base / cpu,
            *count as f64 / entries as f64,
        );
    }
    out
}
