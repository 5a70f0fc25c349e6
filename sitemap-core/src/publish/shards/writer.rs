//! Writing shards: what one of many processes does.

use std::collections::HashSet;
use std::mem;
use std::sync::Arc;

use super::super::digest::Digest;
use super::super::name;
use super::super::options::{OnInvalid, PublisherBuilder};
use super::super::storage::Storage;
use super::super::summary::{Skipped, SkippedRecords};
use super::error::ShardError;
use super::row::ShardRow;
use super::sink::ShardSink;
use crate::entry::SitemapEntry;
use crate::error::{Error, ErrorKind};
use crate::write::{Fit, Pages, Written};

/// Writes the shards of some buckets of a section; made by [`PublisherBuilder::write_shards`].
///
/// A bucket's records come one after another, in an order of their own such as by address: the same
/// records in the same order give the same file, on whatever machine. A bucket that is larger than a file
/// goes on in a second one. Each shard is written whole, under a name that holds a digest of it, so that
/// writing it again changes nothing; no index names it before its row is committed by
/// [`ShardCommit`](super::ShardCommit).
///
/// ```
/// use sitemap_core::{Memory, Publisher, ShardCommit, Site, bucket_of};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let pages = ["/a", "/b", "/c", "/d"];
///
/// // On any number of machines, each with buckets of its own:
/// let mut rows = Vec::new();
/// for bucket in 0..2 {
///     let mut shards = Publisher::builder(site.clone()).write_shards(storage.clone(), "pages", 2)?;
///     for page in pages.iter().filter(|page| bucket_of(page, 2) == bucket) {
///         shards.add(bucket, *page)?;
///     }
///     rows.extend(shards.finish()?.into_rows());
/// }
///
/// // On one of them:
/// let mut commit = ShardCommit::new(Publisher::builder(site)).expect_urls(4);
/// for row in rows {
///     commit.add(row)?;
/// }
/// let summary = commit.publish(storage.clone())?;
/// assert_eq!(summary.urls(), 4);
/// assert!(storage.get("sitemap.xml").is_some());
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Debug)]
pub struct ShardWriter {
    options: PublisherBuilder,
    storage: Arc<dyn Storage>,
    section: String,
    buckets: u32,
    open: Option<OpenShard>,
    /// Buckets whose rows have come.
    ended: HashSet<u32>,
    written: WrittenShards,
    records: u64,
    scratch: String,
    is_aborted: bool,
}

#[derive(Debug)]
struct OpenShard {
    bucket: u32,
    /// Counted from 1.
    number: usize,
    pages: Pages<ShardSink>,
}

/// What a [`ShardWriter`] has written.
#[derive(Debug, Default)]
pub struct WrittenShards {
    rows: Vec<ShardRow>,
    skipped: SkippedRecords,
}

impl PublisherBuilder {
    /// Begins to write shards of a section, one of many processes that do.
    ///
    /// All of them, and who commits, use the same settings and the same number of buckets; best are
    /// about as many as there are 25,000 pages. Each can write records of any buckets. Rows tell of the
    /// site and the number of buckets, so that who commits notices others.
    ///
    /// # Errors
    ///
    /// If the section's name cannot be part of a file name, or there are no buckets.
    pub fn write_shards(
        self,
        storage: impl Storage + 'static,
        section: &str,
        buckets: u32,
    ) -> Result<ShardWriter, Error> {
        name::check(section)?;
        if buckets == 0 {
            return Err(ShardError::Bucket { bucket: 0, buckets }.into());
        }
        Ok(ShardWriter {
            options: self,
            storage: Arc::new(storage),
            section: section.to_owned(),
            buckets,
            open: None,
            ended: HashSet::new(),
            written: WrittenShards::default(),
            records: 0,
            scratch: String::new(),
            is_aborted: false,
        })
    }
}

impl ShardWriter {
    /// Adds the pages of one record to the shard of its bucket.
    ///
    /// The bucket is [`bucket_of`](super::bucket_of) the record's address, or any other number below that
    /// of all buckets, as long as the same record always has the same.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Record`] as [`Section::add`](crate::Section::add), [`ErrorKind::Shard`] if there is no
    /// such bucket or it has ended, and [`ErrorKind::Io`] if a shard cannot be written. After an error
    /// the writer is of no more use.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, bucket: u32, record: &T) -> Result<(), Error> {
        if self.is_aborted {
            return Err(ErrorKind::Aborted.into());
        }
        self.records += 1;
        let added = self.write(bucket, record);
        added.or_else(|error| self.settle_error(error))
    }

    fn write<T: SitemapEntry + ?Sized>(&mut self, bucket: u32, record: &T) -> Result<(), Error> {
        if self.open.as_ref().is_none_or(|open| open.bucket != bucket) {
            self.change_bucket(bucket)?;
        }
        let Some(open) = &mut self.open else { return Err(ErrorKind::Aborted.into()) };
        open.pages.draft(record, &self.options.site, &mut self.scratch)?;
        match open.pages.accept()? {
            Fit::Written => Ok(()),
            Fit::Full => self.roll_over(),
        }
    }

    #[cold]
    fn change_bucket(&mut self, bucket: u32) -> Result<(), Error> {
        if bucket >= self.buckets {
            return Err(ShardError::Bucket { bucket, buckets: self.buckets }.into());
        }
        if let Some(open) = self.open.take() {
            self.ended.insert(open.bucket);
            self.end(open)?;
        }
        if self.ended.contains(&bucket) {
            return Err(ShardError::Reopened { bucket }.into());
        }
        self.open = Some(self.begin(bucket, 1));
        Ok(())
    }

    /// Ends the open shard, but takes its draft to the next of its bucket.
    #[cold]
    fn roll_over(&mut self) -> Result<(), Error> {
        if let Some(full) = self.open.take() {
            let mut next = self.begin(full.bucket, full.number + 1);
            next.pages.follow(&full.pages)?;
            // It fits: what no empty file takes was an error before.
            let _ = next.pages.accept()?;
            self.end(full)?;
            self.open = Some(next);
        }
        Ok(())
    }

    fn begin(&self, bucket: u32, number: usize) -> OpenShard {
        let sink = ShardSink::new(self.options.gzip);
        OpenShard { bucket, number, pages: Pages::new(sink, &self.options.write) }
    }

    fn end(&mut self, shard: OpenShard) -> Result<(), Error> {
        let newest = shard.pages.newest();
        let (sink, Written { items, bytes }) = shard.pages.finish()?;
        // Its records may all have been invalid, or without a page.
        if items == 0 {
            return Ok(());
        }
        let stored = sink.finish().map_err(|error| Error::io("compress", None, error))?;
        let digest = Digest::of(&stored);
        let extension = self.options.extension();
        let name = name::of_shard(&self.section, shard.bucket, shard.number, digest, extension);
        self.store(&name, &stored)?;
        let stored = stored.len() as u64;
        let (base, buckets) = (self.options.site.base().into(), self.buckets);
        self.written.rows.push(ShardRow { name, base, buckets, urls: items, bytes, stored, digest, newest });
        Ok(())
    }

    /// A file of that name has these bytes; then it keeps its date, too.
    fn store(&self, name: &str, stored: &[u8]) -> Result<(), Error> {
        let io_error = |action, error| Error::io(action, Some(&self.storage.locate(name)), error);
        let found = self.storage.stat(name).map_err(|error| io_error("read", error))?;
        if found.is_some_and(|found| found.len == stored.len() as u64) {
            return Ok(());
        }
        self.storage.put(name, stored).map_err(|error| io_error("write", error))
    }

    #[cold]
    fn settle_error(&mut self, error: Error) -> Result<(), Error> {
        if error.is_about_record() {
            if self.options.on_invalid == OnInvalid::Skip {
                self.written.skipped.push(Skipped::new(&self.section, self.records, error));
                return Ok(());
            }
            self.is_aborted = true;
            return Err(error.in_record(&self.section, self.records));
        }
        self.is_aborted = true;
        Err(error)
    }

    /// The rows of shards that are written since the last call, to be passed on as they come.
    pub fn take_rows(&mut self) -> Vec<ShardRow> {
        mem::take(&mut self.written.rows)
    }

    /// Ends the last shard; returns the rows that were not taken.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or there was an error before.
    pub fn finish(mut self) -> Result<WrittenShards, Error> {
        if self.is_aborted {
            return Err(ErrorKind::Aborted.into());
        }
        if let Some(open) = self.open.take() {
            self.end(open)?;
        }
        Ok(self.written)
    }
}

impl WrittenShards {
    /// One row for each shard.
    #[must_use]
    pub fn rows(&self) -> &[ShardRow] {
        &self.rows
    }

    /// One row for each shard.
    #[must_use]
    pub fn into_rows(self) -> Vec<ShardRow> {
        self.rows
    }

    /// How many invalid records were left out.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.count()
    }

    /// The first thousand of them.
    #[must_use]
    pub fn skipped_records(&self) -> &[Skipped] {
        self.skipped.first()
    }
}
