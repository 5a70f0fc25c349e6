//! What an update must write, according to the model of the advice.

use sitemap_update::{BucketCosts, advised_buckets};

/// A set: its pages, its hash buckets, and the stored bytes of all its files with pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) pages: u64,
    pub(super) buckets: u32,
    pub(super) bytes: u64,
}

impl Model {
    /// Returns the number of hash buckets that the rule gives for a compressed set that is not published yet.
    pub(super) fn rule(pages: u64, changes: u64) -> u32 {
        advised_buckets(pages, changes, BucketCosts::default())
    }

    /// Returns the bytes that an update of `changes` pages in random buckets writes: the touched buckets, and the rows of
    /// all buckets, with the assumed length of a row. All entries count as equally long.
    pub(super) fn written(self, changes: u64) -> f64 {
        let entry = self.entry();
        BucketCosts::default().with_entry(entry).written(self.pages, changes, self.buckets)
    }

    /// Returns the bytes that an update would write if all that it writes for a bucket were one row of an index, as long
    /// as an entry.
    pub(super) fn least(self, changes: u64) -> f64 {
        let entry = self.entry();
        BucketCosts::new(entry, entry).written(self.pages, changes, self.buckets)
    }

    #[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
    fn entry(self) -> f64 {
        self.bytes as f64 / self.pages as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_ten_million_pages() {
        assert_eq!(Model::rule(10_000_000, 100), 4_581);
        assert_eq!(Model::rule(10_000_000, 1_000_000), 209);
        let model = Model { pages: 10_000_000, buckets: 31_622, bytes: 10_000_000 };
        // 632 entries for each change.
        assert!((model.least(100) / 100.0 - 632.0).abs() < 1.0);
        assert!((model.written(100) - model.least(100) - 249.0 * 31_622.0).abs() < 1.0);
    }
}
