//! Files in a bucket that are being written or read.

use std::fmt;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::{Buf as _, Bytes};
use futures_core::Stream;
use object_store::{GetResult, WriteMultipart};

use crate::bucket::{Bucket, PART, Shared};
use crate::request_thread::io_error;
use sitemap_core::storage::{Metadata, NewFile};

/// The maximum number of bytes of an unfinished file to keep in memory. A larger file is uploaded in parts while it is
/// written. A file with 50,000 entries is rarely larger.
const MAX_HELD: usize = 2 * PART;

/// The maximum number of parts of one file to upload at the same time.
const PARTS_AT_ONCE: usize = 2;

/// A file that is being written.
#[derive(Debug)]
pub(super) struct ObjectFile {
    bucket: Bucket,
    name: String,
    /// Written bytes that have not been sent yet.
    held: Vec<u8>,
    len: u64,
    parts: Parts,
}

/// A file's multipart upload.
#[derive(Debug)]
enum Parts {
    None,
    Some(WriteMultipart),
    /// A part could not be sent, so the file cannot be finished.
    Lost,
}

impl ObjectFile {
    pub(super) fn new(bucket: Bucket, name: &str) -> Self {
        Self { bucket, name: name.to_owned(), held: Vec::new(), len: 0, parts: Parts::None }
    }

    /// Sends the bytes in memory as the next parts of the upload, and starts the upload if there is none.
    fn send(&mut self) -> io::Result<WriteMultipart> {
        let held = Bytes::from(std::mem::take(&mut self.held));
        let (path, attributes) = (self.bucket.path(&self.name), self.bucket.attributes(&self.name));
        let parts = match std::mem::replace(&mut self.parts, Parts::Lost) {
            Parts::None => None,
            Parts::Some(parts) => Some(parts),
            Parts::Lost => return Err(io::Error::other("an earlier part of the file was not sent")),
        };
        self.bucket.shared.call(move |store| async move {
            let mut parts = match parts {
                Some(parts) => parts,
                None => WriteMultipart::new_with_chunk_size(
                    store.put_multipart_opts(&path, attributes.into()).await?,
                    PART,
                ),
            };
            match parts.wait_for_capacity(PARTS_AT_ONCE).await {
                Ok(()) => {
                    parts.put(held);
                    Ok(parts)
                }
                Err(error) => {
                    // If this fails, the bucket's lifecycle rules remove the parts.
                    let _ = parts.abort().await;
                    Err(error)
                }
            }
        })
    }
}

impl Write for ObjectFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        self.len += bytes.len() as u64;
        let max_held = if matches!(self.parts, Parts::None) { MAX_HELD } else { PART };
        if self.held.len() > max_held {
            self.parts = Parts::Some(self.send()?);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for ObjectFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        let metadata = Metadata::new(self.len, SystemTime::now());
        if !matches!(self.parts, Parts::None) {
            let parts = self.send()?;
            let put = match self.bucket.shared.call(|_| parts.finish()) {
                Ok(put) => put,
                // The upload may have succeeded and only the response was lost. The request that completes an upload
                // cannot be repeated. The name was free before, so a file with this name and length is this file.
                Err(error) => match self.bucket.sent_metadata(&self.name)? {
                    Some(stored) if stored.len == self.len => return Ok(stored),
                    _ => return Err(error),
                },
            };
            let location = &self.bucket.shared.location;
            return Ok(metadata.with_tag(location.tag(put.e_tag.as_deref(), put.version.as_deref())));
        }
        let bytes = Bytes::from(std::mem::take(&mut self.held));
        if !self.bucket.shared.unsent.keep(&self.name, &bytes, &metadata) {
            self.bucket.send(&self.name, bytes)?;
        }
        Ok(metadata)
    }
}

impl Drop for ObjectFile {
    fn drop(&mut self) {
        if let Parts::Some(parts) = std::mem::replace(&mut self.parts, Parts::Lost) {
            let _ = self.bucket.shared.call(|_| parts.abort());
        }
    }
}

/// A file that is being read.
pub(super) struct ObjectReader {
    shared: Arc<Shared>,
    rest: Option<Chunks>,
    chunk: Bytes,
}

type Chunks = Pin<Box<dyn Stream<Item = object_store::Result<Bytes>> + Send>>;

impl ObjectReader {
    pub(super) fn new(shared: Arc<Shared>, found: GetResult) -> Self {
        Self { shared, rest: Some(found.into_stream()), chunk: Bytes::new() }
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            let Some(mut rest) = self.rest.take() else { return Ok(0) };
            let (chunk, rest) = self.shared.worker.run(async move {
                let chunk = std::future::poll_fn(|context| rest.as_mut().poll_next(context)).await;
                (chunk, rest)
            })?;
            let Some(chunk) = chunk else { return Ok(0) };
            self.chunk = chunk.map_err(|error| io_error(&error))?;
            self.rest = Some(rest);
        }
        let len = self.chunk.len().min(buf.len());
        self.chunk.copy_to_slice(&mut buf[..len]);
        Ok(len)
    }
}

impl fmt::Debug for ObjectReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectReader").finish_non_exhaustive()
    }
}
