//! Helpers that create visits and state files for the tests.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::state::{ContentChanges, RunKind, State};
use sitemap_pages::visit::{Failure, FailureKind, Outcome, Validators, Visit};

/// Returns midnight on a given day.
pub(crate) fn day(number: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(number * 86_400)
}

pub(crate) fn visit(url: &str, outcome: Outcome) -> Visit {
    Visit::new(url.to_owned(), day(1), outcome)
}

/// Returns a visit to a page with a status and a body.
pub(crate) fn answer(url: &str, status: u16, media_type: &str, body: &str) -> Visit {
    let headers = &[("content-type", media_type)];
    let response = Response::new(url, status, headers, body.as_bytes());
    let validators = Validators::new(Some(format!("\"{}\"", body.len())), None);
    visit(url, Outcome::Page { facts: Box::new(PageFacts::of(&response)), validators })
}

pub(crate) fn html(url: &str, body: &str) -> Visit {
    answer(url, 200, "text/html", body)
}

pub(crate) fn failed(url: &str) -> Visit {
    visit(url, Outcome::Failed(Failure::new(FailureKind::Timeout, "no answer within 30 s")))
}

/// Returns the same visit at another time.
pub(crate) fn at(time: SystemTime, visit: &Visit) -> Visit {
    let mut visit = visit.clone();
    visit.at = time;
    visit
}

/// Stores visits with this time in a separate run.
pub(crate) fn run(state: &State, now: SystemTime, visits: &[Visit]) -> ContentChanges {
    let run = state.begin_run(RunKind::Check, now).unwrap();
    for visit in visits {
        state.store(&run, &at(now, visit)).unwrap();
    }
    state.finish_run(&run).unwrap()
}

/// Returns the URLs of the dated pages, each with its day.
pub(crate) fn dates(state: &State) -> Vec<(String, u64)> {
    let pages = state.pages().map(Result::unwrap);
    let dates = pages.filter_map(|page| {
        let seconds = page.content_changed?.duration_since(UNIX_EPOCH).unwrap().as_secs();
        Some((page.visit.url, seconds / 86_400))
    });
    dates.collect()
}

/// A temporary folder for a state file.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("site.state")
    }

    /// Returns the names of all files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
