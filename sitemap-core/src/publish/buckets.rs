//! Hash buckets. A record stays in the files of its bucket when other records are added or removed.

use super::set::Digest;

/// The key that decides which hash bucket a record goes to. If the record has a primary key, use that.
///
/// Equal keys go to the same bucket in every run, on every machine and in every release. With `n` buckets, the bucket
/// is `h % n`, where `h` is the lower 64 bits of the XXH3-128 of the key's bytes. A number is hashed as eight bytes in
/// big-endian order.
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
    /// Returns the index of the key's bucket, counted from 0. There must be at least one bucket.
    pub(super) fn bucket(self, buckets: usize) -> usize {
        // The remainder is less than `buckets`, so it fits into a `usize`.
        usize::try_from(self.0 % buckets as u64).unwrap_or_default()
    }
}

/// The routing of a [`Section`](super::Section) without buckets: it fills its files one after another, in the order in
/// which the records are added.
///
/// ```
/// use sitemap_core::publish::{InOrder, PublishError, Section};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// fn add_pages(section: &mut Section<'_, InOrder>) -> Result<(), PublishError> {
///     section.add_all(["/", "/about"])
/// }
///
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
/// add_pages(&mut run.section("pages")?)?;
/// assert_eq!(run.commit()?.urls(), 2);
/// # Ok::<(), PublishError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InOrder;

/// The routing of a [`Section`](super::Section) that puts each record into the hash bucket of its key. Created by
/// [`Section::in_buckets`](super::Section::in_buckets).
///
/// ```
/// use sitemap_core::publish::{BucketKey, ByKey, PublishError, Section};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// fn add_pages<F>(section: &mut Section<'_, ByKey<F>>) -> Result<(), PublishError>
/// where
///     F: Fn(&&'static str) -> BucketKey,
/// {
///     section.add_all(["/", "/about"])
/// }
///
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
/// add_pages(&mut run.section("pages")?.in_buckets(2, |path: &&str| (*path).into())?)?;
/// assert_eq!(run.commit()?.urls(), 2);
/// # Ok::<(), PublishError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ByKey<F>(pub(super) F);

/// The way a [`Section`](super::Section) chooses the file of a record: [`InOrder`] or [`ByKey`].
///
/// Use this trait as the bound of a function that fills sections of either kind:
///
/// ```
/// use sitemap_core::publish::{PublishError, Routing, Section};
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// fn add_pages<R: Routing<&'static str>>(section: &mut Section<'_, R>) -> Result<(), PublishError> {
///     section.add_all(["/", "/about"])
/// }
///
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
/// add_pages(&mut run.section("one")?)?;
/// add_pages(&mut run.section("two")?.in_buckets(2, |path: &&str| (*path).into())?)?;
/// assert_eq!(run.commit()?.urls(), 4);
/// # Ok::<(), PublishError>(())
/// ```
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
    #[doc(hidden)]
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
