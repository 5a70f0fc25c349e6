//! The hash bucket that the pages of a document should be in.

/// A hash bucket, and the function that computes the bucket of a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashBucket {
    pub(crate) number: u32,
    pub(crate) buckets: u32,
    pub(crate) of: fn(&str, u32) -> u32,
}

impl HashBucket {
    #[inline]
    pub(super) fn has(&self, loc: &str) -> bool {
        (self.of)(loc, self.buckets) == self.number
    }
}
