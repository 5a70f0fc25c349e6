//! Runs jobs on several threads and delivers their results in the order of the jobs.
//!
//! A job produces its results in pieces. The pieces of the first unfinished job are delivered while it runs. The pieces
//! of later jobs wait, and their total size is bounded: a thread that is too far ahead pauses.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A thread pauses when the waiting pieces of all jobs except the first exceed this many bytes per thread. A typical
/// document of 50,000 pages is smaller than that.
const MAX_AHEAD: usize = 8 << 20;

/// The thread of the first unfinished job pauses when the waiting pieces of that job exceed this many bytes.
const MAX_FIRST: usize = 8 << 20;

/// Calls `work` for each item on up to `threads` threads, and returns the results in the order of the items.
///
/// After an error, no more items are started. If several items fail, the error of the earliest one is returned. With
/// one thread or one item, the caller's thread does the work.
///
/// # Errors
///
/// The error returned by `work`.
///
/// # Panics
///
/// If `work` panics.
pub fn map<T: Send, R: Send, E: Send>(
    threads: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let items = items.into_iter();
    let threads = items.size_hint().1.map_or(threads, |most| most.min(threads));
    if threads <= 1 {
        return items.map(work).collect();
    }
    let mut results = Vec::new();
    let work = |item, worker: &Worker<'_, Result<R, E>>| {
        worker.send(0, work(item));
    };
    in_order(threads, items, work, |result| {
        results.push(result?);
        Ok(())
    })?;
    Ok(results)
}

/// Calls `work` for each item on up to `threads` other threads. Each call sends any number of pieces. `receive` is
/// called with each of them, on the caller's thread and in the order of the items. If it returns an error, the work
/// stops.
///
/// ```
/// use sitemap_core::threads::{Worker, in_order};
///
/// let texts = ["the first", "and the second"];
/// let mut words = Vec::new();
/// let work = |text: &'static str, worker: &Worker<'_, &'static str>| {
///     for word in text.split(' ') {
///         worker.send(word.len(), word);
///     }
/// };
/// in_order(2, texts, work, |word| {
///     words.push(word);
///     Ok::<_, std::io::Error>(())
/// })?;
/// assert_eq!(words, ["the", "first", "and", "the", "second"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// The error returned by `receive`.
///
/// # Panics
///
/// If `work` panics.
pub fn in_order<T: Send, P: Send, E>(
    threads: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T, &Worker<'_, P>) + Sync,
    mut receive: impl FnMut(P) -> Result<(), E>,
) -> Result<(), E> {
    let mut items = items.into_iter().fuse();
    run(threads, work, |jobs| {
        loop {
            while !jobs.is_full()
                && let Some(item) = items.next()
            {
                jobs.add(item);
            }
            match jobs.event() {
                Some(Event::Piece(piece)) => receive(piece)?,
                Some(Event::End) => {}
                None => return Ok(()),
            }
        }
    })
}

/// Runs jobs on up to `threads` other threads, for a caller that decides step by step which job comes next.
///
/// `work` runs one job and sends its pieces through the [`Worker`]. `drive` runs on the caller's thread, adds the jobs
/// and receives the pieces. When it returns, jobs that haven't started are dropped, and [`Worker::send`] tells running
/// jobs to stop.
///
/// A thread is started only for a job that no other thread can run. If no thread can be started, or `threads` is 0,
/// jobs run on the caller's thread while it waits for an event, and their pieces aren't bounded.
///
/// `Q` is the type of the questions that a job may ask the caller's thread.
///
/// # Panics
///
/// If `work` panics.
pub fn run<J: Send, P: Send, Q: Send, R>(
    threads: usize,
    work: impl Fn(J, &Worker<'_, P, Q>) + Sync,
    drive: impl FnOnce(&mut Jobs<'_, J, P, Q>) -> R,
) -> R {
    let shared = Shared {
        state: Mutex::new(State {
            jobs: VecDeque::new(),
            unfinished: VecDeque::new(),
            first: 0,
            next: 0,
            ahead: 0,
            questions: VecDeque::new(),
            idle: 0,
            paused: 0,
            panic: None,
            is_closed: false,
        }),
        for_workers: Condvar::new(),
        for_room: Condvar::new(),
        for_driver: Condvar::new(),
        max_ahead: MAX_AHEAD.saturating_mul(threads),
    };
    thread::scope(|scope| {
        let (shared, work) = (&shared, &work);
        let _close = Close(shared);
        let start = || thread::Builder::new().spawn_scoped(scope, move || shared.work(work)).is_ok();
        drive(&mut Jobs { shared, work, threads, started: 0, start: &start })
    })
}

/// The job's side: it sends pieces and asks questions.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
///
/// use sitemap_core::threads::{Event, Worker, run};
///
/// // A job asks the caller's thread for the price of each thing, which only that thread knows.
/// let work = |thing: &'static str, worker: &Worker<'_, String, (&'static str, Sender<u32>)>| {
///     let (answer, answered) = channel();
///     worker.ask((thing, answer));
///     let Ok(price) = answered.recv() else { return };
///     worker.send(0, format!("{thing} {price}"));
/// };
/// let mut lines = Vec::new();
/// run(2, work, |jobs| {
///     ["tea", "cups"].map(|thing| jobs.add(thing));
///     let mut answer = |(thing, answer): (&str, Sender<u32>)| drop(answer.send(thing.len() as u32));
///     while let Some(event) = jobs.event_or_answer(&mut answer) {
///         if let Event::Piece(line) = event {
///             lines.push(line);
///         }
///     }
/// });
/// assert_eq!(lines, ["tea 3", "cups 4"]);
/// ```
pub struct Worker<'s, P, Q = Infallible> {
    driver: &'s dyn Driver<P, Q>,
    /// The number of the job.
    number: u64,
}

/// Where jobs send their pieces and questions.
trait Driver<P, Q> {
    fn send(&self, job: u64, size: usize, piece: P) -> bool;
    fn ask(&self, question: Q);
}

impl<P, Q> Worker<'_, P, Q> {
    /// Sends a piece of `size` bytes. Waits while too many pieces are queued. Returns `false` if the rest of the job
    /// isn't needed any more.
    pub fn send(&self, size: usize, piece: P) -> bool {
        self.driver.send(self.number, size, piece)
    }

    /// Asks the caller's thread a question, which contains the means to answer it, such as a channel. If the caller has
    /// already finished, the question is dropped.
    pub fn ask(&self, question: Q) {
        self.driver.ask(question);
    }
}

/// The caller's side: it adds jobs and receives their pieces.
///
/// ```
/// use sitemap_core::threads::{Event, Jobs, Worker, run};
///
/// let work = |n: u32, worker: &Worker<'_, u32>| drop(worker.send(4, n * n));
/// // The result of each job says which one comes next.
/// let last = run(2, work, |jobs: &mut Jobs<'_, u32, u32>| {
///     jobs.add(2);
///     let mut last = 0;
///     while let Some(event) = jobs.event() {
///         if let Event::Piece(square) = event {
///             last = square;
///             if square < 100 {
///                 jobs.add(square);
///             }
///         }
///     }
///     last
/// });
/// assert_eq!(last, 256);
/// ```
pub struct Jobs<'s, J, P, Q = Infallible> {
    shared: &'s Shared<J, P, Q>,
    work: &'s dyn Fn(J, &Worker<'_, P, Q>),
    threads: usize,
    started: usize,
    /// Starts a thread. Returns `false` if that isn't possible.
    start: &'s dyn Fn() -> bool,
}

/// An event for the caller's thread. See the example of [`Jobs`].
///
/// ```
/// use sitemap_core::threads::{Event, Worker, run};
///
/// let work = |(): (), worker: &Worker<'_, &'static str>| drop(worker.send(0, "done"));
/// run(1, work, |jobs| {
///     jobs.add(());
///     assert_eq!(jobs.event(), Some(Event::Piece("done")));
///     assert_eq!(jobs.event(), Some(Event::End));
///     assert_eq!(jobs.event(), None);
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<P> {
    /// The next piece of the first unfinished job.
    Piece(P),
    /// The first unfinished job is now finished, and the next job becomes the first.
    End,
}

impl<J, P> Jobs<'_, J, P> {
    /// Waits for the next event. Returns `None` if there is no unfinished job.
    pub fn event(&mut self) -> Option<Event<P>> {
        self.event_or_answer(&mut |never| match never {})
    }
}

impl<J, P, Q> Jobs<'_, J, P, Q> {
    /// Returns `true` if enough jobs are waiting to keep all threads busy.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.shared.state().unfinished.len() >= (self.threads * 2).max(1)
    }

    /// Adds a job to the end of the queue.
    pub fn add(&mut self, job: J) {
        let mut state = self.shared.state();
        state.jobs.push_back(job);
        state.unfinished.push_back(Pieces { waiting: VecDeque::new(), size: 0, is_done: false });
        let is_one_short = state.jobs.len() > state.idle;
        drop(state);
        if is_one_short && self.started < self.threads && (self.start)() {
            self.started += 1;
        } else {
            self.shared.for_workers.notify_one();
        }
    }

    /// Waits for the next event, and answers questions from any job in the meantime. Returns `None` if there is no
    /// unfinished job.
    pub fn event_or_answer(&mut self, answer: &mut dyn FnMut(Q)) -> Option<Event<P>> {
        let mut state = self.shared.state();
        loop {
            state = without_panic(state);
            if let Some(question) = state.questions.pop_front() {
                drop(state);
                answer(question);
                state = self.shared.state();
            } else if state.unfinished.is_empty() {
                return None;
            } else if let Some(event) = self.shared.event(&mut state) {
                return Some(event);
            } else if self.started > 0 {
                state = wait(&self.shared.for_driver, state);
            } else {
                state = self.work_here(state, answer);
            }
        }
    }

    /// Returns the next event, or `None` if there isn't one yet. Doesn't answer questions.
    pub fn event_so_far(&mut self) -> Option<Event<P>> {
        let mut state = without_panic(self.shared.state());
        self.shared.event(&mut state)
    }

    /// Runs the next job on this thread.
    fn work_here<'g>(
        &'g self,
        mut state: MutexGuard<'g, State<J, P, Q>>,
        answer: &mut dyn FnMut(Q),
    ) -> MutexGuard<'g, State<J, P, Q>> {
        let Some(job) = state.jobs.pop_front() else { return state };
        let number = state.next;
        state.next += 1;
        drop(state);
        let here = Here { shared: self.shared, answer: RefCell::new(answer) };
        (self.work)(job, &Worker { driver: &here, number });
        let mut state = self.shared.state();
        state.end(number);
        state
    }
}

/// The driver of a job that runs on the caller's thread.
struct Here<'h, J, P, Q> {
    shared: &'h Shared<J, P, Q>,
    answer: RefCell<&'h mut dyn FnMut(Q)>,
}

impl<J, P, Q> Driver<P, Q> for Here<'_, J, P, Q> {
    fn send(&self, job: u64, size: usize, piece: P) -> bool {
        self.shared.state().push(job, size, piece);
        true
    }

    fn ask(&self, question: Q) {
        (self.answer.borrow_mut())(question);
    }
}

struct Shared<J, P, Q> {
    state: Mutex<State<J, P, Q>>,
    /// Tells the workers that there is a job.
    for_workers: Condvar,
    /// Tells paused workers that pieces were received.
    for_room: Condvar,
    /// Tells the driver that there is a piece of the first job, or a question.
    for_driver: Condvar,
    max_ahead: usize,
}

struct State<J, P, Q> {
    /// The jobs that haven't started.
    jobs: VecDeque<J>,
    /// The pieces of all unfinished jobs, in the order of the jobs.
    unfinished: VecDeque<Pieces<P>>,
    /// The number of the first unfinished job.
    first: u64,
    /// The number of the next job to start.
    next: u64,
    /// The total size of the pieces of all jobs except the first.
    ahead: usize,
    questions: VecDeque<Q>,
    /// The number of workers that are waiting for a job, or that have been notified of one but aren't running yet.
    idle: usize,
    /// The number of workers that are paused because too many pieces are queued.
    paused: usize,
    panic: Option<Box<dyn Any + Send>>,
    is_closed: bool,
}

struct Pieces<P> {
    waiting: VecDeque<(usize, P)>,
    size: usize,
    is_done: bool,
}

impl<J, P, Q> Shared<J, P, Q> {
    fn state(&self) -> MutexGuard<'_, State<J, P, Q>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one job after another.
    fn work(&self, work: &impl Fn(J, &Worker<'_, P, Q>)) {
        let mut state = self.state();
        while !state.is_closed {
            let Some(job) = state.jobs.pop_front() else {
                state.idle += 1;
                state = wait(&self.for_workers, state);
                state.idle -= 1;
                continue;
            };
            let number = state.next;
            state.next += 1;
            drop(state);
            let ended = catch_unwind(AssertUnwindSafe(|| work(job, &Worker { driver: self, number })));
            state = self.state();
            state.end(number);
            if let Err(panic) = ended {
                state.panic.get_or_insert(panic);
            }
            self.for_driver.notify_one();
        }
    }

    /// Returns the next event if one is available.
    fn event(&self, state: &mut State<J, P, Q>) -> Option<Event<P>> {
        let first = state.unfinished.front_mut()?;
        let event = if let Some((size, piece)) = first.waiting.pop_front() {
            first.size -= size;
            Event::Piece(piece)
        } else if first.is_done {
            state.unfinished.pop_front();
            state.first += 1;
            state.ahead -= state.unfinished.front().map_or(0, |first| first.size);
            Event::End
        } else {
            return None;
        };
        if state.paused > 0 {
            self.for_room.notify_all();
        }
        Some(event)
    }
}

impl<J, P, Q> Driver<P, Q> for Shared<J, P, Q> {
    fn send(&self, job: u64, size: usize, piece: P) -> bool {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return false;
            }
            let is_first = state.at(job) == 0;
            let of_first = state.unfinished.front().map_or(0, |pieces| pieces.size);
            let is_full = if is_first { of_first >= MAX_FIRST } else { state.ahead >= self.max_ahead };
            if !is_full {
                break;
            }
            state.paused += 1;
            state = wait(&self.for_room, state);
            state.paused -= 1;
        }
        if state.push(job, size, piece) {
            self.for_driver.notify_one();
        }
        true
    }

    fn ask(&self, question: Q) {
        let mut state = self.state();
        if !state.is_closed {
            state.questions.push_back(question);
            self.for_driver.notify_one();
        }
    }
}

impl<J, P, Q> State<J, P, Q> {
    /// Returns the index of a job among the unfinished ones.
    fn at(&self, number: u64) -> usize {
        usize::try_from(number - self.first).unwrap_or(usize::MAX)
    }

    /// Adds a piece of a job. Returns `true` if it is the first job.
    fn push(&mut self, number: u64, size: usize, piece: P) -> bool {
        let at = self.at(number);
        if at > 0 {
            self.ahead += size;
        }
        if let Some(pieces) = self.unfinished.get_mut(at) {
            pieces.size += size;
            pieces.waiting.push_back((size, piece));
        }
        at == 0
    }

    fn end(&mut self, number: u64) {
        let at = self.at(number);
        if let Some(pieces) = self.unfinished.get_mut(at) {
            pieces.is_done = true;
        }
    }
}

/// Resumes the panic of a job, if there was one.
fn without_panic<J, P, Q>(mut state: MutexGuard<'_, State<J, P, Q>>) -> MutexGuard<'_, State<J, P, Q>> {
    if let Some(panic) = state.panic.take() {
        drop(state);
        resume_unwind(panic);
    }
    state
}

fn wait<'l, T>(condition: &Condvar, guard: MutexGuard<'l, T>) -> MutexGuard<'l, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Stops the workers when the driver has returned or panicked.
struct Close<'s, J, P, Q>(&'s Shared<J, P, Q>);

impl<J, P, Q> Drop for Close<'_, J, P, Q> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_closed = true;
        let left = (std::mem::take(&mut state.jobs), std::mem::take(&mut state.questions));
        drop(state);
        // Dropping a question answers it, and dropping a job may run arbitrary code.
        drop(left);
        self.0.for_workers.notify_all();
        self.0.for_room.notify_all();
    }
}

impl<J, P, Q> fmt::Debug for Jobs<'_, J, P, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<P, Q> fmt::Debug for Worker<'_, P, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("number", &self.number).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    /// Runs these jobs, and returns all their pieces.
    fn collect<J: Send, P: Send>(
        threads: usize,
        jobs: impl IntoIterator<Item = J>,
        work: impl Fn(J, &Worker<'_, P>) + Sync,
    ) -> Vec<P> {
        let mut pieces = Vec::new();
        let receive = |piece| {
            pieces.push(piece);
            Ok::<_, Infallible>(())
        };
        in_order(threads, jobs, work, receive).unwrap();
        pieces
    }

    #[test]
    fn pieces_arrive_in_the_order_of_the_jobs() {
        let work = |job: usize, worker: &Worker<'_, usize>| {
            (0..job % 7).for_each(|piece| assert!(worker.send(1, job * 10 + piece)));
        };
        let expected: Vec<usize> =
            (0..200).flat_map(|job| (0..job % 7).map(move |piece| job * 10 + piece)).collect();
        for threads in [0, 1, 2, 8] {
            assert_eq!(collect(threads, 0..200, work), expected, "{threads}");
        }
    }

    #[test]
    fn a_job_that_is_far_ahead_pauses() {
        const SIZE: usize = 1 << 20;
        const PIECES: usize = 100;
        let (sent, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |(): (), worker: &Worker<'_, ()>| {
            for _ in 0..PIECES {
                assert!(worker.send(SIZE, ()));
                sent.fetch_add(1, Ordering::Relaxed);
            }
        };
        let mut received = 0;
        run(2, work, |jobs| {
            (0..4).for_each(|_| jobs.add(()));
            while let Some(event) = jobs.event() {
                received += usize::from(matches!(event, Event::Piece(())));
                most.fetch_max(sent.load(Ordering::Relaxed).saturating_sub(received), Ordering::Relaxed);
            }
        });
        assert_eq!(received, 4 * PIECES);
        // Some pieces of the first job may have been sent while another job was still ahead of it. So the limit for
        // pieces that are ahead applies to the first job as well as to the others. Each thread may also be sending one
        // more piece.
        let max = 2 * (2 * MAX_AHEAD) / SIZE + 2;
        assert!(most.into_inner() <= max, "{max}");
    }

    #[test]
    fn questions_are_answered_while_another_job_is_the_first() {
        let (open, opened) = mpsc::channel();
        let opened = Mutex::new(opened);
        let work = |job: usize, worker: &Worker<'_, usize, mpsc::SyncSender<usize>>| {
            // The first job ends only after the second one has received its answer.
            if job == 0 {
                return opened.lock().unwrap().recv().unwrap();
            }
            let (answer, answered) = mpsc::sync_channel(1);
            worker.ask(answer);
            assert!(worker.send(1, answered.recv().unwrap()));
            open.send(()).unwrap();
        };
        let pieces = run(2, work, |jobs| {
            jobs.add(0);
            jobs.add(1);
            let mut pieces = Vec::new();
            while let Some(event) = jobs.event_or_answer(&mut |answer| answer.send(7).unwrap()) {
                if let Event::Piece(piece) = event {
                    pieces.push(piece);
                }
            }
            pieces
        });
        assert_eq!(pieces, [7]);
    }

    #[test]
    fn a_thread_starts_only_for_a_job_that_has_none() {
        let work = |(): (), _: &Worker<'_, ()>| {};
        let started = run(8, work, |jobs: &mut Jobs<'_, (), ()>| {
            let mut started = vec![jobs.started];
            for at_once in [1, 3, 20] {
                (0..at_once).for_each(|_| jobs.add(()));
                started.push(jobs.started);
                while jobs.event().is_some() {}
            }
            started
        });
        assert_eq!((started[0], started[1]), (0, 1));
        assert!((1..=4).contains(&started[2]) && started[3] <= 8, "{started:?}");
    }

    #[test]
    fn what_has_not_happened_yet_is_not_waited_for() {
        let (open, opened) = mpsc::channel();
        let opened = Mutex::new(opened);
        let work = |(): (), worker: &Worker<'_, i32>| {
            opened.lock().unwrap().recv().unwrap();
            assert!(worker.send(1, 7));
        };
        run(1, work, |jobs| {
            assert!(jobs.event_so_far().is_none());
            jobs.add(());
            assert!(jobs.event_so_far().is_none());
            open.send(()).unwrap();
            assert!(matches!(jobs.event(), Some(Event::Piece(7))));
            assert!(matches!(jobs.event(), Some(Event::End)));
            assert!(jobs.event_so_far().is_none());
        });
    }

    #[test]
    fn jobs_end_when_the_driver_ends() {
        let work = |(): (), worker: &Worker<'_, ()>| while worker.send(1 << 20, ()) {};
        run(2, work, |jobs| {
            (0..4).for_each(|_| jobs.add(()));
            assert!(matches!(jobs.event(), Some(Event::Piece(()))));
        });
    }

    #[test]
    #[should_panic(expected = "the third job")]
    fn a_panic_of_a_job_continues_in_the_driver() {
        collect(2, 0..9, |job, _: &Worker<'_, ()>| assert_ne!(job, 2, "the third job"));
    }

    #[test]
    fn without_threads_the_caller_runs_the_jobs_and_answers() {
        let here = thread::current().id();
        let work = |job: usize, worker: &Worker<'_, usize, mpsc::SyncSender<usize>>| {
            assert_eq!(thread::current().id(), here);
            let (answer, answered) = mpsc::sync_channel(1);
            worker.ask(answer);
            assert!(worker.send(usize::MAX / 4, job + answered.recv().unwrap()));
        };
        let mut pieces = Vec::new();
        run(0, work, |jobs| {
            (0..3).for_each(|job| jobs.add(job));
            assert!(jobs.event_so_far().is_none());
            while let Some(event) = jobs.event_or_answer(&mut |answer| answer.send(10).unwrap()) {
                pieces.push(event);
            }
        });
        let piece = |number| [Event::Piece(number), Event::End];
        assert_eq!(pieces, [piece(10), piece(11), piece(12)].concat());
    }

    #[test]
    fn mapped_items_are_in_order() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [0, 1, 2, 16] {
            assert_eq!(map(threads, &items, |item| Ok::<_, ()>(*item)).unwrap(), items, "{threads}");
        }
        assert_eq!(map(16, [0; 0], Ok::<_, ()>), Ok(vec![]));
    }

    #[test]
    fn the_first_error_ends_a_map() {
        let count = AtomicUsize::new(0);
        let result = map(4, 0..100_000, |item| {
            count.fetch_add(1, Ordering::Relaxed);
            if item < 4 { Err::<(), _>(item) } else { Ok(()) }
        });
        assert_eq!(result, Err(0));
        assert!(count.into_inner() <= 8);
    }
}
