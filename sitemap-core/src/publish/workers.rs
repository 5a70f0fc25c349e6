//! Threads that compress files and wait for the storage while the caller's thread continues.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread::{self, JoinHandle};

use super::task::{self, Task};

type Job = Box<dyn FnOnce() + Send>;

/// The number of pieces of text that may be queued for each thread that compresses. More pieces would take more memory.
/// With fewer pieces, threads would be idle.
const PIECES_PER_THREAD: usize = 2;

/// The maximum number of threads that wait for the storage at once. A disk or object store handles many requests at
/// once in about the time that one request takes.
const WAITS_AT_ONCE: usize = 16;

/// Threads that are started when there is work for them.
///
/// A job either computes (compresses a piece of text) or waits (for example, syncs a file). The number of threads that
/// compute at once is limited.
#[derive(Debug)]
pub(crate) struct Workers {
    queue: Arc<Queue>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Queue {
    state: Mutex<State>,
    /// The number of pieces of text in the queue, readable without the lock.
    pieces: AtomicUsize,
    /// The number of threads that may compute at once.
    computing_at_once: usize,
    has_work: Condvar,
    has_room: Condvar,
}

#[derive(Default)]
struct State {
    pieces: VecDeque<Job>,
    waits: VecDeque<Job>,
    computing: usize,
    idle: usize,
    threads: usize,
    is_closed: bool,
    /// The wakers of the asynchronous tasks that wait for room in the queue.
    wakers: Vec<Waker>,
}

impl Workers {
    /// Creates workers with at most `computing_at_once` threads that compute at the same time. If the number is 0, the
    /// caller's thread computes.
    pub(crate) fn new(computing_at_once: usize) -> Self {
        let queue = Queue {
            state: Mutex::default(),
            pieces: AtomicUsize::new(0),
            computing_at_once,
            has_work: Condvar::new(),
            has_room: Condvar::new(),
        };
        Self { queue: Arc::new(queue), threads: Mutex::default() }
    }

    /// Returns `true` if the workers process pieces of text, and `false` if the caller's thread does.
    pub(crate) fn computes(&self) -> bool {
        self.queue.computing_at_once > 0
    }

    /// Queues the processing of a piece of text. This call does not wait for room in the queue, so the caller must wait
    /// for room after each record.
    pub(crate) fn process(&self, piece: impl FnOnce() + Send + 'static) {
        let mut state = self.queue.state();
        state.pieces.push_back(Box::new(piece));
        // The count must increase before the lock is released. Otherwise another thread could take the piece and
        // decrease the count first.
        self.queue.pieces.fetch_add(1, Ordering::Relaxed);
        self.start_thread(state);
    }

    /// Queues a function that may wait for the storage.
    pub(crate) fn run<T: Send + 'static>(&self, call: impl FnOnce() -> T + Send + 'static) -> Task<T> {
        let (task, result) = task::new();
        let mut state = self.queue.state();
        state.waits.push_back(Box::new(move || result.set(call())));
        self.start_thread(state);
        task
    }

    /// Starts another thread if there are not enough idle threads for the queued jobs. Otherwise wakes an idle thread.
    fn start_thread<'q>(&'q self, mut state: MutexGuard<'q, State>) {
        let queue = &self.queue;
        let pieces = state.pieces.len().min(queue.computing_at_once.saturating_sub(state.computing));
        if state.idle >= pieces + state.waits.len()
            || state.threads == queue.computing_at_once + WAITS_AT_ONCE
        {
            drop(state);
            queue.has_work.notify_one();
            return;
        }
        let shared = Arc::clone(queue);
        match thread::Builder::new().name("sitemap".to_owned()).spawn(move || shared.work()) {
            Ok(thread) => {
                state.threads += 1;
                drop(state);
                self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
            }
            Err(_) if state.threads > 0 => {}
            // Not even one thread can be started, for example because the platform has no threads. So the caller's
            // thread does the work.
            Err(_) => {
                while let Some((job, is_piece)) = queue.take(&mut state) {
                    drop(state);
                    let _ = catch_unwind(AssertUnwindSafe(job));
                    state = queue.state();
                    state.computing -= usize::from(is_piece);
                }
            }
        }
    }

    /// Waits while too many pieces are in the queue.
    #[inline]
    pub(crate) fn wait_for_room(&self) {
        if !self.queue.has_room() {
            self.queue.wait();
        }
    }

    /// Returns `true` if the queue has room for another piece of text.
    #[cfg(feature = "async")]
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.queue.has_room()
    }

    /// Returns `true` if the queue has room for another piece of text. Otherwise returns `false`, and wakes the task of
    /// `waker` as soon as there is room.
    #[cfg(feature = "async")]
    pub(crate) fn has_room_or_wakes(&self, waker: &Waker) -> bool {
        let mut state = self.queue.state();
        let has_room = self.queue.has_room();
        if !has_room && !state.wakers.iter().any(|other| other.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
        has_room
    }

    /// Waits until all pieces are processed.
    pub(crate) fn finish_pieces(&self) {
        let mut state = self.queue.state();
        while !state.pieces.is_empty() || state.computing > 0 {
            state = self.queue.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Workers {
    /// Drops the jobs that have not started, and waits for the running ones.
    pub(crate) fn shut_down(&self) {
        let mut state = self.queue.state();
        state.is_closed = true;
        let jobs = (std::mem::take(&mut state.pieces), std::mem::take(&mut state.waits));
        self.queue.pieces.store(0, Ordering::Relaxed);
        drop(state);
        self.queue.has_work.notify_all();
        // The lock is released before the jobs are dropped. A job may hold the last reference to an unfinished file,
        // and dropping that reference removes the file from the storage, which takes time.
        drop(jobs);
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // If a job called this function, the thread of that job must not wait for itself.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// A guard that shuts workers down when it is dropped. Dropping the publisher's reference to the workers would not shut
/// them down, because jobs also hold references to them.
#[derive(Debug)]
pub(crate) struct ShutDownOnDrop(pub(crate) Arc<Workers>);

impl Drop for ShutDownOnDrop {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}

impl Queue {
    #[inline]
    fn has_room(&self) -> bool {
        self.pieces.load(Ordering::Relaxed) < (self.computing_at_once * PIECES_PER_THREAD).max(1)
    }

    #[cold]
    fn wait(&self) {
        let mut state = self.state();
        while !self.has_room() {
            state = self.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        let mut state = self.state();
        loop {
            if let Some((job, is_piece)) = self.take(&mut state) {
                let wakers = if is_piece { std::mem::take(&mut state.wakers) } else { Vec::new() };
                drop(state);
                wakers.into_iter().for_each(Waker::wake);
                // A storage may panic during the job. The file or task of the job then has no result and reports an
                // error. This thread continues with other jobs.
                let _ = catch_unwind(AssertUnwindSafe(job));
                state = self.state();
                state.computing -= usize::from(is_piece);
                if is_piece {
                    self.has_room.notify_all();
                    // Wakes a thread for the next piece, which may have waited in the queue because too many threads
                    // were computing.
                    self.has_work.notify_one();
                }
            } else if state.is_closed {
                return;
            } else {
                state.idle += 1;
                state = self.has_work.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
        }
    }

    /// Takes the next job. The second value is `true` if the job computes.
    fn take(&self, state: &mut State) -> Option<(Job, bool)> {
        if state.computing < self.computing_at_once.max(1)
            && let Some(piece) = state.pieces.pop_front()
        {
            self.pieces.fetch_sub(1, Ordering::Relaxed);
            state.computing += 1;
            self.has_room.notify_all();
            return Some((piece, true));
        }
        state.waits.pop_front().map(|wait| (wait, false))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No job runs while the lock is held, so a job that panics does not poison the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn all_pieces_are_processed_before_the_end_by_no_more_threads_than_asked_for() {
        let (done, at_once, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let counts = Arc::new((done, at_once, most));
        let workers = Workers::new(3);
        for _ in 0..1_000 {
            let counts = Arc::clone(&counts);
            workers.process(move || {
                let (done, at_once, most) = &*counts;
                most.fetch_max(at_once.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                thread::yield_now();
                at_once.fetch_sub(1, Ordering::Relaxed);
                done.fetch_add(1, Ordering::Relaxed);
            });
            workers.wait_for_room();
        }
        workers.finish_pieces();
        assert_eq!(counts.0.load(Ordering::Relaxed), 1_000);
        assert!((1..=3).contains(&counts.2.load(Ordering::Relaxed)));
    }

    #[test]
    fn waiting_jobs_run_while_all_computing_threads_are_busy() {
        let (started, starts) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let workers = Workers::new(1);
        workers.process(move || {
            started.send(()).unwrap();
            released.recv().unwrap();
        });
        starts.recv().unwrap();
        let tasks: Vec<_> = (0..100).map(|n| workers.run(move || n)).collect();
        let sum: i32 = tasks.into_iter().map(|task| task.wait().unwrap()).sum();
        assert_eq!(sum, 4_950);
        release.send(()).unwrap();
        workers.finish_pieces();
    }

    #[test]
    fn a_panic_is_a_task_without_a_result_and_ends_nothing_else() {
        let workers = Workers::new(0);
        assert!(workers.run(|| panic!("on purpose")).wait().is_none());
        assert_eq!(workers.run(|| 1).wait(), Some(1));
    }

    #[test]
    fn room_is_counted_and_dropping_drops_what_waits() {
        let (started, starts) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let workers = Workers::new(1);
        workers.process(move || {
            started.send(()).unwrap();
            released.recv().unwrap();
        });
        starts.recv().unwrap();
        let done = Arc::new(AtomicUsize::new(0));
        for waiting in 0..PIECES_PER_THREAD {
            assert!(workers.queue.has_room(), "{waiting}");
            let done = Arc::clone(&done);
            workers.process(move || {
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert!(!workers.queue.has_room());
        let dropped = thread::spawn(move || drop(workers));
        while Arc::strong_count(&done) > 1 {
            thread::yield_now();
        }
        release.send(()).unwrap();
        dropped.join().unwrap();
        assert_eq!(done.load(Ordering::Relaxed), 0);
    }
}
