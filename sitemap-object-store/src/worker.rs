//! The thread that requests are made on.

use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// A runtime of its own: whoever waits for a request may be within another, in which waiting for a future
/// is not allowed.
#[derive(Debug)]
pub(super) struct Worker {
    runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("sitemap-store".to_owned());
        let thread = thread.spawn(move || {
            // An error says that the sender is gone, which comes to the same.
            let _ = runtime.block_on(stopped);
        })?;
        Ok(Self { runtime: handle, stop: Some(stop), thread: Some(thread) })
    }

    /// Waits for what a future comes to.
    pub(super) fn run<T: Send + 'static>(
        &self,
        job: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            // Whoever asked waits for it.
            let _ = sender.send(job.await);
        });
        receiver.recv().map_err(|_| io::Error::other("the request was not carried out"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// As an error of this crate's interface, which says it in words.
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
