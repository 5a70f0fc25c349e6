//! The thread that sends the requests.

use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// An async runtime on its own thread. The caller may be inside another runtime, where blocking on a future panics.
#[derive(Debug)]
pub(super) struct RequestThread {
    runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl RequestThread {
    pub(super) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("sitemap-store".to_owned());
        let thread = thread.spawn(move || {
            // The thread runs until the sender is dropped, which `stopped` sees as an error.
            let _ = runtime.block_on(stopped);
        })?;
        Ok(Self { runtime: handle, stop: Some(stop), thread: Some(thread) })
    }

    /// Runs a future on the worker's thread and waits for its output.
    pub(super) fn run<T: Send + 'static>(
        &self,
        job: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            // Sending cannot fail, because the receiver waits for the value.
            let _ = sender.send(job.await);
        });
        receiver.recv().map_err(|_| io::Error::other("the request was cancelled"))
    }
}

impl Drop for RequestThread {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Converts an error to an [`io::Error`], to keep the types of `object_store` out of the public interface.
pub(super) fn io_error(error: &object_store::Error) -> io::Error {
    use object_store::Error as E;

    let kind = match error {
        E::NotFound { .. } => io::ErrorKind::NotFound,
        E::AlreadyExists { .. } => io::ErrorKind::AlreadyExists,
        E::PermissionDenied { .. } | E::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        E::NotSupported { .. } | E::NotImplemented { .. } => io::ErrorKind::Unsupported,
        E::InvalidPath { .. } | E::UnknownConfigurationKey { .. } => io::ErrorKind::InvalidInput,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error.to_string())
}
