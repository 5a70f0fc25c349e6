//! The digest of the rows that a hash bucket is written from.

use std::fmt;
use std::str::FromStr;

use twox_hash::XxHash3_128;

use crate::publish::set::Digest;

/// The version of this crate. Another version may produce different bytes from the same rows.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The digest of the rows and settings that a hash bucket was written from. The order of the rows does not matter.
///
/// A program that regenerates a set from a table computes one digest per hash bucket with a [`SourceDigester`], and
/// passes it on [with the rows](super::ShardRow::with_source) of the bucket's shards. The manifest records it. If the
/// next run computes the same digest, it neither sorts nor writes the bucket, but [reuses the published
/// shards](super::PublishedShards::written_from).
///
/// As text, a digest is 32 hexadecimal digits.
///
/// ```
/// use sitemap_core::publish::shards::{SourceDigest, SourceDigester};
///
/// let mut rows = SourceDigester::new();
/// rows.add(b"https://example.com/tea");
/// let digest = rows.finish(b"gzip, 40 buckets");
/// assert_eq!(digest.to_string().parse::<SourceDigest>(), Ok(digest));
/// assert_eq!(digest.to_string().len(), 32);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceDigest(pub(super) Digest);

/// Computes a [`SourceDigest`] row by row.
///
/// The order of the rows doesn't matter, so they needn't be sorted. A row that is added twice counts twice. A digester
/// takes 32 bytes and allocates nothing, so a program can have one for each of thousands of buckets.
///
/// ```
/// use sitemap_core::publish::shards::SourceDigester;
///
/// let digest = |rows: &[&str], settings: &str| {
///     let mut digester = SourceDigester::new();
///     rows.iter().for_each(|row| digester.add(row.as_bytes()));
///     digester.finish(settings.as_bytes())
/// };
/// assert_eq!(digest(&["/tea", "/cups"], "gzip"), digest(&["/cups", "/tea"], "gzip"));
/// assert_ne!(digest(&["/tea", "/cups"], "gzip"), digest(&["/tea", "/cups", "/cups"], "gzip"));
/// assert_ne!(digest(&["/tea", "/cups"], "gzip"), digest(&["/tea", "/cups"], "plain"));
/// ```
///
/// # Security
///
/// The digest is a sum of XXH3-128 values, which is not a cryptographic hash. An attacker who can choose some rows of a
/// bucket and knows the others could add rows that hide a change. The old shards of the bucket, including other
/// people's pages, then stay published until the rows change again. The attacker can't publish anything this way. If
/// that risk is too high, write all buckets and don't call [`with_source`](super::ShardRow::with_source).
#[derive(Clone, Debug, Default)]
pub struct SourceDigester {
    /// The sum of the digests of all rows, which doesn't depend on their order.
    sum: u128,
    rows: u64,
}

impl SourceDigester {
    /// Creates the digester of a bucket without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the bytes of a row. Different rows must have different bytes: if a row has several values, write the length
    /// of each string before the string, and distinguish an empty string from a missing one.
    #[inline]
    pub fn add(&mut self, row: &[u8]) {
        self.sum = self.sum.wrapping_add(XxHash3_128::oneshot(row));
        self.rows += 1;
    }

    /// Returns the digest of the rows, their number, the settings and the version of this crate. See the
    /// [example](Self).
    ///
    /// `settings` are any bytes that differ whenever the same rows would give different shards: include the site, the
    /// number of buckets, the dialect and limits, the compression, and the version of the code that turns a row into an
    /// entry.
    #[must_use]
    pub fn finish(&self, settings: &[u8]) -> SourceDigest {
        self.digest(VERSION, settings)
    }

    fn digest(&self, version: &str, settings: &[u8]) -> SourceDigest {
        let mut bytes = Vec::with_capacity(32 + version.len() + settings.len());
        bytes.extend_from_slice(&self.sum.to_be_bytes());
        bytes.extend_from_slice(&self.rows.to_be_bytes());
        // The length separates the version from the settings, so that different pairs never give the same bytes.
        bytes.extend_from_slice(&(version.len() as u64).to_be_bytes());
        bytes.extend_from_slice(version.as_bytes());
        bytes.extend_from_slice(settings);
        SourceDigest(Digest::of(&bytes))
    }
}

impl fmt::Display for SourceDigest {
    /// Writes 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SourceDigest {
    type Err = SourceDigestError;

    /// Parses the output of `Display`.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not 32 hexadecimal digits in lower case.
    fn from_str(text: &str) -> Result<Self, SourceDigestError> {
        Digest::parse(text).map(Self).ok_or(SourceDigestError(()))
    }
}

/// The error for a string that is not a [`SourceDigest`].
///
/// ```
/// use sitemap_core::publish::shards::SourceDigest;
///
/// let error = "tea".parse::<SourceDigest>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the digest of a source is not 32 hexadecimal digits in lower case; pass on the digest as it was written"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceDigestError(());

impl fmt::Display for SourceDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the digest of a source is not 32 hexadecimal digits in lower case; pass on the digest as it was written",
        )
    }
}

impl std::error::Error for SourceDigestError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&str]) -> SourceDigester {
        let mut digester = SourceDigester::new();
        for row in rows {
            digester.add(row.as_bytes());
        }
        digester
    }

    fn digest(rows: &[&str]) -> SourceDigest {
        of(rows).digest("1.0.0", b"gzip")
    }

    #[test]
    fn a_digest_is_that_of_another_implementation() {
        // Computed with Python's `xxhash` package.
        assert_eq!(digest(&["/tea", "/cups"]).to_string(), "76c9da6f941e9656f23f145416b49e51");
        assert_eq!(of(&[]).digest("1.0.0", b"").to_string(), "425dae5a2878d17ac5f035d5911a0105");
    }

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let (rows, mut other) = (["/a", "/b", "/c", "/d"], ["/a", "/b", "/c", "/d"]);
        for at in 0..3 {
            other.swap(at, 3);
            assert_eq!(digest(&other), digest(&rows), "{other:?}");
        }
    }

    #[test]
    fn every_row_counts_as_often_as_it_comes() {
        let all = ["/a", "/b", "/b"];
        for other in
            [&[][..], &["/a"], &["/a", "/b"], &["/a", "/a", "/b"], &["/a", "/b", "/b", "/b"], &["/a", "/b/b"]]
        {
            assert_ne!(digest(other), digest(&all), "{other:?}");
        }
        // An empty row also counts.
        assert_ne!(digest(&[""]), digest(&[]));
    }

    #[test]
    fn the_number_of_rows_counts_even_if_the_sum_is_the_same() {
        let (mut one, mut two) = (of(&["/a"]), of(&["/a", "/b"]));
        (one.sum, two.sum) = (7, 7);
        assert_ne!(one.digest("1.0.0", b""), two.digest("1.0.0", b""));
    }

    #[test]
    fn the_sum_wraps() {
        let mut digester = of(&[]);
        digester.sum = u128::MAX;
        digester.add(b"/a");
        assert_eq!(digester.sum, of(&["/a"]).sum - 1);
    }

    #[test]
    fn settings_and_version_count() {
        let rows = of(&["/a"]);
        let digest = rows.digest("1.0.0", b"gzip");
        for (version, settings) in
            [("1.0.1", "gzip"), ("1.0.0", "plain"), ("1.0.0", ""), ("1.0.0g", "zip"), ("", "1.0.0gzip")]
        {
            assert_ne!(rows.digest(version, settings.as_bytes()), digest, "{version} {settings}");
        }
        assert_eq!(rows.finish(b"gzip"), rows.digest(env!("CARGO_PKG_VERSION"), b"gzip"));
    }

    #[test]
    fn a_digester_of_many_is_small() {
        assert_eq!(size_of::<SourceDigester>(), 32);
    }

    #[test]
    fn other_texts_are_not_digests() {
        let text = digest(&["/a"]).to_string();
        assert_eq!(text.parse(), Ok(digest(&["/a"])));
        for other in ["", &text[1..], &format!("{text}0"), &text.to_uppercase(), &format!(" {}", &text[1..])]
        {
            assert_eq!(other.parse::<SourceDigest>(), Err(SourceDigestError(())), "{other}");
        }
    }
}
