//! Stores visits as they arrive.

use std::time::{Duration, Instant, SystemTime};

use sitemap_pages::robots::RobotsAnswer;
use sitemap_pages::state::{Host, Run, State, StateError};
use sitemap_pages::visit::Visit;

use super::progress::SurveyProgress;
use crate::{Request, RobotsFile};

/// A killed process may lose the visits of this much time.
const LOSS: Duration = Duration::from_secs(2);
/// A killed process may always lose this many visits.
const LEAST_LOSS: u64 = 16;
/// A killed process may lose one visit in this many.
const SHARE_OF_LOSS: u64 = 16;

/// Stores a survey's visits and robots.txt files in its state.
pub(super) struct Storing<'a> {
    pub(super) state: &'a State,
    pub(super) run: &'a Run,
    /// The time of the call.
    now: SystemTime,
    pub(super) on_progress: &'a mut dyn FnMut(&SurveyProgress),
    /// The first error from the state file, which ends the survey.
    pub(super) error: Option<StateError>,
    /// When visits were last written to the file.
    written: Instant,
    /// The number of visits so far, and how many of them haven't been written.
    visits: u64,
    unwritten: u64,
}

impl<'a> Storing<'a> {
    pub(super) fn new(
        state: &'a State,
        run: &'a Run,
        now: SystemTime,
        on_progress: &'a mut dyn FnMut(&SurveyProgress),
    ) -> Self {
        let written = Instant::now();
        Self { state, run, now, on_progress, error: None, written, visits: 0, unwritten: 0 }
    }

    /// Returns whether data with this time was stored by this run, possibly in an earlier call. If the clock was set
    /// back, times of earlier runs can be in the future.
    pub(super) fn is_of_run(&self, at: SystemTime) -> bool {
        (self.run.time()..=self.now).contains(&at)
    }

    /// Returns a request for a page, or `None` if the run has already visited it. The request is conditional if an
    /// earlier run visited the page.
    pub(super) fn request(&self, url: &str) -> Result<Option<Request>, StateError> {
        let Some(page) = self.state.page(url)? else {
            return Ok(Some(Request::new(url)));
        };
        if page.run == self.run.number() {
            return Ok(None);
        }
        let request = Request::new(url);
        Ok(Some(match (page.validators(), page.last_facts()) {
            // If the page was truncated, this run may read more of it.
            (Some(validators), Some(facts)) if !facts.is_cut => request.unless_as(validators, facts),
            _ => request,
        }))
    }

    /// Returns the value of a result, or records its error, which ends the survey.
    pub(super) fn keep<T>(&mut self, result: Result<T, StateError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    /// Stores a visit. Before that, writes the earlier visits to the file if they amount to two seconds or a sixteenth
    /// of all visits. This way, a killed process loses little, however slow the site is, and a long run doesn't write
    /// all the time.
    pub(super) fn store(&mut self, visit: &Visit) {
        let most = LEAST_LOSS.max(self.visits / SHARE_OF_LOSS);
        if self.unwritten >= most || self.written.elapsed() >= LOSS {
            let flushed = self.state.flush();
            self.keep(flushed);
            self.written = Instant::now();
            self.unwritten = 0;
        }
        self.visits += 1;
        self.unwritten += 1;
        let stored = self.state.store(self.run, visit);
        self.keep(stored);
    }

    /// Returns the robots.txt files that the run has already requested, however old they are: the fetcher knows how
    /// long it may use them. Failures are omitted, because a resumed run wouldn't know their reasons.
    pub(super) fn robots(&self) -> Result<Vec<RobotsFile>, StateError> {
        let mut files = Vec::new();
        for host in self.state.hosts() {
            let (origin, Host { answer, body, at, .. }) = host?;
            if matches!(answer, RobotsAnswer::Status(_)) && self.is_of_run(at) {
                files.push(RobotsFile::new(origin, at, answer, body));
            }
        }
        Ok(files)
    }

    pub(super) fn store_robots(&mut self, file: &RobotsFile) {
        let host = Host::new(file.answer, file.body.clone(), file.at);
        let stored = self.state.store_host(&file.origin, &host);
        self.keep(stored);
    }
}
