//! Runs slow work on threads of its own, so that the work does not block an async runtime.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use super::lock::lock;

/// The maximum number of threads that read files at the same time. While a storage does not answer, all of them may wait
/// for it.
const MAX_READERS: usize = 4;

/// The maximum number of threads that check the indexes in memory. Other requests get these indexes meanwhile, unless this
/// process has published since, so one thread for `sitemap.xml` and one for robots.txt are enough.
const MAX_CHECKERS: usize = 2;

/// The maximum number of threads. While a storage does not answer, one is left, which still compresses files in memory.
const MAX_THREADS: usize = MAX_READERS + MAX_CHECKERS + 1;

/// The kind of a job, which decides how many threads it may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// A job that may use any thread, because it ends soon, or because no other job of its kind waits.
    Any,
    /// A job that checks an index of which a copy is in memory. Of several jobs that wait, the first one checks, and the
    /// others then use its result.
    Check,
    /// A job that reads a file from a storage, of which any number may wait.
    Read,
}

/// A pool that starts threads when there is work and ends them when there is none.
#[derive(Debug, Default)]
pub(super) struct Offload {
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    checks: VecDeque<Job>,
    reads: VecDeque<Job>,
    threads: usize,
    /// The number of threads that run a job of `checks`.
    checkers: usize,
    /// The number of threads that run a job of `reads`.
    readers: usize,
}

type Job = Box<dyn FnOnce() + Send>;

impl Offload {
    /// Runs `work` on another thread, or on this thread if no other can be started. The future returns the result of
    /// the work, or an error if the work panics. Dropping the future cancels work that has not started.
    pub(super) fn run<T: Send + 'static>(
        self: &Arc<Self>,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Offloaded<T> {
        let slot = Arc::new(Mutex::new(Slot { result: None, waker: None }));
        let filled = Arc::downgrade(&slot);
        let job = Box::new(move || {
            let Some(slot) = filled.upgrade() else { return };
            // Catching a panic is safe, because the work shares only state whose locks remain usable after a panic.
            let result = catch_unwind(AssertUnwindSafe(work));
            let waker = {
                let mut slot = lock(&slot);
                slot.result = Some(result);
                slot.waker.take()
            };
            if let Some(waker) = waker {
                waker.wake();
            }
        });
        self.push(lane, job);
        Offloaded { slot }
    }

    /// Runs `work` on another thread, or on this thread if no other can be started. Nobody learns of its end, or of its
    /// panic.
    pub(super) fn start(self: &Arc<Self>, lane: Lane, work: impl FnOnce() + Send + 'static) {
        self.push(
            lane,
            Box::new(move || {
                let _ = catch_unwind(AssertUnwindSafe(work));
            }),
        );
    }

    fn push(self: &Arc<Self>, lane: Lane, job: Job) {
        let mut queue = lock(&self.queue);
        queue.lane(lane).push_back(job);
        if queue.threads == MAX_THREADS || !queue.has_room(lane) {
            return;
        }
        let this = Arc::clone(self);
        let name = "sitemap-files".to_owned();
        let is_started = thread::Builder::new().name(name).spawn(move || this.run_jobs()).is_ok();
        if is_started {
            queue.threads += 1;
        } else if queue.threads == 0
            && let Some(job) = queue.lane(lane).pop_back()
        {
            // Without any thread the job would never run, so it runs here and blocks the caller.
            drop(queue);
            job();
        }
    }

    fn run_jobs(&self) {
        let mut lane = Lane::Any;
        loop {
            let job = {
                let mut queue = lock(&self.queue);
                match lane {
                    Lane::Any => {}
                    Lane::Check => queue.checkers -= 1,
                    Lane::Read => queue.readers -= 1,
                }
                let Some((next, job)) = queue.take() else {
                    queue.threads -= 1;
                    return;
                };
                lane = next;
                job
            };
            job();
        }
    }
}

impl Queue {
    fn lane(&mut self, lane: Lane) -> &mut VecDeque<Job> {
        match lane {
            Lane::Any => &mut self.jobs,
            Lane::Check => &mut self.checks,
            Lane::Read => &mut self.reads,
        }
    }

    /// Returns `true` if one more thread may run a job of this lane.
    fn has_room(&self, lane: Lane) -> bool {
        match lane {
            Lane::Any => true,
            Lane::Check => self.checkers < MAX_CHECKERS,
            Lane::Read => self.readers < MAX_READERS,
        }
    }

    /// Takes the next job that a thread may run.
    fn take(&mut self) -> Option<(Lane, Job)> {
        if let Some(job) = self.jobs.pop_front() {
            return Some((Lane::Any, job));
        }
        if self.has_room(Lane::Check)
            && let Some(job) = self.checks.pop_front()
        {
            self.checkers += 1;
            return Some((Lane::Check, job));
        }
        if !self.has_room(Lane::Read) {
            return None;
        }
        let job = self.reads.pop_front()?;
        self.readers += 1;
        Some((Lane::Read, job))
    }
}

/// The future of work on another thread. It returns the work's result, or an error if the work panicked.
pub(super) struct Offloaded<T> {
    slot: Arc<Mutex<Slot<T>>>,
}

struct Slot<T> {
    result: Option<thread::Result<T>>,
    waker: Option<Waker>,
}

impl<T> Future for Offloaded<T> {
    type Output = thread::Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<thread::Result<T>> {
        let mut slot = lock(&self.slot);
        if let Some(result) = slot.result.take() {
            return Poll::Ready(result);
        }
        slot.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl<T> fmt::Debug for Offloaded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offloaded").finish_non_exhaustive()
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("jobs", &self.jobs.len())
            .field("checks", &self.checks.len())
            .field("reads", &self.reads.len())
            .field("threads", &self.threads)
            .field("checkers", &self.checkers)
            .field("readers", &self.readers)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::Wake;
    use std::thread::Thread;

    use super::*;

    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    fn wait<F: Future + Unpin>(mut future: F) -> F::Output {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            match Pin::new(&mut future).poll(&mut context) {
                Poll::Ready(output) => return output,
                Poll::Pending => thread::park(),
            }
        }
    }

    #[test]
    fn all_work_is_done_on_a_few_threads_that_end() {
        let offload = Arc::new(Offload::default());
        let futures: Vec<_> = (0..100)
            .map(|n| offload.run(if n % 2 == 0 { Lane::Any } else { Lane::Read }, move || n))
            .collect();
        assert!(lock(&offload.queue).threads <= MAX_THREADS);
        let sum: i32 = futures.into_iter().map(|future| wait(future).unwrap()).sum();
        assert_eq!(sum, 4950);
        while lock(&offload.queue).threads > 0 {
            thread::yield_now();
        }
        assert_eq!(lock(&offload.queue).readers, 0);
    }

    #[test]
    fn reads_and_checks_that_wait_leave_a_thread_for_other_work() {
        let offload = Arc::new(Offload::default());
        let (go, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let waiting: Vec<_> = (0..4 * MAX_THREADS)
            .map(|n| {
                let gate = Arc::clone(&gate);
                let lane = if n % 2 == 0 { Lane::Check } else { Lane::Read };
                offload.run(lane, move || lock(&gate).recv().is_ok())
            })
            .collect();
        for n in 0..100 {
            assert_eq!(wait(offload.run(Lane::Any, move || n)).unwrap(), n);
            let queue = lock(&offload.queue);
            assert!(queue.readers <= MAX_READERS && queue.checkers <= MAX_CHECKERS);
        }
        for _ in 0..waiting.len() {
            go.send(()).unwrap();
        }
        for job in waiting {
            assert!(wait(job).unwrap());
        }
    }

    #[test]
    fn a_panic_is_an_error_and_other_work_goes_on() {
        let offload = Arc::new(Offload::default());
        let bad = offload.run(Lane::Any, || panic!("on purpose"));
        let good = offload.run(Lane::Read, || 1);
        assert!(wait::<Offloaded<()>>(bad).is_err());
        assert_eq!(wait(good).unwrap(), 1);
    }

    #[test]
    fn work_whose_future_is_dropped_is_not_started() {
        let offload = Arc::new(Offload::default());
        let (go, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let busy: Vec<_> = (0..MAX_THREADS)
            .map(|_| {
                let gate = Arc::clone(&gate);
                offload.run(Lane::Any, move || lock(&gate).recv().is_ok())
            })
            .collect();
        let (done, ran) = mpsc::channel();
        drop(offload.run(Lane::Any, move || done.send(())));
        for _ in 0..MAX_THREADS {
            go.send(()).unwrap();
        }
        for busy in busy {
            assert!(wait(busy).unwrap());
        }
        // The channel is closed, because the job was dropped together with its sender.
        assert!(ran.recv().is_err());
    }
}
