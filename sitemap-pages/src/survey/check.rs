//! The check of the listed pages.

use std::collections::HashSet;
use std::time::SystemTime;

use super::done::Done;
use super::options::Survey;
use super::pages::Pages;
use super::probe::{self, Probes};
use super::sample::Sample;
use super::targets::Targets;
use super::wave::Wave;
use crate::state::{GapReason, RunKind, StateError};
use crate::visit::without_fragment;

impl Survey<'_> {
    /// Requests the pages of the state's [listing](crate::state::State::listing), then the pages that they name, then
    /// URLs that cannot exist. Stores all answers, and finds out whose content has changed.
    ///
    /// `now` is the time of the run. A run that was interrupted is continued and keeps its time. The future is not
    /// `Send`, because a state belongs to one thread.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the state cannot be read or written. Pages that do not answer are no error.
    pub async fn check(mut self, now: SystemTime) -> Result<Done, StateError> {
        let run = self.state.begin_run(RunKind::Check, now)?;
        let mut done = Done::default();
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
        let urls = self.state.listing().filter_map(|entry| match entry {
            Ok(entry) if is_chosen(without_fragment(&entry.loc)) => Some(Ok(entry.loc)),
            Ok(entry) => {
                left_out.insert(crate::content::hash64(without_fragment(&entry.loc).as_bytes()));
                None
            }
            Err(error) => Some(Err(error)),
        });
        let wave = Wave::new(self.state, &run, &mut self.on_progress);
        let mut pages = Pages::new(wave, urls, HashSet::new());
        done.add(self.fetcher.run(run.time(), &mut pages).await);
        let Pages { wave, seen: listed, resumed, .. } = pages;
        wave.error.map_or(Ok(()), Err)?;
        done.resumed += resumed;

        let targets = Targets::of(self.state, &run, &listed, is_chosen)?;
        let wave = Wave::new(self.state, &run, &mut self.on_progress);
        let mut pages = Pages::new(wave, targets.urls.into_iter().map(Ok), listed);
        done.add(self.fetcher.run(run.time(), &mut pages).await);
        pages.wave.error.map_or(Ok(()), Err)?;
        done.resumed += pages.resumed;

        let folders = probe::folders(self.state, is_chosen)?;
        let mut probes = Probes::new(Wave::new(self.state, &run, &mut self.on_progress), folders);
        let summary = self.fetcher.run(run.time(), &mut probes).await;
        done.probes = summary.progress.visited;
        done.add(summary);
        probes.wave.error.map_or(Ok(()), Err)?;

        self.state.leave_out(&run, GapReason::Sampled, left_out.len() as u64)?;
        self.state.leave_out(&run, GapReason::MaxPages, targets.omitted)?;
        done.changes = self.state.finish_run(&run)?;
        done.gaps = self.state.run(run.number())?.map(|record| record.gaps).unwrap_or_default();
        Ok(done)
    }
}
