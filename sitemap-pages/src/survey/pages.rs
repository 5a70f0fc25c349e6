//! A wave of visits of pages whose URLs are known before.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::wave::Wave;
use crate::content::hash64;
use crate::fetch::{Request, RobotsFile, RunProgress, Work};
use crate::state::StateError;
use crate::visit::{Visit, without_fragment};

/// Visits each URL once.
pub(super) struct Pages<'a, I> {
    pub(super) wave: Wave<'a>,
    urls: I,
    /// The hashes of all URLs so far.
    pub(super) seen: HashSet<u64>,
    /// The number of pages that the run had visited before.
    pub(super) resumed: u64,
}

impl<'a, I: Iterator<Item = Result<String, StateError>>> Pages<'a, I> {
    pub(super) fn new(wave: Wave<'a>, urls: I, seen: HashSet<u64>) -> Self {
        Self { wave, urls, seen, resumed: 0 }
    }
}

impl<I: Iterator<Item = Result<String, StateError>>> Work for Pages<'_, I> {
    fn next(&mut self) -> Option<Request> {
        loop {
            let url = self.urls.next()?;
            let url = self.wave.keep(url)?;
            let url = without_fragment(&url);
            if !self.seen.insert(hash64(url.as_bytes())) {
                continue;
            }
            let request = self.wave.request(url);
            match self.wave.keep(request)? {
                Some(request) => return Some(request),
                None => self.resumed += 1,
            }
        }
    }

    fn done(&mut self, visit: Visit) -> ControlFlow<()> {
        self.wave.store(&visit);
        self.wave.flow()
    }

    fn robots(&mut self, origin: &str) -> Option<RobotsFile> {
        self.wave.robots(origin)
    }

    fn store_robots(&mut self, file: &RobotsFile) {
        self.wave.store_robots(file);
    }

    fn progress(&mut self, progress: &RunProgress) {
        (self.wave.on_progress)(progress);
    }
}
