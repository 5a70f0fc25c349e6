//! The dates of the last commits that changed each file.
//!
//! Many sites are built from files in a git repository. A build rewrites every page, and a fresh clone writes every
//! source file, so file times don't tell when a page changed. The date of the last commit that changed a page's source
//! does.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use sitemap_core::LastMod;

/// The time of the last commit that changed each file below a folder.
///
/// Runs git once for all files. In a shallow clone, history ends at its oldest commits, which therefore seem to have
/// created every older file. Such a file gets no date, because the clone doesn't contain its true date.
///
/// ```no_run
/// use sitemap_pages::commits::CommitDates;
///
/// let dates = CommitDates::read("docs")?;
/// println!("{:?}", dates.date("guides/axum.md")); // Some(2026-01-31T10:00:00Z)
/// assert!(!dates.is_older_than_clone("guides/axum.md"), "the clone is not shallow");
/// # Ok::<(), sitemap_pages::commits::CommitDatesError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CommitDates {
    /// Commit times, keyed by the file's path as git prints it.
    changes: HashMap<Vec<u8>, Change>,
}

/// The last change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The time of the commit, in seconds since 1970.
    At(i64),
    /// The file last changed before the history of a shallow clone begins.
    OlderThanClone,
}

impl CommitDates {
    /// Reads the dates of all files below a folder from its repository's history, up to the commit that is checked out.
    /// Uncommitted changes are ignored.
    ///
    /// # Errors
    ///
    /// Returns [`CommitDatesError::NoHistory`] if the folder is not in a repository or the repository has no commits,
    /// [`CommitDatesError::Shallow`] if git's list of a shallow clone's oldest commits can't be read, and
    /// [`CommitDatesError::Io`] if `git` can't be run.
    pub fn read(folder: impl AsRef<Path>) -> Result<Self, CommitDatesError> {
        let folder = folder.as_ref();
        let ends = ends_of_clone(folder)?;
        let mut child = git(folder)
            // The second `-c` also prints files that a merge itself changed.
            .args(["-c", "log.showSignature=false", "log", "-c", "--no-renames", "--name-only", "-z"])
            .args(["--relative", "--format=format:%x01%H %ct", "--", "."])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(CommitDatesError::Io)?;
        let message = collect_messages(&mut child);
        let changes = child.stdout.take().map_or(Ok(HashMap::new()), |out| parse(BufReader::new(out), &ends));
        let status = child.wait().map_err(CommitDatesError::Io)?;
        if !status.success() {
            let message = message.and_then(|thread| thread.join().ok()).unwrap_or_default();
            return Err(CommitDatesError::NoHistory { folder: folder.to_owned(), message });
        }
        Ok(Self { changes: changes.map_err(CommitDatesError::Io)? })
    }

    /// Returns the time of the last commit that changed a file, in UTC. The path is relative to the folder. Returns
    /// `None` if no commit contains the file, or if its last change is older than a shallow clone's history.
    pub fn date(&self, file: impl AsRef<Path>) -> Option<LastMod> {
        match self.change(file.as_ref())? {
            Change::At(seconds) => LastMod::from_timestamp(seconds).ok(),
            Change::OlderThanClone => None,
        }
    }

    /// Returns `true` if a file has no date because its last change is older than a shallow clone's history.
    /// `git fetch --unshallow` fetches the missing history.
    pub fn is_older_than_clone(&self, file: impl AsRef<Path>) -> bool {
        self.change(file.as_ref()) == Some(Change::OlderThanClone)
    }

    fn change(&self, file: &Path) -> Option<Change> {
        let mut path = file.as_os_str().as_encoded_bytes().to_vec();
        if cfg!(windows) {
            path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
        }
        self.changes.get(&path).copied()
    }
}

/// An error while reading commit dates.
///
/// ```
/// use sitemap_pages::commits::{CommitDates, CommitDatesError};
///
/// let error = CommitDates::read("/nowhere").unwrap_err();
/// assert!(matches!(error, CommitDatesError::NoHistory { .. } | CommitDatesError::Io(_)));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum CommitDatesError {
    /// `git` could not be run.
    Io(io::Error),
    /// The folder is not in a repository that `git` can read, or the repository has no commits.
    NoHistory {
        /// The folder.
        folder: PathBuf,
        /// Git's error message.
        message: String,
    },
    /// The file in which git lists a shallow clone's oldest commits could not be read. Without it, we can't tell false
    /// dates from true ones.
    Shallow {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

impl fmt::Display for CommitDatesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot run `git`: {error}; install it"),
            Self::NoHistory { folder, message } => {
                let folder = folder.display();
                write!(f, "`git` has no history of `{folder}`, it says {message:?}; commit the files")
            }
            Self::Shallow { file, error } => {
                let file = file.display();
                write!(
                    f,
                    "cannot read `{file}`, which has the ends of a shallow clone: {error}; make it readable"
                )
            }
        }
    }
}

impl Error for CommitDatesError {}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).stdin(Stdio::null()).env("GIT_OPTIONAL_LOCKS", "0");
    command
}

/// Returns the names of the commits whose parents are missing from a shallow clone.
fn ends_of_clone(folder: &Path) -> Result<HashSet<Vec<u8>>, CommitDatesError> {
    let output = git(folder).args(["rev-parse", "--git-path", "shallow"]).output();
    let output = output.map_err(CommitDatesError::Io)?;
    if !output.status.success() {
        // There is no repository. `git log` reports the reason.
        return Ok(HashSet::new());
    }
    // Git prints an absolute path, or one relative to the folder.
    let file = folder.join(path_from(output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout)));
    match fs::read(&file) {
        Ok(names) => Ok(names.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()),
        // Complete clones don't contain this file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashSet::new()),
        Err(error) => Err(CommitDatesError::Shallow { file, error }),
    }
}

/// Converts a path printed by git.
#[cfg(unix)]
fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;

    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_from(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).trim_end().into()
}

/// Reads git's error output on another thread, because git blocks if nobody reads it.
fn collect_messages(child: &mut Child) -> Option<thread::JoinHandle<String>> {
    let mut stderr = child.stderr.take()?;
    Some(thread::spawn(move || {
        let mut message = Vec::new();
        let _ = stderr.read_to_end(&mut message);
        String::from_utf8_lossy(&message).trim().to_owned()
    }))
}

/// Reads the output of `git log`, newest commits first.
fn parse(mut log: impl BufRead, ends: &HashSet<Vec<u8>>) -> io::Result<HashMap<Vec<u8>, Change>> {
    let mut changes = HashMap::new();
    let (mut record, mut change) = (Vec::new(), Change::OlderThanClone);
    while log.read_until(0, &mut record)? > 0 {
        let mut file = record.strip_suffix(b"\0").unwrap_or(&record);
        // Git prints the commit on one line, and the first changed file on the next.
        if let Some(commit) = file.strip_prefix(b"\x01") {
            let end = commit.iter().position(|&byte| byte == b'\n').unwrap_or(commit.len());
            let (line, rest) = commit.split_at(end);
            let mut words = line.split(|&byte| byte == b' ');
            let is_end = words.next().is_some_and(|name| ends.contains(name));
            let time = words.next().and_then(|time| std::str::from_utf8(time).ok()?.parse().ok());
            change = time.filter(|_| !is_end).map_or(Change::OlderThanClone, Change::At);
            file = rest.get(1..).unwrap_or_default();
        }
        if !file.is_empty() && !changes.contains_key(file) {
            changes.insert(file.to_vec(), change);
        }
        record.clear();
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(log: &[u8], ends: &[&str]) -> CommitDates {
        let ends = ends.iter().map(|name| name.as_bytes().to_vec()).collect();
        CommitDates { changes: parse(log, &ends).unwrap() }
    }

    const LOG: &[u8] = b"\x01bb 1700000000\na.md\0b.md\0\0\x01aa 1600000000\na.md\0c d.md\0";

    #[test]
    fn a_file_has_the_date_of_its_newest_commit() {
        let dates = dates(LOG, &[]);
        assert_eq!(dates.date("a.md").unwrap().to_string(), "2023-11-14T22:13:20Z");
        assert_eq!(dates.date("c d.md").unwrap().to_string(), "2020-09-13T12:26:40Z");
    }

    #[test]
    fn a_file_without_a_commit_has_no_date() {
        let dates = dates(LOG, &[]);
        assert_eq!(dates.date("x.md"), None);
        assert!(!dates.is_older_than_clone("x.md"));
    }

    #[test]
    fn a_shallow_clone_whose_ends_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(git(folder.path()).args(["init", "-q"]).status().unwrap().success());
        assert!(ends_of_clone(folder.path()).unwrap().is_empty());
        // A folder can't be read as a file, whatever its permissions.
        fs::create_dir(folder.path().join(".git/shallow")).unwrap();
        let error = CommitDates::read(folder.path()).unwrap_err();
        assert!(matches!(error, CommitDatesError::Shallow { .. }), "{error:?}");
        let start = format!("cannot read `{}/.git/shallow`, which", folder.path().display());
        assert!(error.to_string().starts_with(&start), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn the_ends_of_a_clone_are_found_in_a_folder_whose_name_is_no_text() {
        use std::os::unix::ffi::OsStrExt as _;

        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join(std::ffi::OsStr::from_bytes(b"\xFF "));
        let below = folder.join("a");
        fs::create_dir_all(&below).unwrap();
        assert!(git(&folder).args(["init", "-q"]).status().unwrap().success());
        fs::write(folder.join(".git/shallow"), "aa\n").unwrap();
        // In a folder below the repository's root, git prints an absolute path.
        assert!(ends_of_clone(&below).unwrap().contains(&b"aa"[..]));
    }

    #[test]
    fn a_commit_where_a_shallow_clone_ends_gives_no_date() {
        let dates = dates(LOG, &["aa"]);
        assert_eq!(dates.date("b.md").unwrap().to_string(), "2023-11-14T22:13:20Z");
        assert_eq!(dates.date("c d.md"), None);
        assert!(dates.is_older_than_clone("c d.md"));
    }
}
