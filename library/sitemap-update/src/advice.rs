//! Computes how many hash buckets make updates cheap.
//!
//! With `b` buckets for `n` pages, an update of `c` pages writes about `c` buckets of `n / b` pages each, plus `b` rows
//! in the index and the manifest. If an entry takes `e` bytes and a bucket's rows take `r`, the total is smallest when
//! `b` is near the square root of `n * c * e / r`. The total is nearly flat around its minimum, so we advise the
//! smallest number of buckets that writes at most a tenth more.

use sitemap_core::publish::shards::PublishedShards;

/// The maximum number of files in one index.
const MAX: u64 = 50_000;

/// The maximum average number of pages per bucket. The standard deviation is 219, so hardly any bucket exceeds the
/// 50,000 pages of one file.
const FULL: u64 = 48_000;

/// How many bytes an update may write, as a multiple of the minimum.
const TOLERANCE: f64 = 1.1;

/// The byte counts that decide how much an update writes.
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_core::publish::shards::PublishedShards;
/// use sitemap_update::{BucketCosts, Build};
///
/// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
/// let mut build = Build::new(SitemapSet::builder(site.clone()).gzip(), 100, Memory::new());
/// for id in 0..10_000 {
///     build.add("posts", Entry::new(Loc::parse(format!("https://example.com/posts/{id}"))?))?;
/// }
/// build.run(storage.clone())?;
/// let published = PublishedShards::read(&storage, &site)?;
/// let costs = BucketCosts::measure(&published, "posts");
/// assert!((2.0..10.0).contains(&costs.entry()), "{costs:?}");
/// assert!((180.0..280.0).contains(&costs.bucket()), "{costs:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucketCosts {
    entry: f64,
    bucket: f64,
}

impl BucketCosts {
    /// Creates the costs from the number of stored bytes per entry and the number per bucket.
    ///
    /// An entry takes about 13 bytes in a compressed file, and about 100 in an uncompressed one. The cost of a bucket
    /// does not depend on its pages: it is one row in the index, which is not compressed, and one in the manifest.
    ///
    /// ```
    /// use sitemap_update::{BucketCosts, advised_buckets};
    ///
    /// let costs = BucketCosts::new(100.0, 250.0);
    /// assert_eq!(advised_buckets(10_000_000, 100, costs), 12_789);
    /// ```
    #[must_use]
    pub fn new(entry: f64, bucket: f64) -> Self {
        Self { entry, bucket }
    }

    /// Measures a section of a published set: the stored bytes per entry and, if the section has hash buckets, the
    /// bytes per file in the index and the manifest. Without hash buckets, the cost of a bucket is the
    /// [default](Self::default).
    #[must_use]
    pub fn measure(published: &PublishedShards, section: &str) -> Self {
        let files = published.section(section);
        let stored = files.iter().map(|file| file.stored_bytes()).sum();
        let pages = files.iter().map(|file| file.urls()).sum();
        let default = Self::default();
        let bytes = published.index_bytes() + published.row_bytes() * published.files();
        let bucket = published.buckets(section).and_then(|_| ratio(bytes, published.files()));
        Self {
            entry: ratio(stored, pages).unwrap_or(default.entry),
            bucket: bucket.unwrap_or(default.bucket),
        }
    }

    /// Returns the same costs with a different number of stored bytes per entry.
    ///
    /// ```
    /// use sitemap_update::BucketCosts;
    ///
    /// assert_eq!(BucketCosts::default().with_entry(100.0), BucketCosts::new(100.0, 250.0));
    /// ```
    #[must_use]
    pub fn with_entry(self, entry: f64) -> Self {
        Self { entry, ..self }
    }

    /// Returns the number of stored bytes per entry.
    #[must_use]
    pub fn entry(&self) -> f64 {
        self.entry
    }

    /// Returns the number of bytes that every update writes per bucket, whether the bucket changed or not.
    #[must_use]
    pub fn bucket(&self) -> f64 {
        self.bucket
    }

    /// Returns the number of bytes that an update writes if its changes fall into random buckets: the changed buckets,
    /// the index and the manifest. The feed and the journal are not included, because they don't depend on the number
    /// of buckets.
    ///
    /// ```
    /// use sitemap_update::BucketCosts;
    ///
    /// let written = BucketCosts::default().written(10_000_000, 100, 4_322);
    /// assert_eq!(written.round(), 4_053_836.0);
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
    /// Returns the costs of a compressed set: 13 bytes per entry, and 250 per bucket (140 in the index and 110 in the
    /// manifest).
    fn default() -> Self {
        Self { entry: 13.0, bucket: 250.0 }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate needs fewer digits than the cast keeps")]
fn ratio(bytes: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| bytes as f64 / count as f64)
}

/// Returns the smallest number of hash buckets for which an update writes at most a tenth more
/// [bytes](BucketCosts::written) than for the best number. The result is at most 50,000.
///
/// More buckets make the changed files smaller, but the index and the manifest longer. If few pages change, the total
/// is smallest near the square root of `pages * changes * costs.entry() / costs.bucket()`, and hardly grows between two
/// thirds and one and a half times that number. Every file also has a cost in a full publication and on an object
/// store, so this function picks the low end.
///
/// If the changes touch nearly all buckets anyway, the result is the smallest number that keeps buckets at 48,000 pages
/// or less on average, so that each fits into one file.
///
/// ```
/// use sitemap_update::{BucketCosts, advised_buckets};
///
/// let costs = BucketCosts::default();
/// assert_eq!(advised_buckets(10_000_000, 100, costs), 4_581);
/// assert_eq!(advised_buckets(10_000_000, 10_000, costs), 37_793);
/// assert_eq!(advised_buckets(10_000_000, 1_000_000, costs), 209);
/// assert_eq!(advised_buckets(1_000, 1, costs), 5);
/// assert_eq!(advised_buckets(0, 0, costs), 1);
/// ```
#[must_use]
pub fn advised_buckets(pages: u64, changes: u64, costs: BucketCosts) -> u32 {
    let fewest = pages.div_ceil(FULL).clamp(1, MAX);
    let numbers = (fewest..=MAX).filter_map(|buckets| u32::try_from(buckets).ok());
    // The function has two minima, so we try all 50,000 numbers. That takes about a millisecond.
    let written: Vec<_> =
        numbers.map(|buckets| (buckets, costs.written(pages, changes.max(1), buckets))).collect();
    let least = written.iter().map(|(_, bytes)| *bytes).min_by(f64::total_cmp).unwrap_or_default();
    let enough = written.into_iter().find(|(_, bytes)| *bytes <= least * TOLERANCE);
    enough.map_or(1, |(buckets, _)| buckets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bucket_less_would_write_more_than_a_tenth_too_much() {
        for (pages, changes) in
            [(1_000, 1), (1_000_000, 100), (10_000_000, 1), (10_000_000, 100), (40_000_000, 10_000)]
        {
            for costs in
                [BucketCosts::default(), BucketCosts::new(100.0, 250.0), BucketCosts::new(5.0, 220.0)]
            {
                let written = |buckets| costs.written(pages, changes, buckets);
                let least = (1..=50_000).map(written).fold(f64::INFINITY, f64::min);
                let advised = advised_buckets(pages, changes, costs);
                assert!(written(advised) <= least * 1.1, "{pages} {changes} {costs:?}");
                assert!(written(advised - 1) > least * 1.1, "{pages} {changes} {costs:?}");
            }
        }
    }

    #[test]
    fn few_large_files_are_enough_if_many_pages_change() {
        let advised = |changes| advised_buckets(10_000_000, changes, BucketCosts::default());
        // With 50,000 buckets, 50,000 changes write 73 % as many bytes as with 209 buckets, and 100,000 changes write
        // 96 %.
        assert_eq!([1, 50_000, 100_000, 10_000_000].map(advised), [463, 38_507, 209, 209]);
    }
}
