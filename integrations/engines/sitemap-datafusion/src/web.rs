//! Reads files from sites over HTTP.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::common::exec_datafusion_err;
use datafusion::error::Result;
use sitemap_fetch::{Download, Downloader, FetchOptions, Fetcher};
use tempfile::TempDir;
use tokio::runtime::Handle;

/// Requests files. Clones share each host's limits: only a few requests at a time, and a pause if the host asks for it.
#[derive(Clone, Debug)]
pub(crate) struct Web(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    downloader: Downloader,
    runtime: Handle,
    folder: TempDir,
    files: AtomicU64,
}

impl Web {
    /// Starts accepting requests in the current runtime.
    pub(crate) fn start(allow_private: bool) -> Result<Self> {
        let runtime = Handle::try_current().map_err(|error| {
            exec_datafusion_err!("a sitemap on a site needs a runtime of `tokio`: {error}")
        })?;
        let options = FetchOptions::new().allow_private(allow_private);
        let fetcher = Fetcher::new(options).map_err(|error| exec_datafusion_err!("{error}"))?;
        let (downloader, driver) = fetcher.downloader();
        runtime.spawn(driver);
        let folder = tempfile::tempdir()?;
        Ok(Self(Arc::new(Shared { downloader, runtime, folder, files: AtomicU64::new(0) })))
    }

    /// Requests a file, and waits for the response. Call this only on a thread that may block.
    pub(crate) fn open(&self, url: &str) -> io::Result<Box<dyn Read + Send>> {
        let shared = &*self.0;
        let number = shared.files.fetch_add(1, Ordering::Relaxed);
        let path = shared.folder.path().join(number.to_string());
        let mut download = shared.downloader.start(Download::new(url, &path));
        let response = shared.runtime.block_on(download.wait()).outcome.map_err(io::Error::other)?;
        if response.status != 200 {
            return Err(io::Error::other(format!("the server answers with the status {}", response.status)));
        }
        let file = File::open(&path)?;
        // On systems that can delete an open file, the file stays until it is closed. On others, the whole folder is
        // deleted at the end.
        std::fs::remove_file(&path).ok();
        Ok(Box::new(file))
    }
}
