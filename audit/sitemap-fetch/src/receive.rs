//! A request whose response is written to a file.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::HeaderMap;
use url::Url;

use crate::client::HttpClient;
use crate::download::{DownloadError, Size};
use crate::exchange::{REDIRECT_BODY, Reply, head_of, is_compression, undecoded};
use crate::explain::too_slow;

/// Sends a request. If the response has status 200, writes its body to a file. Other bodies are discarded.
pub(crate) async fn receive(
    http: &HttpClient,
    url: &Url,
    headers: HeaderMap,
    to: PathBuf,
    size: &Size,
    within: Duration,
) -> Result<(Reply, u64), DownloadError> {
    let reply = async {
        let response = http.client.get(url.clone()).headers(headers).send().await;
        let response = response.map_err(|error| DownloadError::Failed(http.explain(&error, url)))?;
        let reply = head_of(&response);
        if reply.status == 200 {
            let len = write(http, url, &reply, response, to, size).await?;
            Ok((reply, len))
        } else {
            drain(response).await;
            Ok((reply, 0))
        }
    };
    let too_slow = |_| Err(DownloadError::Failed(too_slow(url, &http.options)));
    tokio::time::timeout(within, reply).await.unwrap_or_else(too_slow)
}

/// Reads a body that nobody needs, so that its connection can be reused.
async fn drain(mut response: Response) {
    let mut read = 0;
    while read < REDIRECT_BODY
        && let Ok(Some(chunk)) = response.chunk().await
    {
        read += chunk.len();
    }
}

async fn write(
    http: &HttpClient,
    url: &Url,
    reply: &Reply,
    mut response: Response,
    to: PathBuf,
    size: &Size,
) -> Result<u64, DownloadError> {
    // Gzip isn't undone: programs that read the file can decompress it, because files on disk are often gzipped as
    // well.
    let is_readable = |encoding: &&str| matches!(encoding.trim(), "gzip" | "x-gzip");
    let encoding = reply.header("content-encoding").filter(|encoding| !is_readable(encoding));
    if let Some(encoding) = encoding.filter(|encoding| is_compression(encoding)) {
        return Err(DownloadError::Failed(undecoded(url, encoding)));
    }
    let limit = http.options.max_body_bytes;
    size.received.store(0, Ordering::Relaxed);
    let stated = response.content_length().unwrap_or(0);
    if usize::try_from(stated).map_or(true, |stated| stated > limit) {
        return Err(DownloadError::TooLong { limit });
    }
    size.stated.store(stated, Ordering::Relaxed);
    let mut file = Partial::create(to)?;
    let mut len = 0;
    while let Some(chunk) =
        response.chunk().await.map_err(|error| DownloadError::Failed(http.explain(&error, url)))?
    {
        if chunk.len() > limit - len {
            return Err(DownloadError::TooLong { limit });
        }
        len += chunk.len();
        file.file.write_all(&chunk).map_err(DownloadError::File)?;
        size.received.store(len as u64, Ordering::Relaxed);
    }
    file.is_complete = true;
    Ok(len as u64)
}

/// A file that is removed on drop unless it is complete. This covers cancelled downloads, for example.
struct Partial {
    path: PathBuf,
    file: File,
    is_complete: bool,
}

impl Partial {
    fn create(path: PathBuf) -> Result<Self, DownloadError> {
        let file = File::create(&path).map_err(DownloadError::File)?;
        Ok(Self { path, file, is_complete: false })
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.is_complete {
            // If removing the file fails, the download has already failed, and its error matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}
