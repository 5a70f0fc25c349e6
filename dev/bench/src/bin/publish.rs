//! Runs every contender in turn, checks the published files, and prints the costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sitemap_bench::allocations::Counting;
use sitemap_bench::child::{self, CHILD, Purpose, Usage};
use sitemap_bench::options::{Options, USAGE};
use sitemap_bench::publish::Contender;
use sitemap_bench::report::{self, Row};
use sitemap_bench::{Result, verify};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.first().map(String::as_str) {
        Some(CHILD) => child::main(&arguments[1..]),
        Some("--help" | "-h") => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Options::parse(arguments).and_then(|options| compare(&options)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(options: &Options) -> Result<()> {
    let scratch = Scratch::new(&options.dir);
    let mut rows = Vec::new();
    for &contender in &options.contenders {
        eprintln!("checking {}", contender.name);
        rows.push(checked(contender, &scratch, options.entries)?);
    }
    for round in 0..options.rounds {
        eprintln!("round {} of {}", round + 1, options.rounds);
        for turn in 0..rows.len() {
            // Each round starts with a different contender, so that no contender always runs first.
            let place = (round + turn) % rows.len();
            let row = &mut rows[place];
            let contender = options.contenders[place];
            let (usage, bytes) = run(contender, &scratch, options.entries, Purpose::Time)?;
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
    print!("{}", report::table(&rows, options.entries));
    Ok(())
}

/// Runs a contender once, counts its allocations and checks the contents of its files.
fn checked(contender: Contender, scratch: &Scratch, entries: u64) -> Result<Row> {
    let (usage, bytes) = run(contender, scratch, entries, Purpose::Count)?;
    verify::contents(&scratch.0, entries, contender.layout)
        .map_err(|error| format!("{}: {error}", contender.name))?;
    Ok(Row { name: contender.name, runs: Vec::new(), allocations: usage.allocations, bytes })
}

fn run(contender: Contender, scratch: &Scratch, entries: u64, purpose: Purpose) -> Result<(Usage, u64)> {
    scratch.empty()?;
    let usage = child::spawn(contender, &scratch.0, entries, purpose)?;
    let bytes = verify::shape(&scratch.0, entries).map_err(|error| format!("{}: {error}", contender.name))?;
    Ok((usage, bytes))
}

/// A directory for this process, removed when the comparison ends, also after an error.
struct Scratch(PathBuf);

impl Scratch {
    fn new(parent: &Path) -> Self {
        Self(parent.join(format!("sitemap-bench-{}", std::process::id())))
    }

    fn empty(&self) -> Result<()> {
        if self.0.exists() {
            fs::remove_dir_all(&self.0)?;
        }
        Ok(fs::create_dir_all(&self.0)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A failed removal is ignored, so that it never hides the error that ended the comparison.
        _ = fs::remove_dir_all(&self.0);
    }
}
