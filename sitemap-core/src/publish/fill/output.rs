//! The target, settings and threads that all files of a run share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[cfg(feature = "gzip")]
use super::gzip::Encoder;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::SetOptions;
use crate::publish::target::Target;
use crate::threads::Pool;
use crate::write::Buffer;

/// The target, settings and threads of a run, shared by all of its sections and files.
#[derive(Debug)]
pub(crate) struct Output<T> {
    pub(crate) target: T,
    pub(crate) options: SetOptions,
    /// The threads that compress and store text.
    pub(crate) compressors: Pool,
    /// Spare buffers for text.
    pub(super) texts: Spare<Buffer>,
    /// Spare buffers for compressed text.
    #[cfg(feature = "gzip")]
    pub(super) compressed: Spare<Vec<u8>>,
    /// Encoders that no thread is using.
    #[cfg(feature = "gzip")]
    pub(super) encoders: Spare<Encoder>,
    is_aborted: AtomicBool,
    /// The message of the error that aborted the run.
    cause: OnceLock<Arc<str>>,
}

impl<T: Target> Output<T> {
    pub(crate) fn new(target: T, options: SetOptions, threads: usize) -> Self {
        Self {
            target,
            options,
            compressors: Pool::new(threads),
            texts: Spare::default(),
            #[cfg(feature = "gzip")]
            compressed: Spare::default(),
            #[cfg(feature = "gzip")]
            encoders: Spare::default(),
            is_aborted: AtomicBool::new(false),
            cause: OnceLock::new(),
        }
    }

    /// Returns `true` if other threads compress and store the text.
    pub(super) fn has_threads(&self) -> bool {
        self.compressors.threads() > 0
    }

    /// Returns `true` if text is neither compressed nor sent to other threads.
    pub(super) fn stores_at_once(&self) -> bool {
        self.options.gzip.is_none() && !self.has_threads()
    }

    /// Marks the run as aborted by an error, so that it can't be finished. Returns the error.
    ///
    /// Other threads get the message too, because a program may show only the error of the thread that it joins first.
    #[cold]
    pub(crate) fn abort_after(&self, error: PublishError) -> PublishError {
        if !matches!(error.kind(), PublishErrorKind::Aborted { .. }) {
            let _ = self.cause.set(error.to_string().into());
        }
        self.abort();
        error
    }

    /// Returns the error of an aborted run.
    #[cold]
    pub(crate) fn aborted(&self) -> PublishError {
        PublishErrorKind::Aborted { cause: self.cause.get().cloned() }.into()
    }

    /// Marks the run as aborted, so that it can't be finished.
    pub(crate) fn abort(&self) {
        self.is_aborted.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_aborted(&self) -> bool {
        self.is_aborted.load(Ordering::Relaxed)
    }
}

/// Empty buffers, kept for reuse.
///
/// One thread fills a buffer and another empties it. Without reuse, one thread would allocate each buffer and another
/// would free it. With an allocator that uses a heap per thread, the program would then hold many times as much memory
/// as it uses.
#[derive(Debug)]
pub(super) struct Spare<B>(Mutex<Vec<B>>);

impl<B> Spare<B> {
    /// The maximum number of spare buffers, which is more than the threads usually need at once.
    const MOST: usize = 16;

    pub(super) fn take(&self) -> Option<B> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps an empty buffer for reuse.
    pub(super) fn give_back(&self, buffer: B) {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < Self::MOST {
            buffers.push(buffer);
        }
    }
}

impl<B> Default for Spare<B> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}
