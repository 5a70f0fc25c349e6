//! Runs the contenders one after another, against a server in a separate process.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;

use super::contenders::{PAGE_CONTENDERS, PageContender, Setup};
use super::server::HITS;
use crate::Result;
use crate::options::Options;

/// How often to check whether a contender has finished.
const TICK: Duration = Duration::from_millis(10);

/// A single run of a contender.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// The number of different pages requested.
    different: u64,
    /// The number of requests for pages.
    requests: u64,
    /// The time from start to end, in seconds.
    wall: f64,
    /// The CPU time of the process and its children, in seconds.
    cpu: f64,
    is_stopped: bool,
}

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: pages --sitemap FILE [--peers DIR] [--pages N] [--jobs N] [--latency MS] [--limit SECONDS] [--rounds N]

  --sitemap FILE   the program `sitemap`, from `cargo build --release -p sitemap-cli`
  --peers DIR      the folder of `dev/bench/pages-peers`; without it, the peers are skipped
  --pages N        pages of the site (default 20000)
  --jobs N         requests at the same time (default 64)
  --latency MS     pause before each answer (default 20)
  --limit SECONDS  stops a contender that needs longer (default 300)
  --rounds N       runs of each contender; the table has the run with the median CPU time (default 3)
";

struct PageOptions {
    sitemap: PathBuf,
    peers: PathBuf,
    pages: usize,
    jobs: usize,
    latency: Duration,
    limit: Duration,
    rounds: usize,
}

/// Runs all contenders and prints the table.
///
/// # Errors
///
/// Returns an error if the server or a contender cannot be started, or if a contender finished without requesting all
/// pages.
pub fn main(arguments: &[&str]) -> Result<()> {
    let mut options = Options::new(arguments)?;
    let read = PageOptions {
        sitemap: options.file("--sitemap")?,
        peers: std::path::absolute(options.or("--peers", PathBuf::from("/nonexistent"))?)?,
        pages: options.positive("--pages", 20_000)?,
        jobs: options.positive("--jobs", 64)?,
        latency: Duration::from_millis(options.or("--latency", 20)?),
        limit: Duration::from_secs(options.or("--limit", 300)?),
        rounds: options.positive("--rounds", 3)?,
    };
    options.finish()?;
    run(&read)
}

#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn run(options: &PageOptions) -> Result<()> {
    let (mut server, origin) = start_server(options)?;
    let result = rounds(options, &origin);
    server.kill()?;
    let before = children()?;
    server.wait()?;
    let (answering, rows) = (children()? - before, result?);
    println!("| contender | pages/s | CPU ms/page | x bare loop | requests | |");
    println!("|---|--:|--:|--:|--:|---|");
    let mut floor = None;
    let mut all = 0;
    for (contender, mut runs) in rows {
        all += runs.iter().map(|run| run.requests).sum::<u64>();
        runs.sort_by(|one, other| one.cpu.total_cmp(&other.cpu));
        let run = runs[runs.len() / 2];
        let cpu = run.cpu * 1e3 / run.different.max(1) as f64;
        let floor = *floor.get_or_insert(cpu);
        println!(
            "| {} | {:.0} | {cpu:.3} | {:.2} | {} | {} |",
            contender.name,
            run.different as f64 / run.wall,
            cpu / floor,
            run.requests,
            if run.is_stopped { format!("stopped after {} pages", run.different) } else { String::new() },
        );
    }
    println!("\nThe server used {:.3} CPU ms for each page.", answering * 1e3 / all.max(1) as f64);
    Ok(())
}

fn rounds(options: &PageOptions, origin: &str) -> Result<Vec<(PageContender, Vec<Run>)>> {
    let mut rows: Vec<(PageContender, Vec<Run>)> = Vec::new();
    for round in 0..options.rounds {
        for contender in PAGE_CONTENDERS {
            let dir = std::env::temp_dir().join(format!("sitemap-bench-pages-{}", std::process::id()));
            fs::create_dir_all(&dir)?;
            let setup = Setup {
                origin,
                pages: options.pages,
                jobs: options.jobs,
                dir: &dir,
                sitemap: &options.sitemap,
                peers: &options.peers,
            };
            let program = (contender.program)(&setup);
            if program.is_file() {
                eprintln!("round {}: {}", round + 1, contender.name);
                let run = one(contender, &setup, options.limit);
                let run =
                    run.map_err(|error| format!("{}: {error}; see {}", contender.name, dir.display()))?;
                match rows.iter_mut().find(|(known, _)| known.name == contender.name) {
                    Some((_, runs)) => runs.push(run),
                    None => rows.push((*contender, vec![run])),
                }
            } else if round == 0 {
                println!("{} is skipped: there is no {}", contender.name, program.display());
            }
            fs::remove_dir_all(&dir)?;
        }
    }
    Ok(rows)
}

/// Runs a contender once.
fn one(contender: &PageContender, setup: &Setup<'_>, limit: Duration) -> Result<Run> {
    let log = File::create(setup.dir.join("log.txt"))?;
    let mut command = (contender.command)(setup)?;
    command.current_dir(setup.dir).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
    hits(setup.origin)?;
    let (before, start) = (children()?, Instant::now());
    let mut child = command.spawn()?;
    let mut is_stopped = false;
    while child.try_wait()?.is_none() {
        if start.elapsed() > limit {
            is_stopped = true;
            // Kill the whole process group, because the contender's own child processes would disturb the next run.
            killpg(Pid::from_raw(child.id().try_into()?), Signal::SIGKILL)?;
            child.wait()?;
            break;
        }
        sleep(TICK);
    }
    let (wall, cpu) = (start.elapsed().as_secs_f64(), children()? - before);
    let (different, requests) = hits(setup.origin)?;
    if !is_stopped && different != setup.pages as u64 {
        return Err(format!("it requested {different} of {} pages", setup.pages).into());
    }
    Ok(Run { different, requests, wall, cpu, is_stopped })
}

fn start_server(options: &PageOptions) -> Result<(Child, String)> {
    let mut server = Command::new(std::env::current_exe()?)
        .args(["--server", &options.pages.to_string(), &options.latency.as_millis().to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut origin = String::new();
    BufReader::new(server.stdout.take().ok_or("the server has no output")?).read_line(&mut origin)?;
    Ok((server, origin.trim_end().to_owned()))
}

/// Returns the number of different pages requested since the last call, and the number of requests.
fn hits(origin: &str) -> Result<(u64, u64)> {
    let host = origin.strip_prefix("http://").ok_or("the origin is not HTTP")?;
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET {HITS} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    let body = response.rsplit("\r\n\r\n").next().and_then(|body| body.split_once(' '));
    let (different, requests) = body.ok_or("the server did not answer with two numbers")?;
    Ok((different.parse()?, requests.parse()?))
}

/// Returns the CPU time of all child processes that have exited, in seconds.
#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}
