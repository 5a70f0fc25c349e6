//! Runs a contender once in a separate process, which reports its cost.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};

use crate::publish::Contender;
use crate::{Result, allocations};

/// The hidden first argument that makes the benchmark run as a child process.
pub const CHILD: &str = "--child";

/// What a run measures.
///
/// Timed runs don't count allocations. Counting costs one locked instruction per allocation, which would favour
/// contenders that never allocate. The effect is small, though: even at 14 allocations per entry, it is lost in the
/// noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Measures CPU time and memory.
    Time,
    /// Counts allocations.
    Count,
}

/// The cost of one run.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// CPU time outside the kernel, in seconds.
    pub user: f64,
    /// CPU time in the kernel, in seconds.
    pub system: f64,
    /// The peak resident memory, in KiB.
    pub peak_kib: u64,
    /// Heap allocations and reallocations; 0 in a timed run.
    pub allocations: u64,
}

impl Usage {
    /// Returns the total CPU time, in seconds.
    #[must_use]
    pub fn cpu(&self) -> f64 {
        self.user + self.system
    }
}

/// Runs a contender in a new process and returns the cost.
///
/// # Errors
///
/// Returns an error if the process cannot be started or fails.
pub fn spawn(contender: Contender, dir: &Path, entries: u64, purpose: Purpose) -> Result<Usage> {
    let purpose = match purpose {
        Purpose::Time => "time",
        Purpose::Count => "count",
    };
    let entries = entries.to_string();
    start([contender.name, purpose, &entries].map(OsStr::new).into_iter().chain([dir.as_os_str()]))
        .map_err(|error| format!("{}: {error}", contender.name).into())
}

/// Runs this program in a new process with these arguments after [`CHILD`], and returns the cost that it prints.
///
/// # Errors
///
/// Returns an error if the process cannot be started or fails.
pub fn start(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<Usage> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(CHILD).args(arguments);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the process that measures failed: {}", output.status).into());
    }
    parse(&String::from_utf8(output.stdout)?)
}

/// Runs the contender named by the arguments after [`CHILD`] and prints the cost.
///
/// # Errors
///
/// Returns an error if the contender fails, or if the arguments don't have the form that [`spawn`] passes.
pub fn main(contenders: &[Contender], arguments: &[&str]) -> Result<()> {
    let [name, purpose, entries, dir] = *arguments else {
        return Err("a child process needs four arguments: name, purpose, entries and directory".into());
    };
    let contender = contenders.iter().find(|contender| contender.name == name);
    let (contender, entries) =
        (contender.ok_or_else(|| format!("there is no contender `{name}`"))?, entries.parse()?);

    measure(purpose == "count", || (contender.run)(Path::new(dir), entries))
}

/// Runs the work and prints the cost, which [`start`] reads in the parent process. Counts allocations if `count` is
/// `true`.
///
/// # Errors
///
/// Returns the error of the work.
pub fn measure(count: bool, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let before = getrusage(UsageWho::RUSAGE_SELF)?;
    if count {
        allocations::start();
    }
    work()?;
    let allocations = allocations::stop();
    let after = getrusage(UsageWho::RUSAGE_SELF)?;

    println!(
        "{} {} {} {}",
        microseconds(after.user_time() - before.user_time()),
        microseconds(after.system_time() - before.system_time()),
        peak_kib()?,
        allocations,
    );
    Ok(())
}

fn microseconds(time: TimeVal) -> i64 {
    time.num_microseconds()
}

/// Returns the peak resident memory of this process. `getrusage` doesn't work here, because its value starts at the
/// parent process's peak.
pub(crate) fn peak_kib() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let value = line.and_then(|line| line.split_whitespace().next());
    Ok(value.ok_or("`/proc/self/status` has no line `VmHWM`; the benchmark needs Linux")?.parse()?)
}

fn parse(report: &str) -> Result<Usage> {
    let words: Vec<&str> = report.split_whitespace().collect();
    let [user, system, peak_kib, allocations] = words[..] else {
        return Err(format!("the child process printed {report:?} instead of four numbers").into());
    };
    Ok(Usage {
        user: user.parse::<f64>()? / 1e6,
        system: system.parse::<f64>()? / 1e6,
        peak_kib: peak_kib.parse()?,
        allocations: allocations.parse()?,
    })
}
