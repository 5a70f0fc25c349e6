//! The number of hash buckets that makes updates cheap.

/// The largest number of files that one index may list.
const MAX: u64 = 50_000;

/// Returns the number of hash buckets that makes updates cheap: the square root of the number of pages times the number
/// of changes in an update, at least 1 and at most 50,000.
///
/// An update of `c` pages writes about `c` buckets, each with `pages / buckets` entries, and an index with an entry for
/// each bucket. `c * pages / buckets + buckets` is smallest at the square root of `pages * c`.
///
/// ```
/// use sitemap_update::advised_buckets;
///
/// assert_eq!(advised_buckets(10_000_000, 100), 31_623);
/// assert_eq!(advised_buckets(1_000, 1), 32);
/// assert_eq!(advised_buckets(40_000_000, 10_000), 50_000);
/// assert_eq!(advised_buckets(0, 0), 1);
/// ```
#[must_use]
pub fn advised_buckets(pages: u64, changes: u64) -> u32 {
    // Above the limit, the exact product does not matter.
    let product = pages.saturating_mul(changes.max(1));
    let root = product.isqrt();
    // Rounds to the nearest number.
    let rounded = root + u64::from(product - root * root > root);
    u32::try_from(rounded.clamp(1, MAX)).unwrap_or(1)
}
