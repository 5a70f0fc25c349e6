//! The caller's side of downloads: starting them and waiting for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sitemap_pages::visit::{Failure, FailureKind};
use tokio::sync::{mpsc, oneshot};

use crate::download::{Counters, Download, DownloadError, DownloadNumbers, Downloaded, Size};

/// A started download, as sent to the driver.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) download: Download,
    pub(crate) reply: oneshot::Sender<Downloaded>,
    pub(crate) size: Arc<Size>,
}

/// Starts downloads. Clones share the per-host limits. Created by [`Fetcher::downloader`](crate::Fetcher::downloader).
///
#[doc = include_str!("download_example.md")]
#[derive(Clone, Debug)]
pub struct Downloader {
    pub(crate) commands: mpsc::UnboundedSender<Command>,
    pub(crate) counters: Arc<Counters>,
}

impl Downloader {
    /// Queues a download, which starts as soon as its host's limits allow. Drop the returned value to cancel it.
    pub fn start(&self, download: Download) -> Pending {
        let (reply, receiver) = oneshot::channel();
        let (url, size) = (download.url.clone(), Arc::new(Size::default()));
        // If the driver is gone, the download fails, because the other end of `receiver` was dropped.
        let _ = self.commands.send(Command { download, reply, size: Arc::clone(&size) });
        Pending { url, receiver, size }
    }

    /// Returns the counters so far.
    pub fn numbers(&self) -> DownloadNumbers {
        let Counters { requests, retries } = &*self.counters;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        DownloadNumbers { requests: read(requests), retries: read(retries) }
    }
}

/// A download that has been started.
///
#[doc = include_str!("download_example.md")]
#[derive(Debug)]
pub struct Pending {
    url: String,
    receiver: oneshot::Receiver<Downloaded>,
    size: Arc<Size>,
}

impl Pending {
    /// Waits for the download to end.
    pub async fn wait(&mut self) -> Downloaded {
        (&mut self.receiver).await.unwrap_or_else(|_| {
            let failure = Failure::new(FailureKind::Interrupted, "the download was not made");
            let (url, outcome) = (self.url.clone(), Err(DownloadError::Failed(failure)));
            Downloaded { url, hops: Vec::new(), requests: 0, was_authorized: false, outcome }
        })
    }

    /// Returns the number of bytes written so far.
    pub fn received(&self) -> u64 {
        self.size.received.load(Ordering::Relaxed)
    }

    /// Returns the length of the file, if the server announced it.
    pub fn stated(&self) -> Option<u64> {
        Some(self.size.stated.load(Ordering::Relaxed)).filter(|stated| *stated > 0)
    }
}
