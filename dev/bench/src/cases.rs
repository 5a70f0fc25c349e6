//! Compares ways to publish the same entries. Each run is timed in its own process.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::Result;
use crate::child::{CHILD, peak_kib};

/// A function that publishes into a directory and returns the size of the published files in bytes.
type Publish = dyn Fn(&Path) -> Result<u64>;

/// One way to publish the entries.
pub struct Case {
    /// The name of the case, which is the first cell of its row in the table.
    pub name: String,
    /// The function that publishes the entries.
    pub run: Box<Publish>,
}

impl Case {
    /// Creates a case.
    pub fn new(name: impl Into<String>, run: impl Fn(&Path) -> Result<u64> + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}

/// The cost of one run.
#[derive(Clone, Copy, Default)]
struct Run {
    wall: f64,
    cpu: f64,
    peak_mib: f64,
    bytes: u64,
}

/// Runs all cases in turn for `rounds` rounds, in fresh directories under `dir`, and prints the medians.
#[must_use]
pub fn main(cases: &[Case], rounds: usize, dir: &Path) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [child, case, dir] if child == CHILD => run_child(cases, case, Path::new(dir)),
        _ => run_all(cases, rounds, dir),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run_child(cases: &[Case], case: &str, dir: &Path) -> Result<()> {
    let case = cases.get(case.parse::<usize>()?).ok_or("the child process got an unknown case")?;
    let cpu = || -> Result<i64> {
        let usage = getrusage(UsageWho::RUSAGE_SELF)?;
        Ok((usage.user_time() + usage.system_time()).num_microseconds())
    };
    let (start, before) = (Instant::now(), cpu()?);
    let bytes = (case.run)(dir)?;
    println!("{} {} {} {bytes}", start.elapsed().as_micros(), cpu()? - before, peak_kib()?);
    Ok(())
}

fn run_all(cases: &[Case], rounds: usize, dir: &Path) -> Result<()> {
    let mut runs = vec![Vec::new(); cases.len()];
    for round in 0..rounds {
        for step in 0..cases.len() {
            let case = (round + step) % cases.len();
            runs[case].push(run_once(case, dir)?);
        }
    }
    println!("| | wall s, median | x the first | min | max | CPU s | peak RSS MiB | bytes |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    let mut first = None;
    for (case, mut runs) in cases.iter().zip(runs) {
        runs.sort_by(|one, other| one.wall.total_cmp(&other.wall));
        let (median, least, most) = (runs[runs.len() / 2], runs[0], runs[runs.len() - 1]);
        let first = *first.get_or_insert(median.wall);
        println!(
            "| {} | {:.3} | {:.2} | {:.3} | {:.3} | {:.3} | {:.1} | {} |",
            case.name,
            median.wall,
            median.wall / first,
            least.wall,
            most.wall,
            median.cpu,
            median.peak_mib,
            median.bytes,
        );
    }
    Ok(())
}

#[allow(clippy::cast_precision_loss)] // the numbers are far below 2^52
fn run_once(case: usize, dir: &Path) -> Result<Run> {
    let dir: PathBuf = dir.join(format!("sitemap-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let output = Command::new(std::env::current_exe()?)
        .args([CHILD, &case.to_string()])
        .arg(&dir)
        .stderr(Stdio::inherit())
        .output()?;
    std::fs::remove_dir_all(&dir)?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<std::result::Result<_, _>>()?;
    let [wall, cpu, peak, bytes] = numbers[..] else {
        return Err(format!("the child process printed {text:?} instead of four numbers").into());
    };
    Ok(Run { wall: wall as f64 / 1e6, cpu: cpu as f64 / 1e6, peak_mib: peak as f64 / 1024.0, bytes })
}
