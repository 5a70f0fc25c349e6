//! Runs slow work on other threads, so it does not block an async runtime.

use std::panic::resume_unwind;

use sitemap_core::threads::{Pool, Task};

/// How many threads read files at the same time. If the storage stops responding, all of them may wait for it.
const READERS: usize = 4;

/// How many threads check whether the indexes in memory are current. Meanwhile, other requests get the copies in memory
/// (unless this process has published since), so one thread for `sitemap.xml` and one for robots.txt are enough.
const CHECKERS: usize = 2;

/// How many threads do all other work. They can still compress files in memory if the storage stops responding.
const OTHERS: usize = 4;

/// The kind of a job. Determines which threads it runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// A short job, or one that never runs twice at the same time.
    Any,
    /// A job that checks whether the copy of an index in memory is current. If several such jobs wait, the first does
    /// the check and the others use its result.
    Check,
    /// A job that reads a file from storage. Many such jobs may be waiting.
    Read,
}

/// The threads of a live set or service: one pool for each lane.
#[derive(Debug)]
pub(super) struct Offload {
    others: Pool,
    checkers: Pool,
    readers: Pool,
}

impl Default for Offload {
    fn default() -> Self {
        Self { others: Pool::new(OTHERS), checkers: Pool::new(CHECKERS), readers: Pool::new(READERS) }
    }
}

impl Offload {
    /// Runs `work` on another thread. Dropping the task cancels the work if it has not started.
    pub(super) fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Task<T> {
        self.pool(lane).run(work)
    }

    /// Runs `work` on another thread, and ignores its result, even a panic.
    pub(super) fn start(&self, lane: Lane, work: impl FnOnce() + Send + 'static) {
        self.pool(lane).start(work);
    }

    fn pool(&self, lane: Lane) -> &Pool {
        match lane {
            Lane::Any => &self.others,
            Lane::Check => &self.checkers,
            Lane::Read => &self.readers,
        }
    }
}

/// Returns the result of the work. If the work panicked, panics here as well, without printing the message again.
pub(super) fn or_panic<T>(result: Option<T>) -> T {
    result.unwrap_or_else(|| resume_unwind(Box::new("work on another thread has panicked")))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, mpsc};

    use super::*;
    use crate::lock::lock;

    #[test]
    fn reads_and_checks_that_wait_leave_threads_for_other_work() {
        let offload = Offload::default();
        let (go, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let waiting: Vec<_> = (0..28)
            .map(|n| {
                let gate = Arc::clone(&gate);
                let lane = if n % 2 == 0 { Lane::Check } else { Lane::Read };
                offload.run(lane, move || lock(&gate).recv().is_ok())
            })
            .collect();
        for n in 0..100 {
            assert_eq!(offload.run(Lane::Any, move || n).wait(), Some(n));
        }
        for _ in 0..waiting.len() {
            go.send(()).unwrap();
        }
        assert!(waiting.into_iter().all(|job| job.wait() == Some(true)));
    }
}
