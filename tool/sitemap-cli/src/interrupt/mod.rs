//! Signals that end a run: SIGINT, SIGTERM and SIGHUP.
//!
//! A thread receives the signals. Their effect depends on the stage of the run. While the run writes temporary files, a
//! signal makes the next operation on the input or storage fail, so the run ends as after any other error and removes
//! these files. Once the journal exists, the run is replacing the set, and a signal only prints a message. At any other
//! stage, a signal removes the folders of temporary files and ends the process immediately. A second signal does this
//! at every stage.

mod input;
mod storage;

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, process};

use tempfile::TempDir;

pub(crate) use self::input::{checked, piped, stdin};
pub(crate) use self::storage::Interruptible;
use crate::caller;
use crate::terminal::say;

/// The message of operations that fail because of a signal.
pub(crate) const MESSAGE: &str = "a signal has ended the run";

/// A signal: its number and its name.
pub(crate) type Signal = (u8, &'static str);

/// The stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The run has written nothing.
    Idle,
    /// The run writes temporary files.
    Writing,
    /// The run replaces the published set.
    Committing,
}

struct State {
    stage: Stage,
    signal: Option<Signal>,
    /// Functions that wake up a thread waiting for input.
    wake: Vec<Box<dyn Fn() + Send>>,
    /// Folders of temporary files.
    folders: Vec<PathBuf>,
    /// True if the command publishes a set.
    publishes: bool,
    #[cfg_attr(not(unix), allow(dead_code))]
    is_watching: bool,
}

// Signals are sent to the whole process, so all threads share one state.
static STATE: Mutex<State> = Mutex::new(State {
    stage: Stage::Idle,
    signal: None,
    wake: Vec::new(),
    folders: Vec::new(),
    publishes: false,
    is_watching: false,
});

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error if a signal has ended the run.
pub(crate) fn check() -> io::Result<()> {
    if caller::ends_run() {
        return Err(io::Error::other(MESSAGE));
    }
    state().check()
}

/// Returns the signal that ended the run before it replaced the set.
pub(crate) fn ended_by() -> Option<Signal> {
    let state = state();
    state.signal.filter(|_| state.stage != Stage::Committing)
}

/// Returns the last line to print for a run that a signal ended.
pub(crate) fn unchanged((_, name): Signal) -> String {
    format!("interrupted by {name}; the published set is unchanged")
}

/// Returns the exit status for a run that a signal ended, in the same way as a shell.
pub(crate) fn status((number, _): Signal) -> u8 {
    128 + number
}

impl State {
    fn check(&self) -> io::Result<()> {
        if self.signal.is_some() && self.stage != Stage::Committing {
            return Err(io::Error::other(MESSAGE));
        }
        Ok(())
    }

    /// Removes temporary files and exits.
    #[cfg_attr(not(unix), allow(dead_code))]
    fn exit(&self, status: i32) -> ! {
        for folder in &self.folders {
            // Another thread may still be creating a file in the folder. That can't go on for long, because it fails
            // once the folder is gone. There's no time left to report any other error.
            let mut attempts = 0..1_000;
            while attempts.next().is_some()
                && fs::remove_dir_all(folder)
                    .is_err_and(|error| error.kind() == io::ErrorKind::DirectoryNotEmpty)
            {}
        }
        process::exit(status)
    }
}

/// Watches for signals in a command that publishes a set.
pub(crate) fn watch() -> io::Result<()> {
    state().publishes = true;
    start()
}

/// Watches for signals, and creates a folder that is removed if a signal ends the process. A signal that arrives while
/// the folder is being created has to wait. If another program embeds the command, that program handles its own
/// signals.
pub(crate) fn temporary_folder(create: impl FnOnce() -> io::Result<TempDir>) -> io::Result<TempDir> {
    if caller::is_present() {
        return create();
    }
    start()?;
    let mut state = state();
    let folder = create()?;
    state.folders.push(folder.path().to_owned());
    Ok(folder)
}

/// Runs a function to its end before any signal is handled.
pub(crate) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _state = state();
    work()
}

/// Reacts to a signal, on a separate thread.
#[cfg_attr(not(unix), allow(dead_code))]
fn receive(signal: Signal) {
    let mut state = state();
    let status = i32::from(status(signal));
    if state.signal.replace(signal).is_some() {
        state.exit(status);
    }
    match state.stage {
        Stage::Idle => {
            say(&if state.publishes { unchanged(signal) } else { format!("interrupted by {}", signal.1) });
            state.exit(status);
        }
        Stage::Writing => state.wake.iter().for_each(|wake| wake()),
        Stage::Committing => say(&format!(
            "{} received while the new set replaces the old one; finishing (a second signal ends the run at once, and \
             the next run finishes)",
            signal.1
        )),
    }
}

/// Starts reacting to signals. If the parent process ignores a signal, as `nohup` does, it stays ignored.
#[cfg(unix)]
fn start() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    if std::mem::replace(&mut state().is_watching, true) {
        return Ok(());
    }
    let known: [(i32, Signal); 3] =
        [(SIGHUP, (1, "SIGHUP")), (SIGINT, (2, "SIGINT")), (SIGTERM, (15, "SIGTERM"))];
    let ignored = ignored();
    let is_watched =
        |number: i32| ignored.map_or(number != SIGHUP, |ignored| ignored >> (number - 1) & 1 == 0);
    let mut signals = Signals::new(known.map(|(number, _)| number).into_iter().filter(|n| is_watched(*n)))?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for number in &mut signals.forever() {
            if let Some((_, signal)) = known.iter().find(|(known, _)| *known == number) {
                receive(*signal);
            }
        }
    })?;
    Ok(())
}

/// Other systems have no such signals. If a run is killed there, the next run removes its files.
#[cfg(not(unix))]
fn start() -> io::Result<()> {
    Ok(())
}

/// Returns one bit for each signal that this process ignores, or `None` if the system doesn't provide this information.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}
