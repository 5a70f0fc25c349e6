//! The number of hash buckets that makes updates cheap.

use sitemap_core::publish::PublishedShards;

/// The largest number of files that one index may list, and of entries that one file may have.
const MAX: u64 = 50_000;

/// The bytes that decide how much an update writes.
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Publisher, Site};
/// use sitemap_core::publish::PublishedShards;
/// use sitemap_update::{BucketCosts, Build};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut build = Build::new(Publisher::builder(site.clone()).gzip(), 100, Memory::new());
/// for id in 0..10_000 {
///     build.add("posts", Entry::new(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
/// }
/// build.run(storage.clone())?;
/// let published = PublishedShards::read(&storage, &site)?;
/// let costs = BucketCosts::measure(&published, "posts");
/// assert!((2.0..10.0).contains(&costs.entry()), "{costs:?}");
/// assert!((500.0..800.0).contains(&costs.bucket()), "{costs:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucketCosts {
    entry: f64,
    bucket: f64,
}

impl BucketCosts {
    /// Creates costs from the number of stored bytes of an entry and of a bucket.
    ///
    /// An entry of a compressed file has about 13 bytes, and one of a file that is not compressed about 100. What a bucket
    /// costs does not depend on its pages: it is the row of the index, which is not compressed, and the rows of the
    /// manifest and of the journal.
    ///
    /// ```
    /// use sitemap_update::{BucketCosts, advised_buckets};
    ///
    /// let costs = BucketCosts::new(100.0, 680.0);
    /// assert_eq!(advised_buckets(10_000_000, 100, costs), 12_077);
    /// ```
    #[must_use]
    pub fn new(entry: f64, bucket: f64) -> Self {
        Self { entry, bucket }
    }

    /// Measures a section of a published set: the stored bytes of its entries and, if the section has hash buckets, the
    /// bytes of a file in the index, the manifest and the journal. Otherwise, a bucket counts as in
    /// [`default`](Self::default).
    #[must_use]
    pub fn measure(published: &PublishedShards, section: &str) -> Self {
        let files = published.section(section);
        let stored = files.iter().map(|file| file.stored_bytes()).sum();
        let pages = files.iter().map(|file| file.urls()).sum();
        let default = Self::default();
        // The journal has the same rows as the manifest.
        let bytes = published.index_bytes() + 2 * published.row_bytes() * published.files();
        let bucket = published.buckets(section).and_then(|_| ratio(bytes, published.files()));
        Self {
            entry: ratio(stored, pages).unwrap_or(default.entry),
            bucket: bucket.unwrap_or(default.bucket),
        }
    }

    /// Returns the same costs with another number of stored bytes of an entry.
    ///
    /// ```
    /// use sitemap_update::BucketCosts;
    ///
    /// assert_eq!(BucketCosts::default().with_entry(100.0), BucketCosts::new(100.0, 680.0));
    /// ```
    #[must_use]
    pub fn with_entry(self, entry: f64) -> Self {
        Self { entry, ..self }
    }

    /// Returns the number of stored bytes of an entry.
    #[must_use]
    pub fn entry(&self) -> f64 {
        self.entry
    }

    /// Returns the number of bytes that each update writes for each bucket, changed or not.
    #[must_use]
    pub fn bucket(&self) -> f64 {
        self.bucket
    }

    /// Returns the number of bytes that an update writes, if its changes are in random buckets: the changed buckets, the
    /// index, the journal and the manifest. A feed does not count, because it does not depend on the number of buckets.
    ///
    /// ```
    /// use sitemap_update::BucketCosts;
    ///
    /// let written = BucketCosts::default().written(10_000_000, 100, 4_372);
    /// assert_eq!(written.round(), 5_912_680.0);
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an estimate needs fewer digits than the cast keeps")]
    pub fn written(&self, pages: u64, changes: u64, buckets: u32) -> f64 {
        let all = f64::from(buckets);
        let touched = all * (1.0 - (-(changes as f64) / all).exp());
        touched * self.entry * (pages as f64) / all + all * self.bucket
    }
}

impl Default for BucketCosts {
    /// Returns the costs of a compressed set: 13 bytes for an entry, and 680 for a bucket, of which 140 are in the index,
    /// and 270 in each of the manifest and the journal.
    fn default() -> Self {
        Self { entry: 13.0, bucket: 680.0 }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate needs fewer digits than the cast keeps")]
fn ratio(bytes: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| bytes as f64 / count as f64)
}

/// Returns the number of hash buckets with which an update writes the fewest [bytes](BucketCosts::written), at most
/// 50,000.
///
/// With few changes, that is about the square root of `pages * changes * costs.entry() / costs.bucket()`: more buckets
/// make the changed files smaller, and the index and the manifest longer. If so many pages change that a bucket for each
/// of them would cost more than about a third of all entries, writing all pages is cheaper. The number is then the lowest
/// one whose files have at most 50,000 pages on average.
///
/// ```
/// use sitemap_update::{BucketCosts, advised_buckets};
///
/// let costs = BucketCosts::default();
/// assert_eq!(advised_buckets(10_000_000, 100, costs), 4_322);
/// assert_eq!(advised_buckets(10_000_000, 10_000, costs), 38_383);
/// assert_eq!(advised_buckets(10_000_000, 1_000_000, costs), 200);
/// assert_eq!(advised_buckets(1_000, 1, costs), 4);
/// assert_eq!(advised_buckets(0, 0, costs), 1);
/// ```
#[must_use]
pub fn advised_buckets(pages: u64, changes: u64, costs: BucketCosts) -> u32 {
    let fewest = pages.div_ceil(MAX).clamp(1, MAX);
    let numbers = (fewest..=MAX).filter_map(|buckets| u32::try_from(buckets).ok());
    let written = |buckets: &u32| costs.written(pages, changes.max(1), *buckets);
    // The function has two minima, and 50,000 numbers take about a millisecond.
    numbers.min_by(|a, b| written(a).total_cmp(&written(b))).unwrap_or(1)
}
