//! The shards of the published set.

use std::sync::Arc;

use super::source::SourceDigest;
use crate::dialect::Dialect;
use crate::publish::error::PublishError;
use crate::publish::set::recent::RecentCounts;
use crate::publish::set::{
    Digest, KnownManifest, Positions, Row, described_manifest, names, published_manifest, recover,
};
use crate::storage::Storage;
use crate::value::{LastMod, Site};

/// The shards of the published set at one point in time, as described by the manifest. No shard is read.
///
/// To change some pages, a program reads the shards of their hash buckets, writes these buckets again, and commits them
/// with [`ShardCommit::update`](super::ShardCommit::update).
///
/// ```
/// use sitemap_core::publish::shards::{PublishedShards, ShardCommit, bucket_of};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut shards = SitemapSet::builder(site.clone()).write_shards(storage.clone(), "posts", 40)?;
/// let page = "https://example.com/tea";
/// shards.add(bucket_of(page, 40), page)?;
/// let mut commit = ShardCommit::new(SitemapSet::builder(site.clone()));
/// for row in shards.finish()?.into_rows() {
///     commit.add(row)?;
/// }
/// commit.publish(storage.clone())?;
///
/// let published = PublishedShards::read(&storage, &site)?;
/// assert_eq!(published.sections(), ["posts"]);
/// assert_eq!(published.buckets("posts"), Some(40));
/// let found = published.bucket("posts", bucket_of(page, 40));
/// assert_eq!((found.len(), found[0].urls()), (1, 1));
/// assert!(storage.get(found[0].name()).is_some());
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PublishedShards {
    pub(super) rows: Vec<PublishedShard>,
    recent: Option<PublishedShard>,
    /// The hash bucket of each shard and the shard's index in `rows`, sorted by bucket, section and the order of the
    /// index.
    by_bucket: Vec<(u32, usize)>,
    /// The manifest, kept so that a commit needn't parse it again.
    known: Arc<KnownManifest>,
}

/// A file of the published set. Returned by [`PublishedShards::bucket`].
///
/// ```
/// use sitemap_core::publish::files::content_digest;
/// use sitemap_core::publish::shards::{PublishedShards, ShardCommit};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut shards = SitemapSet::builder(site.clone()).write_shards(storage.clone(), "posts", 1)?;
/// shards.add(0, "/tea")?;
/// let mut commit = ShardCommit::new(SitemapSet::builder(site.clone()));
/// commit.add(shards.finish()?.into_rows().remove(0))?;
/// commit.publish(storage.clone())?;
///
/// let published = PublishedShards::read(&storage, &site)?;
/// let shard = published.bucket("posts", 0)[0];
/// let bytes = storage.get(shard.name()).unwrap_or_default();
/// assert_eq!((bytes.len() as u64, content_digest(&bytes)), (shard.stored_bytes(), shard.digest()));
/// assert_eq!(shard.bucket(), Some(0));
/// # Ok::<(), sitemap_core::PublishError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedShard {
    pub(super) name: Arc<str>,
    pub(super) section: Arc<str>,
    /// The hash bucket and the number of hash buckets. `None` if the file is not a shard.
    pub(super) bucket: Option<(u32, u32)>,
    pub(super) urls: u64,
    pub(super) bytes: u64,
    pub(super) stored: u64,
    pub(super) digest: Digest,
    pub(super) newest: Option<LastMod>,
    pub(super) by_url: bool,
    pub(super) source: Option<SourceDigest>,
}

impl PublishedShards {
    /// Reads the manifest of the published set.
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Io`](crate::publish::PublishErrorKind::Io) if the storage fails, and
    /// [`PublishErrorKind::CannotKeep`](crate::publish::PublishErrorKind::CannotKeep) if a set is published but its
    /// manifest is missing, damaged or of another site.
    pub fn read(storage: &dyn Storage, site: &Site) -> Result<Self, PublishError> {
        Ok(Self::new(published_manifest(storage, site)?))
    }

    /// Reads the manifest of a set of any site, for a program that only reads the set. Returns `None` if the manifest
    /// is missing or damaged, or doesn't describe the published `sitemap.xml`, for example because another program
    /// replaced that file. In that case, use the index to find the files of the set.
    ///
    /// ```
    /// use sitemap_core::publish::files::ENTRY_POINT;
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Memory, Site, SitemapSet, Storage};
    ///
    /// let storage = Memory::new();
    /// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::find(&storage)?;
    /// assert_eq!(published.map(|published| published.files()), Some(1));
    /// storage.put(ENTRY_POINT, b"<urlset/>")?;
    /// assert!(PublishedShards::find(&storage)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Io`](crate::publish::PublishErrorKind::Io) if the storage fails.
    pub fn find(storage: &dyn Storage) -> Result<Option<Self>, PublishError> {
        Ok(described_manifest(storage)?.map(Self::new))
    }

    fn new(known: Arc<KnownManifest>) -> Self {
        let mut rows = Vec::with_capacity(known.manifest.rows.len());
        rows.extend(known.pages().map(PublishedShard::new));
        let of_bucket = |(at, row): (usize, &PublishedShard)| row.bucket().map(|bucket| (bucket, at));
        let mut by_bucket: Vec<(u32, usize)> = rows.iter().enumerate().filter_map(of_bucket).collect();
        by_bucket.sort_unstable_by(|&(one, at), &(other, place)| {
            let by_section = || rows[at].section.cmp(&rows[place].section);
            one.cmp(&other).then_with(by_section).then(at.cmp(&place))
        });
        let recent = known.manifest.recent_row().map(PublishedShard::new);
        Self { rows, recent, by_bucket, known }
    }

    /// Finishes the commit of an interrupted run, if there is one, and then [reads](Self::read) the manifest.
    ///
    /// Call this before a commit with [`if_unchanged`](super::ShardCommit::if_unchanged). That commit also finishes an
    /// interrupted run first. Without this call, it would then find pages that this program hasn't read, and end with
    /// an error.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    pub fn recover(storage: impl Storage + 'static, site: &Site) -> Result<Self, PublishError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        recover(&storage)?;
        Self::read(&storage, site)
    }

    /// Returns `true` if no set is published.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the number of files that contain pages, in all sections.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Returns the [`content_digest`](crate::publish::files::content_digest) of `sitemap.xml`, or an empty string if no
    /// set is published. If the file has a different digest, this manifest doesn't describe it.
    ///
    /// ```
    /// use sitemap_core::publish::files::{ENTRY_POINT, content_digest};
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let mut run = SitemapSet::builder(site.clone()).storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// let sitemap = storage.get(ENTRY_POINT).unwrap_or_default();
    /// assert_eq!(published.entry_point_digest(), content_digest(&sitemap));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    #[must_use]
    pub fn entry_point_digest(&self) -> String {
        self.known.entry_point_digest().map(|digest| digest.to_string()).unwrap_or_default()
    }

    /// Returns the stored size in bytes of all indexes. See the example of [`files`](Self::files). 0 if the set is a
    /// single file.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        self.known.index_bytes()
    }

    /// Returns the mean number of bytes that the manifest needs for a file that contains pages. See the example of
    /// [`files`](Self::files). Each commit writes the whole manifest, with all files. The journal contains only the
    /// files that changed.
    #[must_use]
    pub fn row_bytes(&self) -> u64 {
        self.known.row_bytes()
    }

    /// Returns the names of all sections, in the order of the index.
    #[must_use]
    pub fn sections(&self) -> Vec<&str> {
        let mut sections: Vec<&str> = Vec::new();
        for row in &self.rows {
            if sections.last() != Some(&&*row.section) && !sections.contains(&&*row.section) {
                sections.push(&row.section);
            }
        }
        sections
    }

    /// Returns the number of hash buckets of a section, or `None` if the section doesn't exist or was published without
    /// hash buckets.
    #[must_use]
    pub fn buckets(&self, section: &str) -> Option<u32> {
        let mut rows = self.rows.iter().filter(|row| *row.section == *section);
        let (_, buckets) = rows.next()?.bucket?;
        rows.all(|row| row.bucket.is_some_and(|(_, other)| other == buckets)).then_some(buckets)
    }

    /// Returns the dialect of a section's files. For sets published by earlier versions, which don't record the
    /// dialect, returns 0.9.
    ///
    /// ```
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Dialect, Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let mut limits = Dialect::V0_84.limits();
    /// limits.urls = 1000;
    /// let builder = SitemapSet::builder(site.clone()).dialect(Dialect::V0_84).lower_limits(limits);
    /// let mut run = builder.storage(storage.clone()).replace()?;
    /// run.section("posts")?.add("/tea")?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// assert_eq!((published.dialect("posts"), published.max_urls("posts")), (Dialect::V0_84, 1000));
    /// assert_eq!((published.dialect("shop"), published.max_urls("shop")), (Dialect::V0_9, 50_000));
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    #[must_use]
    pub fn dialect(&self, section: &str) -> Dialect {
        self.known.manifest.formats.get(section).unwrap_or_default().dialect
    }

    /// Returns the maximum number of URLs per file of a section. See the example of [`dialect`](Self::dialect). For
    /// sets published by earlier versions, which don't record it, returns 50,000.
    #[must_use]
    pub fn max_urls(&self, section: &str) -> u64 {
        self.known.manifest.formats.get(section).unwrap_or_default().urls
    }

    /// Returns how many pages each of the last updates of a section changed, oldest first, as recorded by
    /// [`ShardCommit::changes`](super::ShardCommit::changes). At most 16 numbers.
    #[must_use]
    pub fn changes(&self, section: &str) -> &[u64] {
        self.known.manifest.changes.of_section(section)
    }

    /// Returns the position up to which a section contains the changes from a source, as recorded by
    /// [`ShardCommit::position`](super::ShardCommit::position). `None` if nothing was recorded, or if the whole section
    /// has been published since without a position.
    #[must_use]
    pub fn position(&self, section: &str, source: &str) -> Option<&str> {
        self.known.manifest.positions.get(section, source)
    }

    /// Returns the file of the [recent section](crate::publish::files::RECENT), if the set has one. The other methods
    /// don't include it.
    #[must_use]
    pub fn recent(&self) -> Option<&PublishedShard> {
        self.recent.as_ref()
    }

    /// Returns the recorded numbers of the recent section. All are 0 if the set has none.
    #[must_use]
    pub fn recent_counts(&self) -> RecentCounts {
        self.known.manifest.recent
    }

    /// Returns the base URL of the set's site, if the manifest contains it.
    pub(super) fn base(&self) -> Option<&str> {
        self.known.manifest.base.as_deref()
    }

    pub(super) fn positions(&self) -> &Positions {
        &self.known.manifest.positions
    }

    pub(super) fn known(&self) -> &Arc<KnownManifest> {
        &self.known
    }

    /// Returns all files that contain pages, in the order of the index.
    #[must_use]
    pub fn rows(&self) -> &[PublishedShard] {
        &self.rows
    }

    /// Returns the shards of a hash bucket, in the order of the index.
    #[must_use]
    pub fn bucket(&self, section: &str, bucket: u32) -> Vec<&PublishedShard> {
        let key = |&(bucket, at): &(u32, usize)| (bucket, &*self.rows[at].section);
        let first = self.by_bucket.partition_point(|place| key(place) < (bucket, section));
        let of_bucket = self.by_bucket[first..].iter().take_while(|place| key(place) == (bucket, section));
        of_bucket.map(|&(_, at)| &self.rows[at]).collect()
    }

    /// Returns all files of a section that contain pages, in the order of the index.
    #[must_use]
    pub fn section(&self, section: &str) -> Vec<&PublishedShard> {
        self.rows.iter().filter(|row| *row.section == *section).collect()
    }
}

impl PublishedShard {
    fn new(row: &Row) -> Self {
        let bucket = names::bucket_of_shard(&row.name).zip(row.buckets);
        Self {
            section: row.section.clone().unwrap_or_else(|| row.section().unwrap_or_default().into()),
            bucket,
            urls: row.entries,
            bytes: row.bytes,
            stored: row.metadata.len,
            digest: row.digest,
            newest: row.newest,
            by_url: row.by_url,
            source: row.source.map(SourceDigest),
            name: Arc::clone(&row.name),
        }
    }

    /// Returns the file name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the section.
    #[must_use]
    pub fn section(&self) -> &str {
        &self.section
    }

    pub(super) fn own_digest(&self) -> Digest {
        self.digest
    }

    /// Returns the hash bucket, or `None` if the file was published without hash buckets.
    #[must_use]
    pub fn bucket(&self) -> Option<u32> {
        self.bucket.map(|(bucket, _)| bucket)
    }

    /// Returns the number of hash buckets of the section, or `None` if the file was published without hash buckets.
    #[must_use]
    pub fn buckets(&self) -> Option<u32> {
        self.bucket.map(|(_, buckets)| buckets)
    }

    /// Returns `true` if all pages of the file are known to be in the hash bucket that [`bucket_of`](super::bucket_of)
    /// computes from their URL. If so for all files of a section, a URL can only be in its own bucket.
    #[must_use]
    pub fn is_by_url(&self) -> bool {
        self.by_url
    }

    /// Returns the digest of the rows that the shard's hash bucket was written from, as set by
    /// [`ShardRow::with_source`](super::ShardRow::with_source). `None` if the row was committed without a digest, or if
    /// an update has rewritten the bucket since.
    #[must_use]
    pub fn source(&self) -> Option<SourceDigest> {
        self.source
    }

    /// Returns the newest `lastmod` of the pages in the file, or `None` if no page has one.
    #[must_use]
    pub fn newest(&self) -> Option<LastMod> {
        self.newest
    }

    /// Returns the number of URLs in the file.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// Returns the stored size in bytes, after compression.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        self.stored
    }

    /// Returns the [digest](crate::publish::files::content_digest) of the stored bytes.
    #[must_use]
    pub fn digest(&self) -> String {
        self.digest.to_string()
    }
}
