//! One run of one contender in a process of its own, and what that process reports of itself.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};

use crate::publish::{CONTENDERS, Contender};
use crate::{Result, allocations};

/// The hidden first argument that makes the driver a child.
pub const CHILD: &str = "--child";

/// What a run is for: counting takes a locked instruction per allocation, which is lost in the noise
/// even at 14 per entry, but a contender that never allocates should not gain by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Measures CPU time and memory.
    Time,
    /// Counts allocations.
    Count,
}

/// What one run cost.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// CPU time outside the kernel, in seconds.
    pub user: f64,
    /// CPU time in the kernel, in seconds.
    pub system: f64,
    /// The most memory that was resident at once, in KiB.
    pub peak_kib: u64,
    /// Heap allocations and reallocations; 0 in a timed run.
    pub allocations: u64,
}

impl Usage {
    /// Returns all the CPU time, in seconds.
    #[must_use]
    pub fn cpu(&self) -> f64 {
        self.user + self.system
    }
}

/// Runs a contender in a new process, and returns what it cost.
///
/// # Errors
///
/// Returns an error if the process cannot be started or fails.
pub fn spawn(contender: Contender, dir: &Path, entries: u64, purpose: Purpose) -> Result<Usage> {
    let purpose = match purpose {
        Purpose::Time => "time",
        Purpose::Count => "count",
    };
    let output = Command::new(std::env::current_exe()?)
        .args([CHILD, contender.name, purpose, &entries.to_string()].map(OsStr::new))
        .arg(dir)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", contender.name, output.status).into());
    }
    parse(&String::from_utf8(output.stdout)?)
}

/// Runs the contender that the arguments after [`CHILD`] name, and prints what it cost.
///
/// # Errors
///
/// Returns the contender's error, or one for arguments that [`spawn`] does not make.
pub fn main(arguments: &[String]) -> Result<()> {
    main_of(CONTENDERS, arguments)
}

/// The same for contenders of another comparison.
///
/// # Errors
///
/// As [`main`].
pub fn main_of(contenders: &[Contender], arguments: &[String]) -> Result<()> {
    let [name, purpose, entries, dir] = arguments else {
        return Err("a child takes four arguments".into());
    };
    let contender = contenders.iter().find(|contender| contender.name == name);
    let (contender, entries) = (contender.ok_or("no such contender")?, entries.parse()?);

    let before = getrusage(UsageWho::RUSAGE_SELF)?;
    if purpose == "count" {
        allocations::start();
    }
    (contender.run)(Path::new(dir), entries)?;
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

/// Returns the process's own high-water mark; that of `getrusage` would begin at its parent's.
pub(crate) fn peak_kib() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let value = line.and_then(|line| line.split_whitespace().next());
    Ok(value.ok_or("no VmHWM in /proc/self/status")?.parse()?)
}

fn parse(report: &str) -> Result<Usage> {
    let words: Vec<&str> = report.split_whitespace().collect();
    let [user, system, peak_kib, allocations] = words[..] else {
        return Err(format!("a child reported {report:?}").into());
    };
    Ok(Usage {
        user: user.parse::<f64>()? / 1e6,
        system: system.parse::<f64>()? / 1e6,
        peak_kib: peak_kib.parse()?,
        allocations: allocations.parse()?,
    })
}
