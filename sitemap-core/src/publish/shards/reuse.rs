//! Reuses published shards whose hash bucket has the same rows as before.

use super::published::{PublishedShard, PublishedShards};
use super::row::ShardRow;
use super::source::SourceDigest;
use crate::publish::error::PublishError;
use crate::publish::set::{metadata_of, names};
use crate::storage::Storage;

impl PublishedShards {
    /// Returns the rows of a hash bucket's published shards if all of them have this source digest. Pass these rows to
    /// a [commit](super::ShardCommit::add) instead of writing the bucket again. Returns `None` if the bucket has no
    /// shard, or if the digest of a shard is missing or different.
    ///
    /// If your program could lose rows before the commit, [check the number of URLs](super::ShardCommit::expect_urls).
    /// Otherwise, each later run reuses the incomplete bucket. This method doesn't check that the files exist;
    /// [`forget_lost`](Self::forget_lost) does.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit, SourceDigester, bucket_of};
    /// use sitemap_core::{Memory, PublishError, Site, SitemapSet};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// // Publishes these pages, and returns the number of buckets that were written.
    /// let publish = |pages: &[&str]| -> Result<u32, PublishError> {
    ///     let published = PublishedShards::read(&storage, builder.site())?;
    ///     let mut commit = ShardCommit::new(builder.clone());
    ///     let mut written = 0;
    ///     for bucket in 0..2 {
    ///         let mut rows: Vec<_> = pages.iter().filter(|page| bucket_of(page, 2) == bucket).collect();
    ///         let mut source = SourceDigester::new();
    ///         rows.iter().for_each(|page| source.add(page.as_bytes()));
    ///         let source = source.finish(b"https://example.com/, 2 buckets");
    ///         if let Some(shards) = published.written_from("posts", bucket, source) {
    ///             shards.into_iter().try_for_each(|row| commit.add(row))?;
    ///             continue;
    ///         }
    ///         rows.sort();
    ///         let mut shards = builder.clone().write_shards(storage.clone(), "posts", 2)?;
    ///         rows.iter().try_for_each(|page| shards.add(bucket, **page))?;
    ///         let shards = shards.finish()?.into_rows();
    ///         shards.into_iter().try_for_each(|row| commit.add(row.with_source(source)))?;
    ///         written += 1;
    ///     }
    ///     commit.publish(storage.clone())?;
    ///     Ok(written)
    /// };
    /// let [a, b, d] = ["https://example.com/a", "https://example.com/b", "https://example.com/d"];
    /// assert_eq!([a, b, d].map(|page| bucket_of(page, 2)), [0, 0, 1]);
    /// assert_eq!(publish(&[a, d])?, 2);
    /// assert_eq!(publish(&[d, b, a])?, 1);
    /// assert_eq!(publish(&[b, a, d])?, 0);
    /// # Ok::<(), PublishError>(())
    /// ```
    #[must_use]
    pub fn written_from(&self, section: &str, bucket: u32, source: SourceDigest) -> Option<Vec<ShardRow>> {
        let base = self.base()?;
        let shards = self.bucket(section, bucket);
        let is_of_source = |shard: &&PublishedShard| shard.source == Some(source);
        if shards.is_empty() || !shards.iter().all(is_of_source) {
            return None;
        }
        shards.into_iter().map(|shard| shard.to_row(base)).collect()
    }

    /// Checks the files of all shards that have a source digest. If a file is missing, or its size differs from the
    /// manifest, drops the digest so that the caller writes the bucket again. Returns the number of such files.
    ///
    /// Without this call, a commit that reuses the row of such a file ends with
    /// [`ShardError::Missing`](super::ShardError::Missing), and so does each later run with the same rows. As in a
    /// commit, many files are checked per request.
    ///
    /// ```
    /// use sitemap_core::publish::shards::{PublishedShards, ShardCommit, SourceDigester};
    /// use sitemap_core::{Memory, Site, SitemapSet, Storage};
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let source = SourceDigester::new().finish(b"settings");
    /// let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
    /// shards.add(0, "/tea")?;
    /// let row = shards.finish()?.into_rows().remove(0).with_source(source);
    /// let mut commit = ShardCommit::new(builder.clone());
    /// commit.add(row.clone())?;
    /// commit.publish(storage.clone())?;
    ///
    /// let mut published = PublishedShards::read(&storage, builder.site())?;
    /// assert_eq!(published.forget_lost(storage.clone())?, 0);
    /// assert!(published.written_from("posts", 0, source).is_some());
    /// storage.remove(row.name())?;
    /// assert_eq!(published.forget_lost(storage.clone())?, 1);
    /// assert!(published.written_from("posts", 0, source).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Io`](crate::publish::PublishErrorKind::Io) if the storage fails.
    pub fn forget_lost(&mut self, storage: impl Storage + 'static) -> Result<u64, PublishError> {
        let mut with_source: Vec<_> = self.rows.iter_mut().filter(|shard| shard.source.is_some()).collect();
        let names: Vec<&str> = with_source.iter().map(|shard| &*shard.name).collect();
        let found = metadata_of(&storage, &names)?;
        let mut lost = 0;
        for (shard, found) in with_source.iter_mut().zip(found) {
            if found.is_none_or(|found| found.len != shard.stored) {
                shard.source = None;
                lost += 1;
            }
        }
        Ok(lost)
    }
}

impl PublishedShard {
    /// Returns the row that a writer would return for this shard. Returns `None` if the file isn't a shard, or isn't
    /// named the way a writer would name it.
    fn to_row(&self, base: &str) -> Option<ShardRow> {
        let (_, buckets) = self.bucket?;
        let row = ShardRow {
            name: (*self.name).to_owned(),
            base: base.into(),
            buckets,
            urls: self.urls,
            bytes: self.bytes,
            stored: self.stored,
            digest: self.digest,
            newest: self.newest,
            by_url: self.by_url,
            source: self.source,
        };
        let is_of_section = names::section_of_shard(&self.name) == Some(&*self.section);
        (is_of_section && row.has_name_of_digest()).then_some(row)
    }
}
