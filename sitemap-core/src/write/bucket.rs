//! Hash buckets of URLs.

/// The hash bucket that a document's pages should be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashBucket {
    pub(crate) number: u32,
    pub(crate) buckets: u32,
}

impl HashBucket {
    #[inline]
    pub(super) fn has(self, loc: &str) -> bool {
        bucket_of(loc, self.buckets) == self.number
    }
}

/// Returns the hash bucket of a URL: the CRC-32 of its UTF-8 bytes, modulo the number of buckets. Returns 0 if there
/// are 0 buckets.
///
/// gzip, Spark SQL's `crc32` and Python's `zlib.crc32` use the same CRC-32. `loc` is the URL as the sitemap lists it, as
/// [`Site::resolve`](crate::Site::resolve) returns it, so each page has one bucket, however a data source spells its URL.
/// A URL has the same bucket in every release.
///
/// ```
/// use sitemap_core::publish::shards::bucket_of;
///
/// assert_eq!(bucket_of("https://example.com/a", 100), 46);
/// ```
#[must_use]
pub fn bucket_of(loc: &str, buckets: u32) -> u32 {
    crc32fast::hash(loc.as_bytes()).checked_rem(buckets).unwrap_or_default()
}
