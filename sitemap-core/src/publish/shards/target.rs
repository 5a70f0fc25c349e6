//! Stores shards. The name of a shard contains the digest of its bytes, so a shard stays in memory until it is
//! complete.

use std::path::PathBuf;
use std::sync::Arc;

use super::row::ShardRow;
use crate::publish::error::PublishError;
use crate::publish::set::{Digest, names};
use crate::publish::target::Target;
use crate::storage::Storage;
use crate::write::Content;

#[derive(Debug)]
pub(super) struct ShardTarget {
    pub(super) storage: Arc<dyn Storage>,
    /// The base URL of the site.
    pub(super) base: Box<str>,
    pub(super) buckets: u32,
}

impl Target for ShardTarget {
    type Open = Vec<u8>;
    type File = ShardRow;

    fn open(&self, _: &str) -> Result<Vec<u8>, PublishError> {
        Ok(Vec::new())
    }

    fn write(&self, file: &mut Vec<u8>, _: &str, bytes: &[u8]) -> Result<(), PublishError> {
        file.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(&self, file: Vec<u8>, name: &str, content: Content) -> Result<ShardRow, PublishError> {
        let digest = Digest::of(&file);
        let name = names::with_digest(name, digest, names::SHARD_DIGITS);
        self.store(&name, &file)?;
        Ok(ShardRow {
            name,
            base: self.base.clone(),
            buckets: self.buckets,
            urls: content.size.entries,
            bytes: content.size.bytes,
            stored: file.len() as u64,
            digest,
            newest: content.newest,
            by_url: content.by_url,
            source: None,
        })
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.storage.locate(name)
    }
}

impl ShardTarget {
    /// Stores a shard, unless a file of this name and size already exists. That file has the same bytes, because its
    /// name contains the digest. It is not replaced, so it keeps its date.
    fn store(&self, name: &str, bytes: &[u8]) -> Result<(), PublishError> {
        let io_error = |action, error| PublishError::io(action, &self.locate(name), error);
        let found = self.storage.metadata(name).map_err(|error| io_error("read", error))?;
        if found.is_some_and(|found| found.len == bytes.len() as u64) {
            return Ok(());
        }
        self.storage.put(name, bytes).map_err(|error| io_error("write", error))
    }
}
