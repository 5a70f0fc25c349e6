//! Locks a mutex even after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex and ignores poisoning.
///
/// A poisoned mutex warns that a panic may have left its value half changed. In this crate, the values behind mutexes
/// are valid at every step of a change, so they are safe to use after a panic.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
