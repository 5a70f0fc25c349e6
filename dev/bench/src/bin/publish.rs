//! Runs every contender in turn, checks the published files, and prints the costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sitemap_bench::allocations::Counting;
use sitemap_bench::child::{self, CHILD, Purpose, Usage};
use sitemap_bench::options::{self, Options};
use sitemap_bench::publish::{CONTENDERS, Contender};
use sitemap_bench::report::{self, Row};
use sitemap_bench::{Result, verify};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "\
usage: publish [--entries N] [--rounds N] [--only NAME]... [--dir DIR]

  --entries N  URLs to publish (default 1000000)
  --rounds N   timed runs of each contender (default 5)
  --only NAME  run only this contender; may be repeated
  --dir DIR    publish to a new directory in DIR (default /dev/shm)
";

fn main() -> ExitCode {
    options::main(USAGE, |arguments| match arguments {
        [child, arguments @ ..] if *child == CHILD => child::main(CONTENDERS, arguments),
        _ => compare(arguments),
    })
}

fn compare(arguments: &[&str]) -> Result<()> {
    let mut options = Options::new(arguments)?;
    let entries = options.positive("--entries", 1_000_000)?;
    let rounds: usize = options.positive("--rounds", 5)?;
    let contenders = options.only("--only", CONTENDERS, |contender| contender.name)?;
    let scratch = tempfile::tempdir_in(options.or("--dir", PathBuf::from("/dev/shm"))?)?;
    options.finish()?;
    let dir = &scratch.path().join("set");
    let mut rows = Vec::new();
    for &contender in &contenders {
        eprintln!("checking {}", contender.name);
        rows.push(checked(contender, dir, entries)?);
    }
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        for turn in 0..rows.len() {
            // Each round starts with a different contender, so that no contender always runs first.
            let place = (round + turn) % rows.len();
            let row = &mut rows[place];
            let contender = contenders[place];
            let (usage, bytes) = run(contender, dir, entries, Purpose::Time)?;
            if bytes != row.bytes {
                let expected = row.bytes;
                return Err(format!(
                    "{}: found {bytes} bytes, expected {expected} as in the first run",
                    row.name
                )
                .into());
            }
            row.runs.push(usage);
        }
    }
    print!("{}", report::table(&rows, entries));
    Ok(())
}

/// Runs a contender once, counts its allocations and checks the contents of its files.
fn checked(contender: Contender, dir: &Path, entries: u64) -> Result<Row> {
    let (usage, bytes) = run(contender, dir, entries, Purpose::Count)?;
    verify::contents(dir, entries, contender.layout)
        .map_err(|error| format!("{}: {error}", contender.name))?;
    Ok(Row { name: contender.name, runs: Vec::new(), allocations: usage.allocations, bytes })
}

fn run(contender: Contender, dir: &Path, entries: u64, purpose: Purpose) -> Result<(Usage, u64)> {
    if dir.exists() {
        fs::remove_dir_all(dir)?;
    }
    fs::create_dir(dir)?;
    let usage = child::spawn(contender, dir, entries, purpose)?;
    let bytes = verify::shape(dir, entries).map_err(|error| format!("{}: {error}", contender.name))?;
    Ok((usage, bytes))
}
