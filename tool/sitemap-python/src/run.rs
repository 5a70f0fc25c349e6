//! Runs the work on a separate thread. Meanwhile, the interpreter waits without holding its lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use sitemap_cli::embed::{Failure, Run};

pyo3::import_exception!(sitemap._model, SitemapError);
pyo3::import_exception!(sitemap._model, SetShrunkError);

/// The interval at which the interpreter checks for a signal such as Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Receives the messages of a run. Dropping it ends the run.
pub(crate) struct Work<T> {
    messages: Receiver<T>,
    stop: Arc<AtomicBool>,
}

impl<T: Send + 'static> Work<T> {
    /// Starts a run. At most this many of its messages may be waiting.
    pub(crate) fn start(
        ahead: usize,
        work: impl FnOnce(Arc<AtomicBool>, &SyncSender<T>) + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, messages) = sync_channel(ahead);
        let stop = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&stop);
        thread::Builder::new().name("sitemap".to_owned()).spawn(move || work(theirs, &sender))?;
        Ok(Self { messages, stop })
    }

    /// Waits for the next message. Call this on a thread that doesn't hold the interpreter's lock. Returns `None` after
    /// the last message, and an error after a signal.
    pub(crate) fn next(&self) -> PyResult<Option<T>> {
        loop {
            match self.messages.recv_timeout(TICK) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => interrupted()?,
            }
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Returns an error if a signal such as Ctrl-C arrived and its handler raised an exception.
#[allow(clippy::redundant_closure_for_method_calls)] // the method itself is not general enough
pub(crate) fn interrupted() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Runs a function on another thread, and waits for its result.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(Run) -> T + Send + 'static,
    input: Option<Box<dyn std::io::Read + Send>>,
) -> PyResult<T> {
    let running = Work::start(1, move |stop, sender| {
        let result = work(Run { stop, input });
        // An interrupted interpreter no longer waits for the result.
        let _ = sender.send(result);
    })?;
    let result = py.detach(move || running.next())?;
    result.ok_or_else(|| SitemapError::new_err("the work ended without a result; please report this"))
}

/// Converts a run's failure to an exception.
pub(crate) fn exception(failure: Failure) -> PyErr {
    match failure {
        Failure::Error(message) => SitemapError::new_err(message),
        Failure::Shrunk(message) => SetShrunkError::new_err(message),
    }
}
