//! The dates of files, from the file system, from git or from their content.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use sitemap_core::{LastMod, Loc};

use crate::error::{Outcome, Stop, system_message};
use crate::terminal::say;

#[derive(Debug)]
pub(super) enum Dates {
    None,
    FileSystem,
    /// For the path of each file, as git prints it, the time of the last commit that changed the file.
    Git(HashMap<Vec<u8>, i64>),
    #[cfg(feature = "pages")]
    Content(Box<super::content::ContentDates>),
}

impl Dates {
    pub(super) fn of_commits(folder: &Path) -> Outcome<Self> {
        commits(folder).map(Self::Git)
    }

    /// Returns the date of a file that is listed with a URL.
    #[cfg_attr(
        not(feature = "pages"),
        expect(
            clippy::unnecessary_wraps,
            unused_variables,
            reason = "only dates of content need the URL, and can fail"
        )
    )]
    pub(super) fn get(&self, folder: &Path, relative: &Path, loc: &Loc<'_>) -> Outcome<Option<LastMod>> {
        Ok(match self {
            Self::None => None,
            Self::FileSystem => {
                let modified = fs::metadata(folder.join(relative)).and_then(|metadata| metadata.modified());
                modified.ok().and_then(|modified| LastMod::try_from(modified).ok())
            }
            Self::Git(commits) => {
                let mut path = relative.as_os_str().as_encoded_bytes().to_vec();
                if cfg!(windows) {
                    path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
                }
                commits.get(&path).and_then(|&seconds| LastMod::from_timestamp(seconds).ok())
            }
            #[cfg(feature = "pages")]
            Self::Content(dates) => dates.get(loc)?,
        })
    }
}

/// Returns the time of each file's last commit. Calls git once for all files, because a call reads the whole history.
fn commits(folder: &Path) -> Outcome<HashMap<Vec<u8>, i64>> {
    let mut child = git(folder)
        .args(["-c", "log.showSignature=false", "log", "--no-renames", "--name-only", "-z"])
        .args(["--relative", "--format=format:%x01%ct", "--", "."])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Stop::new(format!("cannot run `git`: {}", system_message(&error))))?;
    let mut commits = HashMap::new();
    if let Some(stdout) = child.stdout.take() {
        let mut reader = BufReader::new(stdout);
        let (mut record, mut time) = (Vec::new(), 0);
        loop {
            record.clear();
            let read = reader.read_until(0, &mut record);
            if read
                .map_err(|error| Stop::new(format!("cannot read from `git`: {}", system_message(&error))))?
                == 0
            {
                break;
            }
            let mut rest = record.strip_suffix(b"\0").unwrap_or(&record);
            // Git prints the time of a commit on one line, and on the next line the first file that the commit changed.
            if let Some(after) = rest.strip_prefix(b"\x01") {
                let end = after.iter().position(|&byte| byte == b'\n').unwrap_or(after.len());
                time = std::str::from_utf8(&after[..end])
                    .ok()
                    .and_then(|text| text.parse().ok())
                    .unwrap_or(time);
                rest = after.get(end + 1..).unwrap_or_default();
            }
            if !rest.is_empty() && !commits.contains_key(rest) {
                commits.insert(rest.to_vec(), time);
            }
        }
    }
    let status =
        child.wait().map_err(|error| Stop::new(format!("cannot run `git`: {}", system_message(&error))))?;
    if !status.success() {
        return Err(Stop::new(format!(
            "`git` has no history of `{}`; use `--lastmod mtime` or `none`",
            folder.display()
        )));
    }
    warn_if_shallow(folder);
    Ok(commits)
}

/// Warns if the clone is shallow, because files older than the clone's first commit get the date of that commit.
fn warn_if_shallow(folder: &Path) {
    let output = git(folder).args(["rev-parse", "--is-shallow-repository"]).output();
    if output.is_ok_and(|output| output.stdout.starts_with(b"true")) {
        say("warning: the clone is shallow, so the dates of older files are wrong; fetch the whole history");
    }
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).stdin(Stdio::null()).env("GIT_OPTIONAL_LOCKS", "0");
    command
}
