//! Stable buckets: a section whose records stay in their files as others come and go.

use super::set::Digest;

/// The key that decides which bucket a record belongs to, best its primary key.
///
/// Equal keys belong to the same bucket in every run, on every machine and in every release: bucket `h % n` of `n`,
/// where `h` is the lower 64 bits of the XXH3-128 of the key's bytes; of a number, of its eight bytes, the highest
/// first.
///
/// ```
/// use sitemap_core::publish::BucketKey;
///
/// assert_eq!(BucketKey::from("posts/first"), BucketKey::from(&String::from("posts/first")));
/// assert_ne!(BucketKey::from(1), BucketKey::from(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BucketKey(u64);

impl BucketKey {
    /// Returns the number of the bucket among `buckets`, which is not 0.
    pub(super) fn bucket(self, buckets: usize) -> usize {
        // The remainder is below a `usize`.
        usize::try_from(self.0 % buckets as u64).unwrap_or_default()
    }
}

/// The order of a [`Section`](super::Section) whose files are filled one after the other.
#[derive(Clone, Copy, Debug)]
pub struct InOrder;

/// The order of a [`Section`](super::Section) whose records go to the bucket of their key.
#[derive(Clone, Copy)]
pub struct ByKey<F>(pub(super) F);

/// Decides which bucket of its section a record goes to.
pub trait Routing<R: ?Sized>: sealed::Sealed {
    #[doc(hidden)]
    fn key(&self, record: &R) -> Option<BucketKey>;
}

impl<R: ?Sized> Routing<R> for InOrder {
    #[inline]
    fn key(&self, _: &R) -> Option<BucketKey> {
        None
    }
}

impl<R, F: Fn(&R) -> BucketKey> Routing<R> for ByKey<F> {
    fn key(&self, record: &R) -> Option<BucketKey> {
        Some(self.0(record))
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::InOrder {}
    impl<F> Sealed for super::ByKey<F> {}
}

impl<F> std::fmt::Debug for ByKey<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ByKey").finish_non_exhaustive()
    }
}

impl From<&[u8]> for BucketKey {
    fn from(key: &[u8]) -> Self {
        Self(Digest::of(key).low())
    }
}

impl From<&str> for BucketKey {
    fn from(key: &str) -> Self {
        key.as_bytes().into()
    }
}

impl From<&String> for BucketKey {
    fn from(key: &String) -> Self {
        key.as_bytes().into()
    }
}

impl From<u64> for BucketKey {
    fn from(key: u64) -> Self {
        key.to_be_bytes().as_slice().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_always_has_the_same_bucket() {
        let bucket = |key: BucketKey| key.bucket(256);
        assert_eq!(
            [
                bucket("".into()),
                bucket("a".into()),
                bucket("posts/first".into()),
                bucket(0.into()),
                bucket(1.into())
            ],
            [127, 31, 173, 178, 174]
        );
        assert_eq!(BucketKey::from(1), BucketKey::from([0, 0, 0, 0, 0, 0, 0, 1].as_slice()));
    }
}
