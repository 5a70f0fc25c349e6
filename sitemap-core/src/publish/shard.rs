//! Stable shards: a section whose records stay in their files as others come and go.

use std::error::Error as StdError;
use std::fmt;

use super::digest::Digest;
use super::publisher::Publisher;
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};

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
    publisher: &'p mut Publisher,
    /// The section that records are counted in.
    section: usize,
    /// The section of each shard.
    shards: Vec<usize>,
    key: F,
}

/// More would be more open files than systems grant by default.
const MOST: u16 = 512;

impl<'p, F> Sharded<'p, F> {
    pub(super) fn new(
        publisher: &'p mut Publisher,
        section: usize,
        shards: u16,
        key: F,
    ) -> Result<Self, Error> {
        if !(1..=MOST).contains(&shards) {
            return Err(ErrorKind::Shards { found: shards, most: MOST }.into());
        }
        let shards = (0..shards).map(|number| publisher.shard(section, number)).collect::<Result<_, _>>()?;
        Ok(Self { publisher, section, shards, key })
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
        self.publisher.count_record(self.section);
        let ShardKey(hash) = (self.key)(record);
        // The remainder is an index already.
        let shard = usize::try_from(hash % self.shards.len() as u64).unwrap_or_default();
        self.publisher.add(self.shards[shard], record)
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
    /// As [`add`](Self::add), and [`ErrorKind::Source`] with the first error of the source.
    pub fn try_add_all<T, E>(&mut self, records: impl IntoIterator<Item = Result<T, E>>) -> Result<(), Error>
    where
        T: SitemapEntry,
        E: Into<Box<dyn StdError + Send + Sync>>,
        F: Fn(&T) -> ShardKey,
    {
        for record in records {
            match record {
                Ok(record) => self.add(&record)?,
                Err(error) => return Err(self.publisher.abort(ErrorKind::Source(error.into()).into())),
            }
        }
        Ok(())
    }
}

impl<F> fmt::Debug for Sharded<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharded").field("shards", &self.shards.len()).finish_non_exhaustive()
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
