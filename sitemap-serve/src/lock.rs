//! Locks a mutex, whether or not a thread has panicked while it held the lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex and ignores poisoning.
///
/// Poisoning would report that a panic may have left the value half changed. The values of this crate stay valid at
/// every step of a change, so they are safe to use after a panic.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
