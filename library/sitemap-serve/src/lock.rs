//! Locks a mutex even after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex and ignores poisoning.
///
/// Poisoning warns that a panic may have left a value half changed. In this crate, every value behind a mutex is valid
/// at each step of a change, so it can still be used after a panic.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
