//! Checks the listed pages.

use std::collections::{HashMap, HashSet, btree_set};
use std::time::SystemTime;
use std::vec;

use sitemap_pages::state::{GapReason, ListedPage, Page, RunKind, State, StateError};
use sitemap_pages::urls::without_fragment;
use sitemap_pages::visit::{Outcome, Visit};

use super::hash64;
use super::options::Survey;
use super::probe::{self, Folders};
use super::sample::Sample;
use super::store::Storing;
use super::summary::Done;
use super::targets::{Named, Targets};
use super::work::{Asking, Asks};
use crate::Request;

impl Survey<'_> {
    /// Requests the pages of the state's [listing](sitemap_pages::state::State::listing), then the pages that these
    /// name, then URLs that can't exist. Stores all responses and determines which pages have changed.
    ///
    /// `now` is the current time. An interrupted run is continued, however old it is: its visits keep their own times,
    /// and robots.txt is requested again after 24 hours. The future is not `Send`, because a `State` can't be shared
    /// between threads.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state file can't be read or written. Pages that don't respond are not an error.
    pub async fn check(mut self, now: SystemTime) -> Result<Done, StateError> {
        let run = self.state.begin_run(RunKind::Check, now)?;
        let sample = match self.sample {
            Some((count, seed)) => {
                let urls = self
                    .state
                    .listing()
                    .map(|entry| entry.map(|entry| without_fragment(&entry.loc).to_owned()));
                Some(Sample::choose(count, seed, urls)?)
            }
            None => None,
        };
        let is_chosen = |url: &str| sample.as_ref().is_none_or(|sample| sample.contains(url));

        let mut left_out = HashSet::new();
        let listed = self.state.listing().filter_map(|entry| match entry {
            Ok(entry) if is_chosen(without_fragment(&entry.loc)) => Some(Ok(entry)),
            Ok(entry) => {
                left_out.insert(hash64(without_fragment(&entry.loc).as_bytes()));
                None
            }
            Err(error) => Some(Err(error)),
        });
        let mut work = Asking {
            storing: Storing::new(self.state, &run, now, &mut self.on_progress),
            asks: Checking {
                step: Step::Listed(listed),
                is_chosen: &is_chosen,
                seen: HashSet::new(),
                named: Named::default(),
                folders: Folders::default(),
                asked: HashMap::new(),
                expected: sample.as_ref().map_or(self.state.listed_count(), |sample| sample.pages),
                is_sample: sample.is_some(),
                open: 0,
                resumed: 0,
                omitted: 0,
                probes: 0,
            },
        };
        let robots = work.storing.robots()?;
        let summary = self.fetcher.run_apart(now, robots, &mut work).await;
        let Asking { storing, asks } = work;
        storing.error.map_or(Ok(()), Err)?;
        let Checking { resumed, omitted, probes, .. } = asks;

        self.state.leave_out(&run, GapReason::Sampled, left_out.len() as u64)?;
        self.state.leave_out(&run, GapReason::MaxPages, omitted)?;
        let changes = self.state.finish_run(&run)?;
        let gaps = self.state.run(run.number())?.map(|record| record.gaps).unwrap_or_default();
        Ok(Done { summary, probes, resumed, changes, gaps, ..Done::default() })
    }
}

/// The requests of a check, in three steps. Each step starts when all visits of the previous one are done.
struct Checking<'a, I> {
    step: Step<I>,
    is_chosen: &'a dyn Fn(&str) -> bool,
    /// Hashes of the URLs requested so far.
    seen: HashSet<u64>,
    /// The pages that listed pages name, and the folders of the listed pages.
    named: Named,
    folders: Folders,
    /// The folder of each URL that can't exist.
    asked: HashMap<String, String>,
    /// The total number of visits, as far as it is known.
    expected: u64,
    /// Whether `expected` counts a page once even if it is listed twice.
    is_sample: bool,
    /// The number of requests whose visits aren't done yet.
    open: u64,
    /// The number of pages that the run had already visited.
    resumed: u64,
    /// The number of named pages above the limit.
    omitted: u64,
    /// The number of visits to URLs that can't exist.
    probes: u64,
}

enum Step<I> {
    Listed(I),
    Named(btree_set::IntoIter<String>),
    Probes(vec::IntoIter<String>),
}

impl<I: Iterator<Item = Result<ListedPage, StateError>>> Checking<'_, I> {
    /// Returns the next request of the current step.
    fn next_of_step(&mut self, storing: &mut Storing<'_>) -> Option<Request> {
        loop {
            let url = match &mut self.step {
                Step::Listed(entries) => {
                    let entry = entries.next()?;
                    let entry = storing.keep(entry)?;
                    self.folders.add(without_fragment(&entry.loc));
                    self.named.entry(&entry, &self.seen);
                    entry.loc
                }
                Step::Named(urls) => urls.next()?,
                Step::Probes(folders) => {
                    let folder = folders.next()?;
                    let known = storing.state.probe(&folder);
                    let known = storing.keep(known)?;
                    if known.is_some_and(|visit| storing.is_of_run(visit.at)) {
                        self.expected -= 1;
                        continue;
                    }
                    let url = probe::impossible(&folder);
                    self.asked.insert(url.clone(), folder);
                    return Some(Request::new(url));
                }
            };
            let url = without_fragment(&url);
            if !self.seen.insert(hash64(url.as_bytes())) {
                self.expected -= u64::from(!self.is_sample);
                continue;
            }
            let request = storing.request(url);
            if let Some(request) = storing.keep(request)? {
                return Some(request);
            }
            self.resumed += 1;
            // What the page names is already stored.
            self.named.spoil();
        }
    }

    /// Starts the next step. Returns `false` after the last one.
    fn next_step(&mut self, storing: &mut Storing<'_>) -> Result<bool, StateError> {
        self.step = match self.step {
            Step::Listed(_) => {
                let targets = match std::mem::take(&mut self.named).targets(&self.seen) {
                    Some(targets) => targets,
                    None => Targets::of(storing.state, storing.run, &self.seen, self.is_chosen)?,
                };
                self.omitted = targets.omitted;
                self.expected += targets.urls.len() as u64;
                Step::Named(targets.urls.into_iter())
            }
            Step::Named(_) => {
                let folders = std::mem::take(&mut self.folders).chosen();
                self.expected += folders.len() as u64;
                Step::Probes(folders.into_iter())
            }
            Step::Probes(_) => return Ok(false),
        };
        Ok(true)
    }
}

impl<I> Checking<'_, I> {
    /// Records which pages a listed page names.
    fn note_named(&mut self, storing: &mut Storing<'_>, visit: &Visit) {
        match &visit.outcome {
            Outcome::Page { facts, .. } => self.named.page(&visit.url, facts, &self.seen),
            // The page names the same pages as before.
            Outcome::NotModified(_) => {
                let page = storing.state.page(&visit.url);
                let page = storing.keep(page).flatten();
                if let Some(facts) = page.as_ref().and_then(Page::facts) {
                    self.named.page(&visit.url, facts, &self.seen);
                }
            }
            _ => {}
        }
    }
}

impl<I: Iterator<Item = Result<ListedPage, StateError>>> Asks for Checking<'_, I> {
    fn next(&mut self, storing: &mut Storing<'_>) -> Option<Request> {
        loop {
            if let Some(request) = self.next_of_step(storing) {
                self.open += 1;
                return Some(request);
            }
            if self.open > 0 || storing.error.is_some() {
                return None;
            }
            let more = self.next_step(storing);
            if !storing.keep(more)? {
                return None;
            }
        }
    }

    fn done(&mut self, storing: &mut Storing<'_>, visit: Visit) {
        self.open -= 1;
        if let Some(folder) = self.asked.remove(&visit.url) {
            self.probes += 1;
            let stored = storing.state.store_probe(&folder, &visit);
            storing.keep(stored);
            return;
        }
        storing.store(&visit);
        if matches!(self.step, Step::Listed(_)) {
            self.note_named(storing, &visit);
        }
    }

    fn resumed(&self) -> u64 {
        self.resumed
    }

    fn expected(&self, _: &State) -> u64 {
        self.expected
    }
}
