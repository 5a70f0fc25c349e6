//! Last-modified dates based on content. A state file stores the pages' content between runs.

use std::path::Path;
use std::time::SystemTime;

use sitemap_core::{LastMod, Loc, Site};
use sitemap_pages::state::{ContentChanges, Run, RunKind, State, StateError};
use sitemap_pages::visit::Visit;

use crate::error::{Outcome, Stop};
use crate::run_time::now;
use crate::terminal::say;

/// A run that reads the pages in a folder.
pub(super) struct Reading {
    state: State,
    run: Run,
}

/// The dates that are known after a run.
#[derive(Debug)]
pub(super) struct ContentDates(State);

impl Reading {
    /// Opens or creates a site's state, and begins a run.
    pub(super) fn begin(state: &Path, site: &Site) -> Outcome<Self> {
        let now = now()?;
        let begin = || {
            let state = State::create_or_open(state)?;
            state.bind(site.base())?;
            let mut run = state.begin_run(RunKind::Build, now)?;
            if run.is_resumed() {
                // The interrupted run may have read older versions of the files.
                state.abandon_run(&run)?;
                run = state.begin_run(RunKind::Build, now)?;
            }
            Ok(Self { state, run })
        };
        begin().map_err(|error| stop(&error))
    }

    /// Returns the time of the run, which all its visits share.
    pub(super) fn time(&self) -> SystemTime {
        self.run.time()
    }

    /// Stores a listed page.
    pub(super) fn add(&self, visit: &Visit) -> Outcome<()> {
        self.state.store(&self.run, visit).map_err(|error| stop(&error))
    }

    /// Compares the pages with the previous run, and reports how many changed.
    pub(super) fn finish(self) -> Outcome<ContentDates> {
        let changes = self.state.finish_run(&self.run).map_err(|error| stop(&error))?;
        report(changes);
        Ok(ContentDates(self.state))
    }
}

impl ContentDates {
    /// Returns the date of a page's last change, or `None` if no run has seen a change.
    pub(super) fn get(&self, loc: &Loc<'_>) -> Outcome<Option<LastMod>> {
        let page = self.0.page(loc.as_str()).map_err(|error| stop(&error))?;
        let time = page.and_then(|page| page.content_changed);
        Ok(time.and_then(|time| LastMod::try_from(time).ok()))
    }
}

fn report(changes: ContentChanges) {
    let pages = changes.pages();
    say(&format!("content of {pages} {}: {changes}", if pages == 1 { "page" } else { "pages" }));
}

fn stop(error: &StateError) -> Stop {
    Stop::new(error.to_string())
}
