//! The result of a function that runs on another thread.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

/// The result of work in a [`Pool`](super::Pool). Await it with any runtime, or block with [`wait`](Self::wait).
///
/// The result is `None` if the work panicked, or if the pool was dropped before the work started. Dropping the task
/// cancels work that hasn't started.
///
/// ```
/// use sitemap_core::threads::{Pool, Task};
///
/// let sum: Task<u64> = Pool::new(1).run(|| (1..=10).sum());
/// // The pool was dropped, perhaps before the work began.
/// assert!(matches!(sum.wait(), Some(55) | None));
/// ```
#[must_use = "dropping a task cancels its work"]
pub struct Task<T>(Arc<Shared<T>>);

/// The side that sends the result of a [`Task`].
pub(super) struct TaskResult<T>(Weak<Shared<T>>);

struct Shared<T> {
    slot: Mutex<Slot<T>>,
    is_over: Condvar,
}

struct Slot<T> {
    value: Option<T>,
    is_over: bool,
    waker: Option<Waker>,
}

pub(super) fn new<T>() -> (Task<T>, TaskResult<T>) {
    let slot = Mutex::new(Slot { value: None, is_over: false, waker: None });
    let shared = Arc::new(Shared { slot, is_over: Condvar::new() });
    let result = TaskResult(Arc::downgrade(&shared));
    (Task(shared), result)
}

impl<T> Task<T> {
    /// Blocks until the work is done, has panicked or is dropped.
    pub fn wait(self) -> Option<T> {
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
    /// Returns `true` if the task was dropped, so that nobody receives the result.
    pub(super) fn is_unwanted(&self) -> bool {
        self.0.strong_count() == 0
    }

    pub(super) fn set(self, value: T) {
        if let Some(shared) = self.0.upgrade() {
            shared.slot().value = Some(value);
        }
    }
}

impl<T> Drop for TaskResult<T> {
    fn drop(&mut self) {
        let Some(shared) = self.0.upgrade() else { return };
        let mut slot = shared.slot();
        slot.is_over = true;
        let waker = slot.waker.take();
        drop(slot);
        shared.is_over.notify_all();
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
