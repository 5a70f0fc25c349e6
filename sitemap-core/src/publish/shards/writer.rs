//! Writes shards. Each process that writes a part of the set has its own writer.

use std::collections::HashSet;
use std::mem;
use std::sync::Arc;

use super::error::ShardError;
use super::published::PublishedShards;
use super::row::ShardRow;
use super::target::ShardTarget;
use crate::dialect::Dialect;
use crate::publish::error::PublishError;
use crate::publish::fill::{Output, SectionFiles, Series};
use crate::publish::options::SetOptions;
use crate::publish::set::names;
use crate::publish::skipped::{SkippedRecord, SkippedRecords};
use crate::record::SitemapEntry;
use crate::storage::Storage;
use crate::write::HashBucket;

/// Writes the shards of some hash buckets of a section. Created by [`SetOptions::write_shards`].
///
/// Add the records bucket by bucket, and within a bucket in a fixed order, such as by URL. The same records in the same
/// order produce the same file on any machine. A bucket that doesn't fit into one file continues in a second one. The
/// name of a shard contains a digest of its content, so writing the same shard again changes nothing. No index lists a
/// shard before a [`ShardCommit`](super::ShardCommit) commits its row.
///
/// ```
/// use sitemap_core::publish::PublishError;
/// use sitemap_core::publish::shards::{ShardCommit, bucket_of};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let pages = ["/a", "/b", "/c", "/d"];
///
/// // On any number of machines, each with its own buckets:
/// let mut rows = Vec::new();
/// for bucket in 0..2 {
///     let mut shards = SitemapSet::builder(site.clone()).write_shards(storage.clone(), "pages", 2)?;
///     for page in pages.iter().filter(|page| bucket_of(page, 2) == bucket) {
///         shards.add(bucket, *page)?;
///     }
///     rows.extend(shards.finish()?.into_rows());
/// }
///
/// // On one machine, after all writers have finished:
/// let mut commit = ShardCommit::new(SitemapSet::builder(site)).expect_urls(4);
/// for row in rows {
///     commit.add(row)?;
/// }
/// let summary = commit.publish(storage.clone())?;
/// assert_eq!(summary.urls(), 4);
/// assert!(storage.get("sitemap.xml").is_some());
/// # Ok::<(), PublishError>(())
/// ```
#[derive(Debug)]
#[must_use = "call `finish`, which writes the last shard"]
pub struct ShardWriter {
    output: Arc<Output<ShardTarget>>,
    files: SectionFiles<ShardTarget>,
    /// The bucket that is receiving records.
    open: Option<u32>,
    /// The complete buckets.
    ended: HashSet<u32>,
    rows: Vec<ShardRow>,
}

/// The shards that a [`ShardWriter`] wrote, and the records it skipped.
///
/// ```
/// use sitemap_core::publish::OnInvalid;
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let builder = SitemapSet::builder(Site::new("https://example.com")?).on_invalid(OnInvalid::Skip);
/// let mut shards = builder.write_shards(Memory::new(), "pages", 1)?;
/// shards.add(0, "/")?;
/// shards.add(0, "ftp://example.com/")?;
/// let written = shards.finish()?;
/// assert_eq!(written.rows()[0].urls(), 1);
/// assert_eq!((written.skipped(), written.skipped_records()[0].number()), (1, 2));
/// assert_eq!(written.into_rows().len(), 1);
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Debug, Default)]
pub struct WrittenShards {
    rows: Vec<ShardRow>,
    skipped: SkippedRecords,
}

impl SetOptions {
    /// Uses the dialect of a published section, and its maximum number of URLs per file. Call this in a program that
    /// rewrites only some of the section's files.
    ///
    /// ```
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Dialect, Memory, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut run = builder.clone().dialect(Dialect::V0_84).storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, builder.site())?;
    /// let mut shards = builder.like_section(&published, "posts").write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let xml = storage.get(shards.finish()?.rows()[0].name()).unwrap_or_default();
    /// assert!(String::from_utf8_lossy(&xml).contains("xmlns=\"http://www.google.com/schemas/sitemap/0.84\""));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn like_section(self, published: &PublishedShards, section: &str) -> Self {
        let dialect = published.dialect(section);
        let builder = if dialect == Dialect::default() { self } else { self.dialect(dialect) };
        let mut limits = builder.write.limits();
        limits.urls = limits.urls.min(published.max_urls(section));
        builder.lower_limits(limits)
    }

    /// Starts writing shards of a section, in one of many processes.
    ///
    /// Use the same settings and the same number of hash buckets for all writers and for the commit. Choose about one
    /// bucket per 25,000 pages. Any process can write any bucket. The commit rejects shards with a different site or
    /// number of buckets, because both are recorded in the rows.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::SectionName`](crate::publish::PublishErrorKind::SectionName) if the name of the section
    /// can't be part of a file name, and [`PublishErrorKind::Shard`](crate::publish::PublishErrorKind::Shard) if the
    /// number of buckets is 0.
    pub fn write_shards(
        self,
        storage: impl Storage + 'static,
        section: &str,
        buckets: u32,
    ) -> Result<ShardWriter, PublishError> {
        names::check_section(section)?;
        if buckets == 0 {
            return Err(ShardError::Bucket { bucket: 0, buckets }.into());
        }
        Ok(self.shard_writer(storage, section, buckets))
    }

    /// Starts writing the file of the [recent section](crate::publish::files::RECENT). Add all entries to bucket 0, in
    /// any order. They must fit into one file, because a [commit](super::ShardCommit::recent) accepts only one.
    ///
    /// ```
    /// use sitemap_core::publish::files::is_recent_file;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?);
    /// let mut recent = builder.write_recent(Memory::new());
    /// recent.add(0, "/tea")?;
    /// assert!(is_recent_file(recent.finish()?.rows()[0].name()));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    pub fn write_recent(self, storage: impl Storage + 'static) -> ShardWriter {
        self.shard_writer(storage, names::RECENT, 1)
    }

    fn shard_writer(self, storage: impl Storage + 'static, section: &str, buckets: u32) -> ShardWriter {
        let target = ShardTarget { storage: Arc::new(storage), base: self.site.base().into(), buckets };
        ShardWriter {
            // The caller's thread compresses the shards, because the other cores are busy with other processes.
            output: Arc::new(Output::new(target, self, 0)),
            files: SectionFiles::new(section),
            open: None,
            ended: HashSet::new(),
            rows: Vec::new(),
        }
    }
}

impl ShardWriter {
    /// Adds the pages of one record to the shard of its hash bucket.
    ///
    /// The bucket can be any number below the number of buckets, but the same record must always have the same bucket.
    /// [`bucket_of`](super::bucket_of) computes such a number from the URL of the record.
    ///
    /// # Errors
    ///
    /// - [`PublishErrorKind::Record`](crate::publish::PublishErrorKind::Record) if the record is invalid, as for
    ///   [`Section::add`](crate::publish::Section::add).
    /// - [`PublishErrorKind::Shard`](crate::publish::PublishErrorKind::Shard) if there is no such bucket, or if records
    ///   of other buckets were added since this bucket's last record.
    /// - [`PublishErrorKind::Io`](crate::publish::PublishErrorKind::Io) if a shard can't be written.
    ///
    /// After an error, the writer can't be used any more.
    pub fn add<T: SitemapEntry + ?Sized>(&mut self, bucket: u32, record: &T) -> Result<(), PublishError> {
        if self.open != Some(bucket) {
            self.change_bucket(bucket).map_err(|error| self.output.abort_after(error))?;
        }
        self.files.add(record, &self.output)
    }

    #[cold]
    fn change_bucket(&mut self, bucket: u32) -> Result<(), PublishError> {
        let buckets = self.output.target.buckets;
        if bucket >= buckets {
            return Err(ShardError::Bucket { bucket, buckets }.into());
        }
        self.end_bucket()?;
        if self.ended.contains(&bucket) {
            return Err(ShardError::SplitBucket { bucket }.into());
        }
        self.open = Some(bucket);
        let stem = names::shard_stem(&self.files.name, bucket);
        let bucket = HashBucket { number: bucket, buckets };
        self.files.series = Series::of_bucket(stem, bucket);
        Ok(())
    }

    fn end_bucket(&mut self) -> Result<(), PublishError> {
        let Some(bucket) = self.open.take() else { return Ok(()) };
        self.ended.insert(bucket);
        self.files.series.close()?;
        self.take_files()
    }

    fn take_files(&mut self) -> Result<(), PublishError> {
        self.rows.append(&mut self.files.series.take_files()?);
        Ok(())
    }

    /// Completes the shards of the current hash bucket and returns their rows. Adding more records to that bucket is an
    /// error. Without this call, a bucket is completed when the next one starts.
    ///
    /// ```
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let builder = SitemapSet::builder(Site::new("https://example.com")?);
    /// let mut shards = builder.write_shards(Memory::new(), "pages", 2)?;
    /// shards.add(0, "/")?;
    /// let rows = shards.finish_bucket()?;
    /// assert_eq!((rows.len(), rows[0].bucket()), (1, Some(0)));
    /// assert!(shards.add(0, "/about").is_err());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`finish`](Self::finish).
    pub fn finish_bucket(&mut self) -> Result<Vec<ShardRow>, PublishError> {
        if self.output.is_aborted() {
            return Err(self.output.aborted());
        }
        self.end_bucket().map_err(|error| self.output.abort_after(error))?;
        Ok(mem::take(&mut self.rows))
    }

    /// Returns the number of invalid records skipped so far.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.files.skipped.count()
    }

    /// Returns the rows of the shards that were completed since the last call.
    #[must_use]
    pub fn take_rows(&mut self) -> Vec<ShardRow> {
        if let Err(error) = self.take_files() {
            // `add` has already returned the error of this shard, or `finish` will return it.
            self.output.abort_after(error);
        }
        mem::take(&mut self.rows)
    }

    /// Completes the last shard and returns the rows that [`take_rows`](Self::take_rows) hasn't returned yet.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Io`](crate::publish::PublishErrorKind::Io) if the shard can't be written, and
    /// [`PublishErrorKind::Aborted`](crate::publish::PublishErrorKind::Aborted) after an earlier error.
    pub fn finish(mut self) -> Result<WrittenShards, PublishError> {
        if self.output.is_aborted() {
            return Err(self.output.aborted());
        }
        self.end_bucket()?;
        Ok(WrittenShards { rows: self.rows, skipped: self.files.skipped })
    }
}

impl WrittenShards {
    /// Returns one row per shard, except for rows that [`ShardWriter::take_rows`] already returned.
    #[must_use]
    pub fn rows(&self) -> &[ShardRow] {
        &self.rows
    }

    /// Consumes `self` and returns its [`rows`](Self::rows).
    #[must_use]
    pub fn into_rows(self) -> Vec<ShardRow> {
        self.rows
    }

    /// Returns the number of invalid records that were skipped.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.count()
    }

    /// Returns the first 1,000 skipped records.
    #[must_use]
    pub fn skipped_records(&self) -> &[SkippedRecord] {
        self.skipped.first()
    }
}
