//! How many buckets are worked on at once, because an object store takes tens of milliseconds for each request.

/// How many buckets are read and written at once, unless the caller sets another number. Object stores and disks handle this
/// many requests in about the time of one.
pub(crate) const DEFAULT: usize = 16;

/// About how many pages of buckets are in memory at once, so that large buckets are not all there.
const PAGES: u64 = 200_000;

/// Returns the number of buckets to work on at once.
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
