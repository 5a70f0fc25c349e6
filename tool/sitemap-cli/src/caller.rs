//! The program that carries the command as a library. It receives the messages that are printed otherwise, gives the
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

/// What a program gives to a run, and receives from it.
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

/// Runs a function for a caller, and returns the messages for people.
pub(crate) fn run<T>(caller: Caller, run: impl FnOnce() -> T) -> (T, Vec<String>) {
    /// Removes the caller, also after a panic.
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

/// Gives a message to the caller. Returns `false` if there is none.
pub(crate) fn takes(note: &str) -> bool {
    with(|caller| caller.notes.push(note.to_owned())).is_some()
}

/// Returns `true` if the caller ends the run. As soon as the run replaces a set, the run finishes.
pub(crate) fn ends_run() -> bool {
    with(|caller| !caller.is_committing && caller.stop.load(Ordering::Relaxed)).unwrap_or(false)
}

/// From now on, the caller cannot end the run.
pub(crate) fn commit() {
    with(|caller| caller.is_committing = true);
}

/// Returns what stands for the standard input.
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
