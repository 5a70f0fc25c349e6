//! Compares the cost of reading a set of sitemaps with each reader.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use sitemap_bench::child::{self, CHILD, Purpose, Usage};
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
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.first().map(String::as_str) {
        Some(CHILD) => child::main_of(READERS, &arguments[1..]),
        _ => compare(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    entries: u64,
    rounds: usize,
    readers: Vec<Contender>,
    dir: PathBuf,
}

fn parse(arguments: &[String]) -> Result<Options> {
    let dir = PathBuf::from("/dev/shm");
    let mut options = Options { entries: 1_000_000, rounds: 5, readers: Vec::new(), dir };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return Err(USAGE.into()) };
        match name.as_str() {
            "--entries" => options.entries = value.parse()?,
            "--rounds" => options.rounds = value.parse()?,
            "--only" => {
                let reader = READERS.iter().find(|reader| reader.name == value);
                options.readers.push(*reader.ok_or_else(|| {
                    format!("there is no reader `{value}`; see the table in `dev/bench/README.md`")
                })?);
            }
            "--dir" => options.dir = PathBuf::from(value),
            _ => return Err(USAGE.into()),
        }
    }
    if options.readers.is_empty() {
        options.readers = READERS.to_vec();
    }
    Ok(options)
}

fn compare(arguments: &[String]) -> Result<()> {
    let options = parse(arguments)?;
    let scratch = Scratch(options.dir.join(format!("sitemap-bench-read-{}", std::process::id())));
    fs::create_dir_all(&scratch.0)?;
    let floor = CONTENDERS
        .iter()
        .find(|contender| contender.name == "floor")
        .ok_or("there is no contender `floor`")?;
    (floor.run)(&scratch.0, options.entries)?;
    let bytes = size(&scratch.0, options.entries)?;

    let mut runs: Vec<Vec<Usage>> = vec![Vec::new(); options.readers.len()];
    let mut counts = Vec::new();
    for reader in &options.readers {
        eprintln!("checking {}", reader.name);
        counts.push(child::spawn(*reader, &scratch.0, options.entries, Purpose::Count)?.allocations);
    }
    for round in 0..options.rounds {
        eprintln!("round {} of {}", round + 1, options.rounds);
        for turn in 0..runs.len() {
            // Each round starts with a different reader, so that no reader always runs first.
            let place = (round + turn) % runs.len();
            runs[place].push(child::spawn(
                options.readers[place],
                &scratch.0,
                options.entries,
                Purpose::Time,
            )?);
        }
    }
    print!("{}", table(&options, &runs, &counts, bytes));
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
fn table(options: &Options, runs: &[Vec<Usage>], counts: &[u64], bytes: u64) -> String {
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
        options.readers[0].name
    );
    _ = writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|");
    for ((reader, runs), count) in options.readers.iter().zip(runs).zip(counts) {
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
            *count as f64 / options.entries as f64,
        );
    }
    out
}

/// A directory that is removed when the comparison ends, also after an error.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A failed removal is ignored, so that it never hides the error that ended the comparison.
        _ = fs::remove_dir_all(&self.0);
    }
}
