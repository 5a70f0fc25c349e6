//! How many buckets to process at once. An object store takes tens of milliseconds per request, so several buckets are
//! processed in parallel.

/// The default number of buckets that are read and written at once. Object stores and disks handle this many requests
/// in about the time of one.
pub(crate) const DEFAULT: usize = 16;

/// The approximate number of pages in memory at once. If buckets are large, fewer of them are processed in parallel.
const PAGES: u64 = 200_000;

/// Returns how many buckets to process at once.
pub(crate) fn of_buckets(most: usize, pages: u64, buckets: u32) -> usize {
    let of_bucket = (pages / u64::from(buckets.max(1))).max(1);
    usize::try_from(PAGES / of_bucket).unwrap_or(most).clamp(1, most.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_buckets_are_few_at_once() {
        assert_eq!(of_buckets(16, 10_000_000, 30_000), 16);
        assert_eq!(of_buckets(16, 10_000_000, 209), 4);
        assert_eq!(of_buckets(16, 10_000_000, 1), 1);
        assert_eq!(of_buckets(0, 0, 0), 1);
    }
}
