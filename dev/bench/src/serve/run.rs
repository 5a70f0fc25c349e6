//! Runs the measurements, and prints the tables.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::client::Client;
use super::load::{Load, wrk};
use super::server::REFRESH;
use crate::Result;
use crate::options::Options;
use crate::publish::CONTENDERS;
use crate::workload::{self, URLS_PER_FILE};

/// The servers. Each is compared with the first.
const SERVERS: [&str; 3] = ["ServeDir", "directory", "live"];

/// How long to send requests before each measurement starts.
const WARM_UP: Duration = Duration::from_secs(1);
/// The number of concurrent slow readers.
const SLOW: usize = 200;
/// The number of concurrent idle connections.
const IDLE: usize = 1_000;

/// The text that `--help` prints.
pub const USAGE: &str = "\
usage: serve [--pages N] [--seconds N] [--connections N] [--rounds N] [--only TABLE] [--dir DIR]

  --pages N        pages of the set, at least 50001 (default 1000000)
  --seconds N      length of each measurement (default 5)
  --connections N  connections of the load generator (default 64)
  --rounds N       measurements of each row; the table has the one with the median CPU time (default 3)
  --only TABLE     measure one of `requests`, `connections` and `refresh`
  --dir DIR        publish to a new directory in DIR, which is removed at the end (default /dev/shm)

The load generator is `wrk`, which has to be installed.
";

struct ServeOptions {
    pages: u64,
    /// The duration of each measurement.
    time: Duration,
    connections: usize,
    rounds: usize,
}

/// Measures and prints one table.
type Table = fn(&ServeOptions, &Path) -> Result<()>;

const TABLES: [(&str, Table); 3] =
    [("requests", requests), ("connections", connections), ("refresh", refresh)];

/// Runs all measurements.
///
/// # Errors
///
/// Returns an error if the set cannot be published, a server cannot be started, or a request fails.
pub fn main(arguments: &[&str]) -> Result<()> {
    let mut given = Options::new(arguments)?;
    let options = ServeOptions {
        pages: given.or("--pages", 1_000_000)?,
        time: Duration::from_secs(given.positive("--seconds", 5)?),
        connections: given.positive("--connections", 64)?,
        rounds: given.positive("--rounds", 3)?,
    };
    let tables = given.only("--only", &TABLES, |(name, _)| name)?;
    let scratch = tempfile::tempdir_in(given.or("--dir", PathBuf::from("/dev/shm"))?)?;
    given.finish()?;
    if options.pages <= URLS_PER_FILE {
        return Err(format!("`--pages` must be more than {URLS_PER_FILE}, so that there is an index").into());
    }
    let dir = scratch.path();
    let ours = CONTENDERS.iter().find(|contender| contender.name == "derived");
    (ours.ok_or("there is no contender `derived`")?.run)(dir, options.pages)?;
    // `ServeDir` serves compressed files that are next to the plain ones.
    compress(&workload::index_path(dir))?;
    for (_, n) in workload::files(options.pages).zip(1..) {
        compress(&workload::child_path(dir, n))?;
    }
    for (_, table) in tables {
        table(&options, dir)?;
    }
    Ok(())
}

fn compress(path: &Path) -> Result<()> {
    let named = |ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        File::create(name)
    };
    let mut out = GzEncoder::new(named(".gz")?, Compression::default());
    io::copy(&mut File::open(path)?, &mut out)?;
    out.finish()?;
    // The same quality as in `SitemapService`.
    let params = BrotliEncoderParams { quality: 5, ..BrotliEncoderParams::default() };
    brotli::BrotliCompress(&mut File::open(path)?, &mut named(".br")?, &params)?;
    Ok(())
}

/// Measures requests per second, and the CPU time per request.
fn requests(options: &ServeOptions, dir: &Path) -> Result<()> {
    println!("| response | server | requests/s | CPU us/request | x ServeDir |");
    println!("|---|---|--:|--:|--:|");
    for (what, header) in [
        ("index", None),
        ("child", None),
        ("child, gzip", Some("Accept-Encoding: gzip")),
        ("child, brotli", Some("Accept-Encoding: br")),
    ] {
        let mut first = None;
        for name in SERVERS {
            let mut runs = Vec::new();
            for _ in 0..options.rounds {
                runs.push(measure(options, name, dir, what, header)?);
            }
            runs.sort_by(|one, other| one.1.total_cmp(&other.1));
            let (load, cpu) = runs[runs.len() / 2];
            let first = *first.get_or_insert(cpu);
            println!("| {what} | {name} | {:.0} | {cpu:.1} | {:.1} |", load.rate, first / cpu);
        }
    }
    println!();
    Ok(())
}

/// Requests one response under load. Returns the load, and the CPU time per request in microseconds.
#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn measure(
    options: &ServeOptions,
    name: &str,
    dir: &Path,
    what: &str,
    header: Option<&str>,
) -> Result<(Load, f64)> {
    eprintln!("{what}: {name}");
    let server = Server::start(name, dir, options.pages)?;
    let client = server.client();
    let path = if what == "index" { "/sitemap.xml".to_owned() } else { client.child()? };
    let url = format!("{}{path}", server.origin);
    // The first request for a file reads and compresses it.
    wrk(&url, header.as_slice(), 1, WARM_UP)?;
    let before = client.usage()?.cpu_micros;
    let load = wrk(&url, header.as_slice(), options.connections, options.time)?;
    let cpu = client.usage()?.cpu_micros - before;
    Ok((load, cpu as f64 / load.requests.max(1) as f64))
}

/// Measures how much memory slow readers and idle connections need.
#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn connections(options: &ServeOptions, dir: &Path) -> Result<()> {
    println!("| server | MiB before | with {SLOW} slow readers of a child | with {IDLE} idle connections |");
    println!("|---|--:|--:|--:|");
    for name in SERVERS {
        let mut memory = Vec::new();
        for (connections, is_slow) in [(SLOW, true), (IDLE, false)] {
            eprintln!("{connections} connections: {name}");
            let server = Server::start(name, dir, options.pages)?;
            let client = server.client();
            let path = client.child()?;
            client.ask("GET", &path)?;
            memory.push(client.usage()?.now_kib);
            memory.push(client.crowd(connections, is_slow.then_some(&*path), options.time)?.now_kib);
        }
        let mib: Vec<f64> = memory.iter().map(|kib| *kib as f64 / 1024.0).collect();
        println!("| {name} | {:.1} | {:+.1} | {:+.1} |", mib[0], mib[1] - mib[0], mib[3] - mib[2]);
    }
    println!();
    Ok(())
}

/// Measures a refresh of the live set under load.
#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn refresh(options: &ServeOptions, dir: &Path) -> Result<()> {
    let server = Server::start("live, measured", dir, options.pages)?;
    let client = server.client();
    println!(
        "| refresh under load | bytes of the set, MiB | peak memory, MiB | x the set | slowest request, CPU ms |"
    );
    println!("|---|--:|--:|--:|--:|");
    for round in 1..=options.rounds {
        eprintln!("refresh {round}");
        // After the refresh, this file belongs to an earlier set.
        let url = format!("{}{}", server.origin, client.child()?);
        let bytes: u64 = thread::scope(|scope| {
            let header = "Accept-Encoding: gzip";
            let load = scope
                .spawn(|| wrk(&url, &[header], options.connections, options.time).map_err(|e| e.to_string()));
            let bytes = client.ask("POST", REFRESH)?.parse()?;
            load.join().map_err(|_| "the load generator panicked")??;
            Ok::<_, Box<dyn std::error::Error>>(bytes)
        })?;
        let (usage, set) = (client.usage()?, bytes as f64 / 1_048_576.0);
        let peak = usage.peak_kib as f64 / 1024.0;
        let slowest = usage.slowest_micros as f64 / 1e3;
        println!("| {round} | {set:.1} | {peak:.1} | {:.2} | {slowest:.2} |", peak / set);
    }
    Ok(())
}

/// A server in a separate process, which is killed on drop.
struct Server {
    process: Child,
    origin: String,
}

impl Server {
    fn start(name: &str, dir: &Path, pages: u64) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--server", name])
            .arg(dir)
            .arg(pages.to_string())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("the server has no output")?;
        let mut server = Self { process, origin: String::new() };
        BufReader::new(output).read_line(&mut server.origin)?;
        server.origin.truncate(server.origin.trim_end().len());
        if server.origin.is_empty() {
            return Err(format!("the server `{name}` ended").into());
        }
        Ok(server)
    }

    fn client(&self) -> Client<'_> {
        Client { origin: &self.origin }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Killing fails if the server has already exited.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
