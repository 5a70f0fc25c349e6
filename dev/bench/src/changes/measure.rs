//! Runs a program once, and reports its cost. A separate process starts the program, so that the figures don't include
//! any other child process.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use crate::Result;

/// The hidden first argument that makes the benchmark run as a child process.
pub const CHILD: &str = "--measure";

/// The cost of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Cost {
    /// The time from start to end, in seconds.
    pub(super) wall: f64,
    /// The user and system time of all threads, in seconds.
    pub(super) cpu: f64,
    /// The peak resident memory, in KiB.
    pub(super) peak_kib: u64,
    /// The number of bytes that system calls read from files, pipes and sockets, including from the system's cache.
    pub(super) read: u64,
    /// The number of bytes that system calls wrote.
    pub(super) written: u64,
    /// What the program wrote to standard error.
    pub(super) messages: String,
}

/// Runs a program. Its standard output goes to the file `stdout` in the folder, and its standard error to `stderr`.
///
/// # Errors
///
/// Returns an error if the program cannot be started, or exits with a status that is not in `statuses`.
pub(super) fn run(dir: &Path, statuses: &[i32], command: &[&str]) -> Result<Cost> {
    let mut measured = Command::new(std::env::current_exe()?);
    measured.arg(CHILD).arg(dir).args(command);
    let output = measured.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let report = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> =
        report.split_whitespace().map(str::parse).collect::<std::result::Result<_, _>>()?;
    let [status, wall, cpu, peak_kib, read, written] = numbers[..] else {
        return Err(format!("the child process printed {report:?} instead of six numbers").into());
    };
    let messages = fs::read_to_string(dir.join("stderr"))?;
    if !statuses.iter().any(|allowed| u64::try_from(*allowed) == Ok(status)) {
        return Err(format!("`{}` ended with status {status}: {messages}", command.join(" ")).into());
    }
    let (wall, cpu) = (seconds(wall), seconds(cpu));
    Ok(Cost { wall, cpu, peak_kib, read, written, messages })
}

#[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}

/// Runs the program named by the arguments after [`CHILD`], and prints its cost.
///
/// # Errors
///
/// Returns an error if the program cannot be started, or its cost cannot be read.
pub fn main(arguments: &[&str]) -> Result<()> {
    let [dir, program, arguments @ ..] = arguments else {
        return Err("the child process needs a folder and a program".into());
    };
    let dir = Path::new(dir);
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(File::create(dir.join("stdout"))?)
        .stderr(File::create(dir.join("stderr"))?)
        .spawn()?;
    // The kernel keeps the counters of a process that has exited until its parent asks for its status.
    let pid = Pid::from_raw(i32::try_from(child.id())?);
    waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT)?;
    let wall = start.elapsed();
    let counters = fs::read_to_string(format!("/proc/{pid}/io"))?;
    let status = child.wait()?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    println!(
        "{} {} {} {} {} {}",
        status.code().ok_or("the program was killed")?,
        wall.as_micros(),
        (usage.user_time() + usage.system_time()).num_microseconds(),
        usage.max_rss(),
        counter(&counters, "rchar")?,
        counter(&counters, "wchar")?,
    );
    Ok(())
}

fn counter(counters: &str, name: &str) -> Result<u64> {
    let line = counters.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Ok(line.ok_or_else(|| format!("the counters of a process have no `{name}`"))?.parse()?)
}
