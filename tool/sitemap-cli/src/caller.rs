//! The program that embeds the command as a library. It receives the messages that would otherwise be printed, provides
//! standard input, and can end a run.
//!
//! Each thread has its own caller, so that a program can run several commands at the same time.

use std::cell::RefCell;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static CALLER: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// What a run shares with its caller: the request to stop, the replacement for standard input, and the messages.
#[derive(Default)]
pub(crate) struct Caller {
    stop: Arc<AtomicBool>,
    input: Option<Box<dyn Read + Send>>,
    notes: Vec<String>,
    is_committing: bool,
}

impl Caller {
    pub(crate) fn new(stop: Arc<AtomicBool>, input: Option<Box<dyn Read + Send>>) -> Self {
        Self { stop, input, ..Self::default() }
    }
}

/// Runs a function with a caller, and returns its messages.
pub(crate) fn run<T>(caller: Caller, run: impl FnOnce() -> T) -> (T, Vec<String>) {
    /// Removes the caller, even after a panic.
    struct Leave;

    impl Drop for Leave {
        fn drop(&mut self) {
            CALLER.take();
        }
    }

    CALLER.set(Some(caller));
    let leave = Leave;
    let result = run();
    let notes = with(|caller| std::mem::take(&mut caller.notes)).unwrap_or_default();
    drop(leave);
    (result, notes)
}

fn with<T>(act: impl FnOnce(&mut Caller) -> T) -> Option<T> {
    CALLER.with_borrow_mut(|caller| caller.as_mut().map(act))
}

/// Returns `true` if another program runs the command on this thread.
pub(crate) fn is_present() -> bool {
    CALLER.with_borrow(Option::is_some)
}

/// Passes a message to the caller. Returns `false` if there is no caller.
pub(crate) fn takes(note: &str) -> bool {
    with(|caller| caller.notes.push(note.to_owned())).is_some()
}

/// Returns `true` if the caller wants to end the run. A run that is already replacing a set can't be ended.
pub(crate) fn ends_run() -> bool {
    with(|caller| !caller.is_committing && caller.stop.load(Ordering::Relaxed)).unwrap_or(false)
}

/// From now on, the caller can no longer end the run.
pub(crate) fn commit() {
    with(|caller| caller.is_committing = true);
}

/// Returns the caller's replacement for standard input.
pub(crate) fn input() -> Option<Box<dyn Read + Send>> {
    with(|caller| caller.input.take()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_receives_the_messages_of_its_run_only() {
        assert!(!takes("before"));
        let ((), notes) = run(Caller::default(), || {
            assert!(is_present() && takes("one") && takes("two"));
        });
        assert_eq!(notes, ["one", "two"]);
        assert!(!is_present());
    }

    #[test]
    fn a_run_that_replaces_the_set_finishes() {
        let stop = Arc::new(AtomicBool::new(true));
        let (ended, _) = run(Caller::new(stop, None), || {
            let before = ends_run();
            commit();
            (before, ends_run())
        });
        assert_eq!(ended, (true, false));
    }
}
