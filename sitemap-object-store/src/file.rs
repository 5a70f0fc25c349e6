//! Files of a bucket while they are written or read.

use std::fmt;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::{Buf as _, Bytes};
use futures_core::Stream;
use object_store::path::Path;
use object_store::{Attributes, GetResult, ObjectStore, PutResult, WriteMultipart};

use crate::worker::io_error;
use crate::{ObjectStorage, Shared};
use sitemap_core::storage::{Metadata, NewFile};

/// A file of more bytes is sent in parts of so many. Services want 5 MiB at least.
const PART: usize = 8 << 20;

/// A file of more bytes is sent while it is written. 50,000 entries seldom come to that.
const HELD: usize = 2 * PART;

/// How many parts of a file that is being written are under way at once.
const PARTS_AT_ONCE: usize = 2;

/// Sends all bytes of a file.
pub(super) async fn upload(
    store: Arc<dyn ObjectStore>,
    path: Path,
    bytes: Bytes,
    attributes: Attributes,
) -> object_store::Result<PutResult> {
    if bytes.len() <= PART {
        return store.put_opts(&path, bytes.into(), attributes.into()).await;
    }
    let parts = store.put_multipart_opts(&path, attributes.into()).await?;
    let mut parts = WriteMultipart::new_with_chunk_size(parts, PART);
    parts.put(bytes);
    parts.finish().await
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct ObjectFile {
    storage: ObjectStorage,
    name: String,
    /// What has not been sent.
    held: Vec<u8>,
    len: u64,
    parts: Parts,
}

/// What has been sent.
#[derive(Debug)]
enum Parts {
    None,
    Some(WriteMultipart),
    /// Not all of it, so that the file cannot be finished.
    Lost,
}

impl ObjectFile {
    pub(super) fn new(storage: ObjectStorage, name: &str) -> Self {
        Self { storage, name: name.to_owned(), held: Vec::new(), len: 0, parts: Parts::None }
    }

    /// Sends what is held as further parts.
    fn send(&mut self) -> io::Result<WriteMultipart> {
        let held = Bytes::from(std::mem::take(&mut self.held));
        let (path, attributes) = (self.storage.path(&self.name), self.storage.attributes(&self.name));
        let parts = match std::mem::replace(&mut self.parts, Parts::Lost) {
            Parts::None => None,
            Parts::Some(parts) => Some(parts),
            Parts::Lost => return Err(io::Error::other("a part of the file was not sent")),
        };
        self.storage.shared.call(move |store| async move {
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
                    // Lifecycle rules remove what this cannot.
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
        let most = if matches!(self.parts, Parts::None) { HELD } else { PART };
        if self.held.len() > most {
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
        let stat = Metadata::new(self.len, SystemTime::now());
        if !matches!(self.parts, Parts::None) {
            let parts = self.send()?;
            let put = self.storage.shared.call(|_| parts.finish())?;
            let location = &self.storage.shared.location;
            return Ok(stat.with_tag(location.tag(put.e_tag.as_deref(), put.version.as_deref())));
        }
        let bytes = Bytes::from(std::mem::take(&mut self.held));
        if !self.storage.shared.waiting.keep(&self.name, &bytes, &stat) {
            self.storage.send(&self.name, bytes)?;
        }
        Ok(stat)
    }
}

impl Drop for ObjectFile {
    fn drop(&mut self) {
        if let Parts::Some(parts) = std::mem::replace(&mut self.parts, Parts::Lost) {
            let _ = self.storage.shared.call(|_| parts.abort());
        }
    }
}

/// A file that is being read.
pub(super) struct ObjectReader {
    shared: Arc<Shared>,
    rest: Option<Pieces>,
    piece: Bytes,
}

type Pieces = Pin<Box<dyn Stream<Item = object_store::Result<Bytes>> + Send>>;

impl ObjectReader {
    pub(super) fn new(shared: Arc<Shared>, found: GetResult) -> Self {
        Self { shared, rest: Some(found.into_stream()), piece: Bytes::new() }
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let Some(mut rest) = self.rest.take() else { return Ok(0) };
            let (piece, rest) = self.shared.worker.run(async move {
                let piece = std::future::poll_fn(|context| rest.as_mut().poll_next(context)).await;
                (piece, rest)
            })?;
            let Some(piece) = piece else { return Ok(0) };
            self.piece = piece.map_err(|error| io_error(&error))?;
            self.rest = Some(rest);
        }
        let len = self.piece.len().min(buf.len());
        self.piece.copy_to_slice(&mut buf[..len]);
        Ok(len)
    }
}

impl fmt::Debug for ObjectReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectReader").finish_non_exhaustive()
    }
}
