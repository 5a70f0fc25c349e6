//! Stable shards: a section whose records stay in their files as others come and go.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use super::digest::Digest;
use super::run::Run;
use super::section::SectionFiles;
use crate::entry::SitemapEntry;
use crate::error::Error;

/// What decides which shard a record belongs to: best its primary key.
///
/// Equal keys come to the same shard, in every run, on every machine and in every release: shard
/// `h % n` of `n`, where `h` are the lower 64 bits of the XXH3-128 of the key's bytes; of a number,
/// of its eight bytes, the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShardKey(u64);

/// Takes the records of a section in stable shards; made by
/// [`Section::shard_by`](super::Section::shard_by).
pub struct Sharded<'p, F> {
    run: &'p Arc<Run>,
    files: &'p mut SectionFiles,
    key: F,
}

impl<'p, F> Sharded<'p, F> {
    pub(super) fn new(run: &'p Arc<Run>, files: &'p mut SectionFiles, key: F) -> Self {
        Self { run, files, key }
    }

    /// Adds the pages of one record to its shard.
    ///
    /// # Errors
    ///
    /// As [`Section::add`](super::Section::add).
    pub fn add<T: SitemapEntry>(&mut self, record: &T) -> Result<(), Error>
    where
        F: Fn(&T) -> ShardKey,
    {
        self.write(record)?;
        if let Some(queue) = &self.run.queue {
            queue.wait_for_room();
        }
        Ok(())
    }

    /// As [`add`](Self::add), but never waits.
    pub(super) fn write<T: SitemapEntry>(&mut self, record: &T) -> Result<(), Error>
    where
        F: Fn(&T) -> ShardKey,
    {
        let ShardKey(hash) = (self.key)(record);
        // The remainder is an index already.
        let shard = usize::try_from(hash % self.files.shards() as u64).unwrap_or_default();
        self.files.add(Some(shard), record, self.run)
    }

    /// Adds all records.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_all<T: SitemapEntry>(&mut self, records: impl IntoIterator<Item = T>) -> Result<(), Error>
    where
        F: Fn(&T) -> ShardKey,
    {
        records.into_iter().try_for_each(|record| self.add(&record))
    }

    /// Adds all records of a source that can fail, as a database's rows.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), and [`ErrorKind::Source`](crate::ErrorKind::Source) with the first error of
    /// the source.
    pub fn try_add_all<T, E>(&mut self, records: impl IntoIterator<Item = Result<T, E>>) -> Result<(), Error>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
        F: Fn(&T) -> ShardKey,
    {
        records.into_iter().try_for_each(|record| match record {
            Ok(record) => self.add(&record),
            Err(error) => Err(self.source_error(error)),
        })
    }
}

impl<F> Sharded<'_, F> {
    pub(super) fn source_error(&self, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        self.files.source_error(error, self.run)
    }

    #[cfg(feature = "async")]
    pub(super) fn run(&self) -> &Arc<Run> {
        self.run
    }
}

impl<F> fmt::Debug for Sharded<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharded").field("shards", &self.files.shards()).finish_non_exhaustive()
    }
}

impl From<&[u8]> for ShardKey {
    fn from(key: &[u8]) -> Self {
        Self(Digest::of(key).low())
    }
}

impl From<&str> for ShardKey {
    fn from(key: &str) -> Self {
        key.as_bytes().into()
    }
}

impl From<&String> for ShardKey {
    fn from(key: &String) -> Self {
        key.as_bytes().into()
    }
}

impl From<u64> for ShardKey {
    fn from(key: u64) -> Self {
        key.to_be_bytes().as_slice().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_same_shard_for_ever() {
        let shard = |key: ShardKey| key.0 % 256;
        assert_eq!(
            [
                shard("".into()),
                shard("a".into()),
                shard("posts/first".into()),
                shard(0.into()),
                shard(1.into())
            ],
            [127, 31, 173, 178, 174]
        );
        assert_eq!(ShardKey::from(1), ShardKey::from([0, 0, 0, 0, 0, 0, 0, 1].as_slice()));
    }
}
