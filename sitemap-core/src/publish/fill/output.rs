//! The parts that all files of a run share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::publish::options::PublisherBuilder;
use crate::publish::target::Target;
use crate::publish::workers::Workers;
use crate::write::Buffer;

/// Text that is compressed or processed by another thread goes in pieces of about this many bytes. Larger ones
/// compress better by less than 1 %.
pub(super) const PIECE: usize = 512 * 1024;

/// Turns text into files of a target; shared by all sections and threads of a run.
#[derive(Debug)]
pub(crate) struct Output<T> {
    pub(crate) target: T,
    pub(crate) options: PublisherBuilder,
    pub(crate) workers: Arc<Workers>,
    /// Buffers for text.
    pub(super) texts: Spare<Buffer>,
    /// Buffers for compressed text.
    #[cfg(feature = "gzip")]
    pub(super) compressed: Spare<Vec<u8>>,
    is_aborted: AtomicBool,
}

impl<T: Target> Output<T> {
    pub(crate) fn new(target: T, options: PublisherBuilder, workers: Arc<Workers>) -> Self {
        Self {
            target,
            options,
            workers,
            texts: Spare::default(),
            #[cfg(feature = "gzip")]
            compressed: Spare::default(),
            is_aborted: AtomicBool::new(false),
        }
    }

    /// Returns `true` if text is neither compressed nor processed by other threads.
    pub(super) fn stores_at_once(&self) -> bool {
        self.options.gzip.is_none() && !self.workers.computes()
    }

    /// Notes that something is missing, so that the run must not be finished.
    pub(crate) fn abort(&self) {
        self.is_aborted.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_aborted(&self) -> bool {
        self.is_aborted.load(Ordering::Relaxed)
    }
}

/// Buffers that are used again.
///
/// One thread fills a buffer and another one empties it. If each took its buffers from the allocator, the heaps of
/// the threads would grow to many times the size in use.
#[derive(Debug)]
pub(super) struct Spare<B>(Mutex<Vec<B>>);

impl<B> Spare<B> {
    /// More than threads usually use at once.
    const MOST: usize = 16;

    pub(super) fn take(&self) -> Option<B> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps an empty buffer.
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
