//! A pool of threads that compute or block while the caller's thread continues.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, ThreadId};
use std::time::Duration;

use super::task::{self, Task};

type Job = Box<dyn FnOnce() + Send>;

/// The maximum number of queued jobs per thread. With a higher maximum, the queue would take more memory. With a lower
/// one, threads would be idle.
const QUEUED_PER_THREAD: usize = 2;

/// How long an idle thread waits for another job before it ends.
const IDLE: Duration = Duration::from_millis(500);

/// A queue of jobs and the threads that run them.
///
/// Threads start when there is work, and end after a while without work. If no thread at all can be started, for
/// example because the platform has none, the caller's thread does the work.
///
/// Dropping the pool drops work that hasn't started, and doesn't wait for the rest. [`shut_down`](Self::shut_down) does
/// wait.
///
/// ```
/// use sitemap_core::threads::Pool;
///
/// let pool = Pool::new(4);
/// let sums: Vec<_> = (0..10_u64).map(|n| pool.run(move || (0..=n).sum::<u64>())).collect();
/// assert_eq!(sums.into_iter().last().and_then(|sum| sum.wait()), Some(45));
/// ```
pub struct Pool {
    queue: Arc<Queue>,
}

struct Queue {
    state: Mutex<State>,
    /// The number of jobs in the queue, readable without the lock.
    queued: AtomicUsize,
    max_threads: usize,
    has_work: Condvar,
    /// Notified when a job is taken from the queue or ends, and when a thread ends.
    has_changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: Vec<ThreadId>,
    idle: usize,
    is_closed: bool,
    /// The wakers of asynchronous tasks that wait for room in the queue.
    wakers: Vec<Waker>,
}

impl Pool {
    /// Creates a pool of at most `threads` threads. With 0, the caller's thread does the work.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let queue = Queue {
            state: Mutex::default(),
            queued: AtomicUsize::new(0),
            max_threads: threads,
            has_work: Condvar::new(),
            has_changed: Condvar::new(),
        };
        Self { queue: Arc::new(queue) }
    }

    /// Returns the maximum number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.queue.max_threads
    }

    /// Queues work. Doesn't wait for room in the queue: if you queue a lot of work, also call
    /// [`wait_for_room`](Self::wait_for_room).
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Task<T> {
        let (task, result) = task::new();
        self.start(move || {
            if !result.is_unwanted() {
                result.set(work());
            }
        });
        task
    }

    /// Queues work whose result isn't needed. A panic is ignored.
    pub fn start(&self, work: impl FnOnce() + Send + 'static) {
        let queue = &self.queue;
        let mut state = queue.state();
        if state.is_closed {
            return;
        }
        state.jobs.push_back(Box::new(work));
        // The count must increase before the lock is released. Otherwise another thread could take the job and decrease
        // the count first.
        queue.queued.fetch_add(1, Ordering::Relaxed);
        if state.idle >= state.jobs.len()
            || (state.threads.len() == queue.max_threads && queue.max_threads > 0)
        {
            drop(state);
            queue.has_work.notify_one();
            return;
        }
        if queue.max_threads > 0 {
            let shared = Arc::clone(queue);
            if let Ok(thread) = thread::Builder::new().name("sitemap".to_owned()).spawn(move || shared.work())
            {
                state.threads.push(thread.thread().id());
                return;
            }
        }
        if state.threads.is_empty()
            && let Some(job) = queue.take(&mut state)
        {
            drop(state);
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }

    /// Returns `true` if the queue has room for more work.
    #[inline]
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.queue.has_room()
    }

    /// Blocks while the queue is full.
    #[inline]
    pub fn wait_for_room(&self) {
        if !self.queue.has_room() {
            self.queue.wait(|_| self.queue.has_room());
        }
    }

    /// Waits for room like [`wait_for_room`](Self::wait_for_room), without blocking.
    pub fn poll_room(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.queue.state();
        if self.queue.has_room() {
            return Poll::Ready(());
        }
        if !state.wakers.iter().any(|other| other.will_wake(context.waker())) {
            state.wakers.push(context.waker().clone());
        }
        Poll::Pending
    }

    /// Blocks until all work is done.
    pub fn wait_until_idle(&self) {
        self.queue.wait(|state| state.jobs.is_empty() && state.idle == state.threads.len());
    }

    /// Drops the work that hasn't started, and blocks until the rest is done. Work that is queued later is dropped.
    pub fn shut_down(&self) {
        self.queue.close();
        // A job that calls this function can't wait for its own end.
        let this = thread::current().id();
        self.queue.wait(|state| state.threads.iter().all(|thread| *thread == this));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Queue {
    #[inline]
    fn has_room(&self) -> bool {
        self.queued.load(Ordering::Relaxed) < (self.max_threads * QUEUED_PER_THREAD).max(1)
    }

    #[cold]
    fn wait(&self, is_met: impl Fn(&State) -> bool) {
        let mut state = self.state();
        while !is_met(&state) {
            state = self.has_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        let mut state = self.state();
        loop {
            if let Some(job) = self.take(&mut state) {
                let wakers = std::mem::take(&mut state.wakers);
                drop(state);
                wakers.into_iter().for_each(Waker::wake);
                // If a job panics, its task has no result, and this thread continues with other jobs.
                let _ = catch_unwind(AssertUnwindSafe(job));
                state = self.state();
                continue;
            }
            state.idle += 1;
            self.has_changed.notify_all();
            let mut has_waited = false;
            while state.jobs.is_empty() && !state.is_closed && !has_waited {
                let waited = self.has_work.wait_timeout(state, IDLE);
                let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                (state, has_waited) = (woken, timeout.timed_out());
            }
            state.idle -= 1;
            if state.jobs.is_empty() {
                let this = thread::current().id();
                state.threads.retain(|thread| *thread != this);
                self.has_changed.notify_all();
                return;
            }
        }
    }

    fn take(&self, state: &mut State) -> Option<Job> {
        let job = state.jobs.pop_front()?;
        self.queued.fetch_sub(1, Ordering::Relaxed);
        self.has_changed.notify_all();
        Some(job)
    }

    fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let jobs = std::mem::take(&mut state.jobs);
        self.queued.store(0, Ordering::Relaxed);
        drop(state);
        self.has_work.notify_all();
        // The lock is released before the jobs are dropped, because dropping them may take long or run other code:
        // dropping the last reference to an unfinished file removes the file from the storage.
        drop(jobs);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No job runs while the lock is held, so a job that panics doesn't poison the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn all_work_is_done_by_no_more_threads_than_asked_for() {
        let (done, at_once, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let counts = Arc::new((done, at_once, most));
        let pool = Pool::new(3);
        for _ in 0..1_000 {
            let counts = Arc::clone(&counts);
            pool.start(move || {
                counts.2.fetch_max(counts.1.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                thread::yield_now();
                counts.1.fetch_sub(1, Ordering::Relaxed);
                counts.0.fetch_add(1, Ordering::Relaxed);
            });
            pool.wait_for_room();
        }
        pool.wait_until_idle();
        assert_eq!(counts.0.load(Ordering::Relaxed), 1_000);
        assert!((1..=3).contains(&counts.2.load(Ordering::Relaxed)));
    }

    #[test]
    fn threads_end_when_there_is_no_work() {
        let pool = Pool::new(3);
        let tasks: Vec<_> = (0..100).map(|n| pool.run(move || n)).collect();
        let sum: i32 = tasks.into_iter().map(|task| task.wait().unwrap()).sum();
        assert_eq!(sum, 4_950);
        pool.queue.wait(|state| state.threads.is_empty());
        assert_eq!(pool.run(|| 1).wait(), Some(1));
    }

    #[test]
    fn a_panic_is_a_task_without_a_result_and_ends_nothing_else() {
        for threads in [0, 1] {
            let pool = Pool::new(threads);
            assert!(pool.run(|| panic!("on purpose")).wait().is_none());
            assert_eq!(pool.run(|| 1).wait(), Some(1));
        }
    }

    #[test]
    fn without_threads_the_caller_does_the_work() {
        let pool = Pool::new(0);
        assert_eq!(pool.run(|| thread::current().id()).wait(), Some(thread::current().id()));
        pool.wait_for_room();
        pool.wait_until_idle();
        pool.shut_down();
    }

    /// Returns a pool whose only thread runs a job until the channel receives a message.
    fn busy() -> (Pool, mpsc::Sender<()>) {
        let (started, starts) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let pool = Pool::new(1);
        pool.start(move || {
            started.send(()).unwrap();
            released.recv().unwrap();
        });
        starts.recv().unwrap();
        (pool, release)
    }

    #[test]
    fn work_whose_task_is_dropped_does_not_begin() {
        let (pool, release) = busy();
        let (done, ran) = mpsc::channel();
        drop(pool.run(move || done.send(())));
        release.send(()).unwrap();
        pool.wait_until_idle();
        // The sender was dropped together with the work.
        assert!(ran.recv().is_err());
    }

    #[test]
    fn a_full_queue_has_no_room_and_shutting_down_drops_it() {
        let (pool, release) = busy();
        let done = Arc::new(AtomicUsize::new(0));
        for queued in 0..QUEUED_PER_THREAD {
            assert!(pool.has_room(), "{queued}");
            let done = Arc::clone(&done);
            pool.start(move || {
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert!(!pool.has_room());
        let mut context = Context::from_waker(Waker::noop());
        assert!(pool.poll_room(&mut context).is_pending());
        let shut_down = thread::spawn(move || pool.shut_down());
        while Arc::strong_count(&done) > 1 {
            thread::yield_now();
        }
        release.send(()).unwrap();
        shut_down.join().unwrap();
        assert_eq!(done.load(Ordering::Relaxed), 0);
    }
}
