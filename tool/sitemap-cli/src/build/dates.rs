//! The dates of files, from the file system, from git or from their content.

use std::fs;
use std::path::Path;

use sitemap_core::{LastMod, Loc};
use sitemap_pages::commits::{CommitDates, CommitDatesError};

use crate::error::{Outcome, Stop, system_message};
use crate::terminal::say;

#[derive(Debug)]
pub(super) enum Dates {
    None,
    FileSystem,
    Git(CommitDates),
    #[cfg(feature = "pages")]
    Content(Box<super::content::ContentDates>),
}

impl Dates {
    pub(super) fn of_commits(folder: &Path) -> Outcome<Self> {
        CommitDates::read(folder).map(Self::Git).map_err(|error| match error {
            CommitDatesError::Io(error) => Stop::new(format!("cannot run `git`: {}", system_message(&error))),
            CommitDatesError::NoHistory { folder, message } => {
                say(&message);
                let folder = folder.display();
                Stop::new(format!("`git` has no history of `{folder}`; use `--lastmod mtime` or `none`"))
            }
            error => Stop::new(error.to_string()),
        })
    }

    /// Returns the date of a listed file.
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
            Self::Git(commits) => commits.date(relative),
            #[cfg(feature = "pages")]
            Self::Content(dates) => dates.get(loc)?,
        })
    }
}

/// The number of listed files without a date, by reason. Files are counted only if git provides the dates.
#[derive(Debug, Default)]
pub(super) struct Undated {
    uncommitted: u64,
    older_than_clone: u64,
}

impl Undated {
    /// Counts a listed file without a date.
    pub(super) fn add(&mut self, dates: &Dates, relative: &Path) {
        let Dates::Git(commits) = dates else { return };
        if commits.is_older_than_clone(relative) {
            self.older_than_clone += 1;
        } else {
            self.uncommitted += 1;
        }
    }

    pub(super) fn report(&self) {
        let has = |count: u64, one: &str, many: &str, reason: &str| match count {
            1 => format!("1 file {one} {reason} and has no `lastmod`"),
            _ => format!("{count} files {many} {reason} and have no `lastmod`"),
        };
        if self.uncommitted > 0 {
            say(&has(self.uncommitted, "is", "are", "in no commit"));
        }
        if self.older_than_clone > 0 {
            let found = has(self.older_than_clone, "is", "are", "older than the shallow clone");
            say(&format!("warning: {found}; run `git fetch --unshallow`"));
        }
    }
}
