//! Threads that compress and store pieces of files while the records' thread goes on.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread::{self, JoinHandle};

/// One piece of work.
pub(super) type Job = Box<dyn FnOnce() + Send>;

/// Pieces that may wait for each thread, so that none is ever idle and memory stays bounded.
const WAITING_PER_THREAD: usize = 2;

/// The threads; dropping them drops the jobs that wait, and waits for those at work.
#[derive(Debug)]
pub(super) struct Workers {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

/// Jobs in the order they came.
pub(super) struct Queue {
    state: Mutex<State>,
    /// How many jobs wait, to be looked at without the lock.
    waiting: AtomicUsize,
    most: usize,
    has_work: Condvar,
    has_room: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    is_closed: bool,
    /// Of tasks that wait for room.
    wakers: Vec<Waker>,
}

impl Workers {
    pub(super) fn start(threads: usize) -> io::Result<Self> {
        let queue = Arc::new(Queue {
            state: Mutex::default(),
            waiting: AtomicUsize::new(0),
            most: threads * WAITING_PER_THREAD,
            has_work: Condvar::new(),
            has_room: Condvar::new(),
        });
        let mut workers = Self { queue, threads: Vec::new() };
        for _ in 0..threads {
            let queue = Arc::clone(&workers.queue);
            let thread = thread::Builder::new().name("sitemap".to_owned()).spawn(move || queue.work())?;
            workers.threads.push(thread);
        }
        Ok(workers)
    }

    pub(super) fn queue(&self) -> &Arc<Queue> {
        &self.queue
    }

    /// Waits until all jobs are done.
    pub(super) fn finish(mut self) {
        self.queue.close();
        self.join();
    }

    fn join(&mut self) {
        for thread in self.threads.drain(..) {
            // It does nothing that could panic but jobs, which it looks after.
            let _ = thread.join();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let jobs = std::mem::take(&mut self.queue.state().jobs);
        self.queue.close();
        // Outside the lock, for they may hold the last reference to files, which are then removed.
        drop(jobs);
        self.join();
    }
}

impl Queue {
    /// Adds a job, whether there is room or not: who adds jobs asks for room now and then.
    pub(super) fn push(&self, job: Job) {
        let mut state = self.state();
        state.jobs.push_back(job);
        // Under the lock, like every change: the count must never be less than what waits.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        drop(state);
        self.has_work.notify_one();
    }

    /// Waits while too many jobs do.
    #[inline]
    pub(super) fn wait_for_room(&self) {
        if !self.has_room() {
            self.wait();
        }
    }

    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < self.most
    }

    /// As [`has_room`](Self::has_room); if not, the waker is called when there is.
    #[cfg(feature = "async")]
    pub(super) fn has_room_or_wakes(&self, waker: &Waker) -> bool {
        let mut state = self.state();
        let has_room = self.has_room();
        if !has_room && !state.wakers.iter().any(|other| other.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        has_room
    }

    #[cold]
    fn wait(&self) {
        let mut state = self.state();
        while !self.has_room() {
            state = self.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            // A storage of somebody else's may panic. The file of that job then has no end or is void,
            // which is noticed there; this thread has others to go on with.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }

    fn next(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                let wakers = std::mem::take(&mut state.wakers);
                drop(state);
                self.has_room.notify_one();
                wakers.into_iter().for_each(Waker::wake);
                return Some(job);
            }
            if state.is_closed {
                return None;
            }
            state = self.has_work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        self.state().is_closed = true;
        self.has_work.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No job runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("waiting", &self.waiting).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn all_jobs_are_done_before_the_end() {
        let done = Arc::new(AtomicUsize::new(0));
        let workers = Workers::start(3).unwrap();
        for _ in 0..1_000 {
            let done = Arc::clone(&done);
            workers.queue().push(Box::new(move || {
                done.fetch_add(1, Ordering::Relaxed);
            }));
            workers.queue().wait_for_room();
        }
        workers.finish();
        assert_eq!(done.load(Ordering::Relaxed), 1_000);
    }

    #[test]
    fn room_is_counted_and_dropping_drops_what_waits() {
        let (begun, begins) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let workers = Workers::start(1).unwrap();
        workers.queue().push(Box::new(move || {
            begun.send(()).unwrap();
            released.recv().unwrap();
        }));
        begins.recv().unwrap();
        let done = Arc::new(AtomicUsize::new(0));
        for waiting in 0..WAITING_PER_THREAD {
            assert!(workers.queue().has_room(), "{waiting}");
            let done = Arc::clone(&done);
            workers.queue().push(Box::new(move || {
                done.fetch_add(1, Ordering::Relaxed);
            }));
        }
        assert!(!workers.queue().has_room());
        let dropped = thread::spawn(move || drop(workers));
        while Arc::strong_count(&done) > 1 {
            thread::yield_now();
        }
        release.send(()).unwrap();
        dropped.join().unwrap();
        assert_eq!(done.load(Ordering::Relaxed), 0);
    }
}
