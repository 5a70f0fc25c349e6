//! Work on several threads whose results arrive in the order of the jobs.
//!
//! A job produces its results in pieces. The pieces of the first unfinished job are handed over while it runs. Those of
//! later jobs wait, and their total size is bounded: a thread that is too far ahead pauses.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The size in bytes of the waiting pieces for each thread, from which on a thread pauses. The pieces of a whole document
/// of 50,000 usual pages are smaller.
const MAX_AHEAD: usize = 8 << 20;

/// The size in bytes of the waiting pieces of the first unfinished job, from which on its thread pauses.
const MAX_FIRST: usize = 8 << 20;

/// Runs jobs on other threads.
///
/// `work` runs one job on any of `threads` threads, and sends its pieces through the [`Worker`]. `drive` runs on the
/// caller's thread, adds the jobs, and receives the pieces. When it returns, jobs that have not begun are dropped, and
/// [`Worker::send`] tells the others to end. A panic of a job continues on the caller's thread.
///
/// A thread is started when a job has no other, so few jobs cost few threads, and none costs none.
///
/// `Q` is the type of what a job may ask the caller's thread.
pub fn run<J: Send, P: Send, Q: Send, R>(
    threads: usize,
    work: impl Fn(J, &Worker<'_, J, P, Q>) + Sync,
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
        let shared = &shared;
        let work = &work;
        let _close = Close(shared);
        let mut start = || {
            scope.spawn(move || shared.work(work));
        };
        drive(&mut Jobs { shared, threads, started: 0, start: &mut start })
    })
}

struct Shared<J, P, Q> {
    state: Mutex<State<J, P, Q>>,
    /// Tells the workers that there is a job.
    for_workers: Condvar,
    /// Tells paused workers that pieces were taken.
    for_room: Condvar,
    /// Tells the driver that there is a piece of the first job, or a question.
    for_driver: Condvar,
    max_ahead: usize,
}

struct State<J, P, Q> {
    /// The jobs that no worker has taken.
    jobs: VecDeque<J>,
    /// The pieces of all unfinished jobs, in the order of the jobs.
    unfinished: VecDeque<Pieces<P>>,
    /// The number of the first unfinished job.
    first: u64,
    /// The number of the next job that a worker takes.
    next: u64,
    /// The size of the pieces of all jobs but the first.
    ahead: usize,
    questions: VecDeque<Q>,
    /// The number of workers that wait for a job, or that have been told of one and do not run yet.
    idle: usize,
    /// The number of workers that wait for room.
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

    /// Takes one job after another.
    fn work(&self, work: &impl Fn(J, &Worker<'_, J, P, Q>)) {
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
            let worker = Worker { shared: self, number };
            let ended = catch_unwind(AssertUnwindSafe(|| work(job, &worker)));
            state = self.state();
            let at = state.at(number);
            if let Some(pieces) = state.unfinished.get_mut(at) {
                pieces.is_done = true;
            }
            if let Err(panic) = ended {
                state.panic.get_or_insert(panic);
            }
            self.for_driver.notify_one();
        }
    }
}

impl<J, P, Q> State<J, P, Q> {
    /// Returns the place of a job among the unfinished ones.
    fn at(&self, number: u64) -> usize {
        usize::try_from(number - self.first).unwrap_or(usize::MAX)
    }
}

fn wait<'l, T>(condition: &Condvar, guard: MutexGuard<'l, T>) -> MutexGuard<'l, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Ends the workers when the driver has returned or has panicked.
struct Close<'s, J, P, Q>(&'s Shared<J, P, Q>);

impl<J, P, Q> Drop for Close<'_, J, P, Q> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_closed = true;
        let left = (std::mem::take(&mut state.jobs), std::mem::take(&mut state.questions));
        drop(state);
        // Dropping a question answers it, and dropping a job may run any code.
        drop(left);
        self.0.for_workers.notify_all();
        self.0.for_room.notify_all();
    }
}

/// The worker's side of a job.
#[doc(hidden)]
pub struct Worker<'s, J, P, Q> {
    shared: &'s Shared<J, P, Q>,
    number: u64,
}

impl<J, P, Q> Worker<'_, J, P, Q> {
    /// Hands over a piece, whose size in bytes is `size`. Waits while too many pieces are waiting. Returns `false` if nobody
    /// wants the rest of the job.
    pub fn send(&self, size: usize, piece: P) -> bool {
        let mut state = self.shared.state();
        loop {
            if state.is_closed {
                return false;
            }
            let is_first = state.at(self.number) == 0;
            let of_first = state.unfinished.front().map_or(0, |pieces| pieces.size);
            let is_full = if is_first { of_first >= MAX_FIRST } else { state.ahead >= self.shared.max_ahead };
            if !is_full {
                break;
            }
            state.paused += 1;
            state = wait(&self.shared.for_room, state);
            state.paused -= 1;
        }
        let at = state.at(self.number);
        if at > 0 {
            state.ahead += size;
        }
        if let Some(pieces) = state.unfinished.get_mut(at) {
            pieces.size += size;
            pieces.waiting.push_back((size, piece));
        }
        if at == 0 {
            self.shared.for_driver.notify_one();
        }
        true
    }

    /// Asks the driver a question, which contains a way to answer it. The driver drops it if it has ended.
    pub fn ask(&self, question: Q) {
        let mut state = self.shared.state();
        if !state.is_closed {
            state.questions.push_back(question);
            self.shared.for_driver.notify_one();
        }
    }
}

/// The driver's side of all jobs.
#[doc(hidden)]
pub struct Jobs<'s, J, P, Q> {
    shared: &'s Shared<J, P, Q>,
    threads: usize,
    started: usize,
    /// Starts a thread.
    start: &'s mut dyn FnMut(),
}

/// What the driver receives.
#[doc(hidden)]
#[derive(Debug)]
pub enum Event<P, Q> {
    /// The next piece of the first unfinished job.
    Piece(P),
    /// The first unfinished job is finished. Now the next one is the first.
    End,
    /// A question of any job.
    Question(Q),
}

impl<J, P, Q> Jobs<'_, J, P, Q> {
    /// Returns `true` if enough jobs are waiting to keep all threads busy.
    pub fn is_full(&self) -> bool {
        self.shared.state().unfinished.len() >= self.threads * 2
    }

    /// Adds a job after all others.
    pub fn add(&mut self, job: J) {
        let mut state = self.shared.state();
        state.jobs.push_back(job);
        state.unfinished.push_back(Pieces { waiting: VecDeque::new(), size: 0, is_done: false });
        let is_one_short = state.jobs.len() > state.idle;
        drop(state);
        if is_one_short && self.started < self.threads {
            self.started += 1;
            (self.start)();
        } else {
            self.shared.for_workers.notify_one();
        }
    }

    /// Waits for the next event. Returns `None` if there is no unfinished job.
    pub fn event(&mut self) -> Option<Event<P, Q>> {
        self.next_event(true)
    }

    /// Returns the next event, or `None` if there is none yet.
    pub fn event_so_far(&mut self) -> Option<Event<P, Q>> {
        self.next_event(false)
    }

    fn next_event(&mut self, waits: bool) -> Option<Event<P, Q>> {
        let mut state = self.shared.state();
        loop {
            if let Some(panic) = state.panic.take() {
                drop(state);
                resume_unwind(panic);
            }
            if let Some(question) = state.questions.pop_front() {
                return Some(Event::Question(question));
            }
            let first = state.unfinished.front_mut()?;
            if let Some((size, piece)) = first.waiting.pop_front() {
                first.size -= size;
                self.wake(&state);
                return Some(Event::Piece(piece));
            }
            if first.is_done {
                state.unfinished.pop_front();
                state.first += 1;
                state.ahead -= state.unfinished.front().map_or(0, |first| first.size);
                self.wake(&state);
                return Some(Event::End);
            }
            if !waits {
                return None;
            }
            state = wait(&self.shared.for_driver, state);
        }
    }

    fn wake(&self, state: &State<J, P, Q>) {
        if state.paused > 0 {
            self.shared.for_room.notify_all();
        }
    }
}

impl<J, P, Q> std::fmt::Debug for Jobs<'_, J, P, Q> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<J, P, Q> std::fmt::Debug for Worker<'_, J, P, Q> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("number", &self.number).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    /// Runs these jobs, and returns what the driver receives of each.
    fn collect<J: Send, P: Send>(
        threads: usize,
        jobs: impl IntoIterator<Item = J>,
        work: impl Fn(J, &Worker<'_, J, P, ()>) + Sync,
    ) -> Vec<Vec<P>> {
        let mut coming = jobs.into_iter();
        run(threads, work, |jobs| {
            let mut found = vec![Vec::new()];
            loop {
                while !jobs.is_full()
                    && let Some(job) = coming.next()
                {
                    jobs.add(job);
                }
                match jobs.event() {
                    Some(Event::Piece(piece)) => found.last_mut().unwrap().push(piece),
                    Some(Event::End) => found.push(Vec::new()),
                    Some(Event::Question(())) => unreachable!(),
                    None => {
                        found.pop();
                        return found;
                    }
                }
            }
        })
    }

    #[test]
    fn pieces_arrive_in_the_order_of_the_jobs() {
        let work = |job: usize, worker: &Worker<'_, usize, usize, ()>| {
            (0..job % 7).for_each(|piece| assert!(worker.send(1, job * 10 + piece)));
        };
        let expected: Vec<Vec<usize>> =
            (0..200).map(|job| (0..job % 7).map(|piece| job * 10 + piece).collect()).collect();
        for threads in [1, 2, 8] {
            assert_eq!(collect(threads, 0..200, work), expected, "{threads}");
        }
    }

    #[test]
    fn a_job_that_is_far_ahead_pauses() {
        const SIZE: usize = 1 << 20;
        const PIECES: usize = 100;
        let (sent, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |(): (), worker: &Worker<'_, (), (), ()>| {
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
        // Pieces of the first job may have been sent while it was ahead of another one. So the limit of the pieces that are
        // ahead counts for the first job and for all others. A piece of each thread may be on its way.
        let max = 2 * (2 * MAX_AHEAD) / SIZE + 2;
        assert!(most.into_inner() <= max, "{max}");
    }

    #[test]
    fn questions_are_answered_while_another_job_is_the_first() {
        let (open, opened) = mpsc::channel();
        let opened = Mutex::new(opened);
        let work = |job: usize, worker: &Worker<'_, usize, usize, mpsc::SyncSender<usize>>| {
            // The first job ends only after the second one has its answer.
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
            while let Some(event) = jobs.event() {
                match event {
                    Event::Question(answer) => answer.send(7).unwrap(),
                    Event::Piece(piece) => pieces.push(piece),
                    Event::End => {}
                }
            }
            pieces
        });
        assert_eq!(pieces, [7]);
    }

    #[test]
    fn a_thread_starts_only_for_a_job_that_has_none() {
        let work = |(): (), _: &Worker<'_, (), (), ()>| {};
        let started = run(8, work, |jobs: &mut Jobs<'_, (), (), ()>| {
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
        let work = |(): (), worker: &Worker<'_, (), i32, ()>| {
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
        let work = |(): (), worker: &Worker<'_, (), (), ()>| while worker.send(1 << 20, ()) {};
        run(2, work, |jobs| {
            (0..4).for_each(|_| jobs.add(()));
            assert!(matches!(jobs.event(), Some(Event::Piece(()))));
        });
    }

    #[test]
    #[should_panic(expected = "the third job")]
    fn a_panic_of_a_job_continues_in_the_driver() {
        collect(2, 0..9, |job, _: &Worker<'_, i32, (), ()>| assert_ne!(job, 2, "the third job"));
    }
}
