//! The chapters' dates.

use std::env;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_core::LastMod;
use sitemap_pages::commits::{CommitDates, CommitDatesError};
use sitemap_pages::content::ContentDigest;
use sitemap_pages::state::State;

use crate::chapters::Page;
use crate::context::Context;
use crate::failure::{Failure, warn};
use crate::includes;
use crate::options::{LastModFrom, Options};

/// Where the dates come from.
#[derive(Debug)]
pub(crate) enum Dates {
    None,
    Git(History),
    Content(Box<State>, SystemTime),
}

impl Dates {
    pub(crate) fn of(context: &Context, options: &Options) -> Result<Self, Failure> {
        match options.lastmod {
            Some(LastModFrom::None) => Ok(Self::None),
            Some(LastModFrom::Content) => {
                let state = State::create_or_open(&options.state).map_err(failure)?;
                Ok(Self::Content(Box::new(state), now()?))
            }
            given => match History::read(context) {
                Ok(history) => Ok(Self::Git(history)),
                // A book in an archive or a container image is built without its git history.
                Err(CommitDatesError::NoHistory { .. }) if given.is_none() => {
                    warn(&format!(
                        "`git` has no history of `{}`, so the pages have no `lastmod`; build in a clone, or set `lastmod \
                         = \"none\"`",
                        context.src.display()
                    ));
                    Ok(Self::None)
                }
                Err(error) => Err(Failure::new(error.to_string())),
            },
        }
    }

    /// Returns a page's date.
    pub(crate) fn date(&mut self, page: &Page<'_>) -> Result<Option<LastMod>, Failure> {
        match self {
            Self::None => Ok(None),
            Self::Git(history) => Ok(page.source.and_then(|source| history.date(source))),
            Self::Content(state, now) => {
                let digest = ContentDigest::of_bytes(page.content.as_bytes());
                state
                    .digest_dates()
                    .and_then(|dates| dates.date(&page.url_path, digest, *now))
                    .map_err(failure)
            }
        }
    }

    /// Saves the dates for the next build, and reports pages without a date.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        match self {
            Self::None => {}
            Self::Content(state, _) => state.flush().map_err(failure)?,
            Self::Git(history) => history.report(),
        }
        Ok(())
    }
}

/// The commits that changed the book's files.
#[derive(Debug)]
pub(crate) struct History {
    /// The folder of book.toml, or the source folder if it is outside that folder.
    folder: PathBuf,
    /// The source folder, relative to `folder`.
    src: PathBuf,
    commits: CommitDates,
    /// The number of chapters without a date because their last change is older than the shallow clone.
    older: usize,
    /// The number of chapters without a date because their last change has not been committed.
    uncommitted: usize,
}

impl History {
    fn read(context: &Context) -> Result<Self, CommitDatesError> {
        let src = context.src.strip_prefix(&context.root).ok();
        let (folder, src) = match src.filter(|src| !src.components().any(|part| part == Component::ParentDir))
        {
            Some(src) => (&context.root, src),
            None => (&context.src, Path::new("")),
        };
        let commits = CommitDates::read(folder)?;
        Ok(Self { folder: folder.clone(), src: src.to_owned(), commits, older: 0, uncommitted: 0 })
    }

    /// Returns the latest date of a chapter's file and the files it includes. If there is none, counts the chapter.
    fn date(&mut self, source: &Path) -> Option<LastMod> {
        let files = includes::files(&self.folder, &self.src.join(source));
        let dates = files.iter().filter_map(|file| self.commits.date(file));
        let date = dates.max_by_key(LastMod::timestamp);
        if date.is_none() {
            let is_older = files.iter().any(|file| self.commits.is_older_than_clone(file));
            *(if is_older { &mut self.older } else { &mut self.uncommitted }) += 1;
        }
        date
    }

    /// Reports the chapters without a date.
    fn report(&self) {
        if self.older > 0 {
            let found =
                counted(self.older, "is older than the shallow clone", "are older than the shallow clone");
            warn(&format!("{found}; run `git fetch --unshallow`"));
        }
        if self.uncommitted > 0 {
            let found = counted(self.uncommitted, "is in no commit", "are in no commit");
            warn(&format!("{found}; commit the files"));
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 chapter has no `lastmod` because its last change {one}"),
        _ => format!("{count} chapters have no `lastmod` because their last changes {many}"),
    }
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}

/// Returns the time from `SOURCE_DATE_EPOCH`, so that builds are reproducible, or else the current time.
fn now() -> Result<SystemTime, Failure> {
    let Some(text) = env::var_os("SOURCE_DATE_EPOCH") else { return Ok(SystemTime::now()) };
    let seconds = text.to_str().and_then(|text| text.parse::<u32>().ok());
    seconds.map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds.into())).ok_or_else(|| {
        let found = text.to_string_lossy();
        Failure::new(format!("`SOURCE_DATE_EPOCH` is {found:?}; give a number of seconds since 1970"))
    })
}
