//! What an update must write, according to the model of the advice.

/// A set: its pages, its hash buckets, and the stored bytes of all its files with pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) pages: u64,
    pub(super) buckets: u32,
    pub(super) bytes: u64,
}

impl Model {
    /// Returns the number of hash buckets that the rule gives: the square root of pages times changes, at most 50,000.
    pub(super) fn rule(pages: u64, changes: u64) -> u32 {
        u32::try_from(pages.saturating_mul(changes).isqrt().clamp(1, 50_000)).unwrap_or(1)
    }

    /// Returns the bytes that an update of `changes` pages in random buckets writes: the touched buckets, and one entry of
    /// an index for each bucket. All entries count as equally long.
    #[expect(clippy::cast_precision_loss, reason = "the digits that the cast loses are not printed")]
    pub(super) fn written(self, changes: u64) -> f64 {
        let (buckets, bytes) = (f64::from(self.buckets), self.bytes as f64);
        let touched = buckets * (1.0 - (-(changes as f64) / buckets).exp());
        bytes / buckets * touched + bytes / self.pages as f64 * buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_ten_million_pages() {
        assert_eq!(Model::rule(10_000_000, 100), 31_622);
        assert_eq!(Model::rule(10_000_000, 1_000_000), 50_000);
        let model = Model { pages: 10_000_000, buckets: 31_622, bytes: 10_000_000 };
        // 632 entries for each change.
        assert!((model.written(100) / 100.0 - 632.0).abs() < 1.0);
    }
}
