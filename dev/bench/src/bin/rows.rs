//! Compares the cost of publishing rows with the cost of scanning them and publishing the same rows from memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sitemap_bench::child::{self, CHILD, Usage};
use sitemap_bench::options::{self, Options};
use sitemap_bench::rows::SOURCES;
use sitemap_bench::{Result, allocations, workload};

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

const USAGE: &str = "\
usage: rows [--rows N] [--rounds N] [--dir DIR]

  --rows N    rows of each source (default 1000000)
  --rounds N  timed runs of each way (default 5)
  --dir DIR   write the files to a new directory in DIR (default /dev/shm)
";

/// The goal: reading and publishing rows may cost this many times a scan, on top of the cost of publishing the same
/// rows from memory.
const GOAL: f64 = 1.3;

fn main() -> ExitCode {
    options::main(USAGE, |arguments| match arguments {
        [child, arguments @ ..] if *child == CHILD => run_child(arguments),
        _ => compare(arguments),
    })
}

/// Runs the work named by the arguments after [`CHILD`], and prints the cost.
fn run_child(arguments: &[&str]) -> Result<()> {
    let [name, way, rows, dir, out] = *arguments else {
        return Err("a child process needs five arguments: source, way, rows and two directories".into());
    };
    let source = SOURCES.iter().find(|source| source.name == name).ok_or("the source is unknown")?;
    let prepare = if way == "scan" { source.scan.ok_or("the source has no scan")? } else { source.publish };
    let work = prepare(Path::new(dir), Path::new(out), rows.parse()?);
    child::measure(false, work)
}

fn compare(arguments: &[&str]) -> Result<()> {
    let mut options = Options::new(arguments)?;
    let rows = options.positive("--rows", 1_000_000)?;
    let rounds: usize = options.positive("--rounds", 5)?;
    let scratch = tempfile::tempdir_in(options.or("--dir", PathBuf::from("/dev/shm"))?)?;
    options.finish()?;
    let dir = scratch.path();
    for source in SOURCES {
        eprintln!("writing {}", source.name);
        (source.make)(dir, rows)?;
    }
    let mut scans = vec![Vec::new(); SOURCES.len()];
    let mut publications = vec![Vec::new(); SOURCES.len()];
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        for turn in 0..SOURCES.len() {
            // Each round starts with a different source, so that no source always runs first.
            let place = (round + turn) % SOURCES.len();
            let source = &SOURCES[place];
            if source.scan.is_some() {
                scans[place].push(run(source.name, "scan", rows, dir)?);
            }
            publications[place].push(run(source.name, "publish", rows, dir)?);
            check(dir, rows).map_err(|error| format!("{}: {error}", source.name))?;
        }
    }
    print_table(&scans, &publications);
    Ok(())
}

fn run(source: &str, way: &str, rows: u64, dir: &Path) -> Result<Usage> {
    let out = dir.join("out");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir(&out)?;
    let texts = [source, way, &rows.to_string()].map(str::to_owned);
    let paths = [dir, &out].map(|path| path.to_string_lossy().into_owned());
    child::start(texts.into_iter().chain(paths))
}

/// Checks that the published files are the same as in the first publication.
fn check(dir: &Path, rows: u64) -> Result<()> {
    let (out, first) = (dir.join("out"), dir.join("first"));
    if !first.exists() {
        sitemap_bench::verify::contents(&out, rows, sitemap_bench::publish::Layout::Exact)?;
        return Ok(fs::rename(out, first)?);
    }
    for (_, n) in workload::files(rows).zip(1..) {
        let [found, wanted] = [&out, &first].map(|dir| fs::read(workload::child_path(dir, n)));
        if found? != wanted? {
            return Err(format!("`{}` differs from that of the first run", workload::child_name(n)).into());
        }
    }
    Ok(())
}

fn print_table(scans: &[Vec<Usage>], publications: &[Vec<Usage>]) {
    println!("| rows from | scan, CPU s | to files, CPU s | min | max | publication alone | x the scan |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let mut missed = Vec::new();
    for (place, source) in SOURCES.iter().enumerate() {
        let (whole, least, most) = median(&publications[place]);
        let alone = SOURCES.iter().position(|other| other.name == source.alone).unwrap_or(place);
        let (alone, ..) = median(&publications[alone]);
        print!("| {} |", source.name);
        if scans[place].is_empty() {
            println!(" | {whole:.3} | {least:.3} | {most:.3} | | |");
            continue;
        }
        let (scan, ..) = median(&scans[place]);
        let factor = (whole - alone) / scan;
        println!(" {scan:.3} | {whole:.3} | {least:.3} | {most:.3} | {alone:.3} | {factor:.2} |");
        if factor > GOAL {
            missed.push(source.name);
        }
    }
    println!("\nThe goal is at most {GOAL} in the last column.");
    for name in missed {
        println!("{name} missed it.");
    }
}

/// Returns the median, minimum and maximum CPU time of the runs.
fn median(runs: &[Usage]) -> (f64, f64, f64) {
    let mut times: Vec<f64> = runs.iter().map(Usage::cpu).collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0], times[times.len() - 1])
}
