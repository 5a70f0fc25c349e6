//! The result of a function that another thread calls.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The receiver of a function's result. Await it, or block with [`wait`](Self::wait). The result is `None` if the
/// function panics or is never called.
pub(crate) struct Task<T>(Arc<Shared<T>>);

/// The sender of the result of a [`Task`].
pub(crate) struct TaskResult<T>(Arc<Shared<T>>);

struct Shared<T> {
    slot: Mutex<Slot<T>>,
    is_over: Condvar,
}

struct Slot<T> {
    value: Option<T>,
    is_over: bool,
    waker: Option<Waker>,
}

pub(crate) fn new<T>() -> (Task<T>, TaskResult<T>) {
    let slot = Mutex::new(Slot { value: None, is_over: false, waker: None });
    let shared = Arc::new(Shared { slot, is_over: Condvar::new() });
    (Task(Arc::clone(&shared)), TaskResult(shared))
}

impl<T> Task<T> {
    /// Blocks until the function has returned, panicked or been dropped.
    pub(crate) fn wait(self) -> Option<T> {
        let mut slot = self.0.slot();
        while !slot.is_over {
            slot = self.0.is_over.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
        slot.value.take()
    }
}

impl<T> Future for Task<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut slot = self.0.slot();
        if slot.is_over {
            return Poll::Ready(slot.value.take());
        }
        slot.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl<T> TaskResult<T> {
    pub(crate) fn set(self, value: T) {
        self.0.slot().value = Some(value);
    }
}

impl<T> Drop for TaskResult<T> {
    fn drop(&mut self) {
        let mut slot = self.0.slot();
        slot.is_over = true;
        let waker = slot.waker.take();
        drop(slot);
        self.0.is_over.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Shared<T> {
    fn slot(&self) -> MutexGuard<'_, Slot<T>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").finish_non_exhaustive()
    }
}
