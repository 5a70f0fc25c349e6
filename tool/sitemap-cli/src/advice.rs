//! Recommends a number of hash buckets that keeps updates of a set cheap.

use std::path::Path;

use sitemap_core::publish::shards::PublishedShards;
use sitemap_update::{BucketCosts, advised_buckets};

use crate::manifest;
use crate::number::{counted, grouped};

/// The assumed number of pages for each change in an update, for a set that was never updated.
const PAGES_PER_CHANGE: u64 = 1_000;

#[derive(Debug)]
pub(crate) struct Advice {
    pub(crate) section: String,
    pub(crate) buckets: u32,
    pub(crate) reason: String,
}

/// A section of a target without a manifest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unlisted<'s> {
    pub(crate) section: &'s str,
    pub(crate) pages: u64,
    /// The stored bytes of the section's files.
    pub(crate) stored: u64,
}

/// Returns the advice for each section of a published set. `unlisted` contains the sections of a target without a
/// manifest.
pub(crate) fn of<'s>(
    published: Option<PublishedShards>,
    unlisted: impl Iterator<Item = Unlisted<'s>>,
) -> Vec<Advice> {
    let Some(published) = published else {
        return unlisted
            .map(|Unlisted { section, pages, stored }| {
                advice(section, pages, None, &[], BucketCosts::default().with_entry(per_page(stored, pages)))
            })
            .collect();
    };
    let of_section = |section: &str| {
        let pages = published.section(section).iter().map(|file| file.urls()).sum();
        let costs = BucketCosts::measure(&published, section);
        advice(section, pages, published.buckets(section), published.changes(section), costs)
    };
    published.sections().into_iter().map(of_section).collect()
}

#[expect(clippy::cast_precision_loss, reason = "the output has no decimals")]
fn per_page(stored: u64, pages: u64) -> f64 {
    stored as f64 / pages.max(1) as f64
}

fn advice(section: &str, pages: u64, now: Option<u32>, history: &[u64], costs: BucketCosts) -> Advice {
    let (changes, source) = match median(history) {
        Some(changes) => {
            (changes, format!("the median of the last {}", counted(history.len() as u64, "update")))
        }
        None => (pages.div_ceil(PAGES_PER_CHANGE), "an assumption: 0.1 % of the pages".to_owned()),
    };
    let now = now.map_or_else(String::new, |now| format!("; now {}", grouped(now.into())));
    let reason = format!(
        "for {} in an update ({source}), {:.0} bytes an entry and about {:.0} a bucket{now}",
        counted(changes, "change"),
        costs.entry(),
        // Rounded, because the manifest's rows contain times, which differ between two publications of the same set.
        (costs.bucket() / 10.0).round() * 10.0
    );
    Advice { section: section.to_owned(), buckets: advised_buckets(pages, changes, costs), reason }
}

/// Returns the median. A single update of most pages would distort a mean, and such an update costs the same with any
/// number of buckets.
fn median(history: &[u64]) -> Option<u64> {
    let mut sorted = history.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// Reads the manifest of a folder. Returns `None` if the manifest is missing, damaged or empty.
pub(crate) fn published(target: &str) -> Option<PublishedShards> {
    manifest::read(Path::new(target)).ok()?.filter(|published| !published.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_the_updates_decides() {
        let reason = |pages, now, history: &[u64]| {
            let advice = advice("posts", pages, now, history, BucketCosts::default());
            (advice.buckets, advice.reason)
        };
        let costs = "13 bytes an entry and about 250 a bucket";
        assert_eq!(
            reason(10_000_000, Some(400), &[100, 5_000_000, 90]),
            (
                4_581,
                format!("for 100 changes in an update (the median of the last 3 updates), {costs}; now 400")
            )
        );
        assert_eq!(
            reason(1_000_000, None, &[]),
            (4_139, format!("for 1,000 changes in an update (an assumption: 0.1 % of the pages), {costs}"))
        );
        assert_eq!(
            reason(0, None, &[]),
            (1, format!("for 0 changes in an update (an assumption: 0.1 % of the pages), {costs}"))
        );
    }
}
