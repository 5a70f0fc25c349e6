//! The number of hash buckets that makes updates of a set cheap.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use sitemap_core::publish::{MANIFEST, PublishedShards};
use sitemap_core::{Directory, Site};
use sitemap_update::advised_buckets;

use crate::number::{counted, grouped};

/// The assumed number of changes in an update of a set that was never updated, as a share of its pages.
const PAGES_PER_CHANGE: u64 = 1_000;

/// The advice for one section.
#[derive(Debug)]
pub(crate) struct Advice {
    pub(crate) section: String,
    pub(crate) buckets: u32,
    pub(crate) reason: String,
}

/// Returns the advice for each section of a target. `sections` are the sections of a target without a manifest, with
/// the numbers of their pages.
pub(crate) fn of<'s>(target: &str, sections: impl Iterator<Item = (&'s str, u64)>) -> Vec<Advice> {
    let Some(published) = published(target) else {
        return sections.map(|(section, pages)| advice(section, pages, None, &[])).collect();
    };
    let of_section = |section: &str| {
        let pages = published.section(section).iter().map(|file| file.urls()).sum();
        advice(section, pages, published.buckets(section), published.changes(section))
    };
    published.sections().into_iter().map(of_section).collect()
}

fn advice(section: &str, pages: u64, now: Option<u32>, history: &[u64]) -> Advice {
    let (changes, source) = match median(history) {
        Some(changes) => {
            (changes, format!("the median of the last {}", counted(history.len() as u64, "update")))
        }
        None => (pages.div_ceil(PAGES_PER_CHANGE), "an assumption: 0.1 % of the pages".to_owned()),
    };
    let now = now.map_or_else(String::new, |now| format!("; now {}", grouped(now.into())));
    let reason = format!("for {} in an update ({source}){now}", counted(changes, "change"));
    Advice { section: section.to_owned(), buckets: advised_buckets(pages, changes), reason }
}

/// Returns the median. A mean would follow a single update of most pages, which costs the same with any number of
/// buckets.
fn median(history: &[u64]) -> Option<u64> {
    let mut sorted = history.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// Reads the manifest of a folder, if it has an intact one.
fn published(target: &str) -> Option<PublishedShards> {
    /// The first line of a manifest.
    #[derive(Deserialize)]
    struct Head {
        base: String,
    }

    let folder = Path::new(target);
    let manifest = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let head: Head = serde_json::from_str(manifest.lines().next()?).ok()?;
    let published =
        PublishedShards::read(&Directory::open(folder).ok()?, &Site::new(&head.base).ok()?).ok()?;
    Some(published).filter(|published| !published.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_the_updates_decides() {
        let reason = |pages, now, history: &[u64]| {
            let advice = advice("posts", pages, now, history);
            (advice.buckets, advice.reason)
        };
        assert_eq!(
            reason(10_000_000, Some(400), &[100, 5_000_000, 90]),
            (31_623, "for 100 changes in an update (the median of the last 3 updates); now 400".to_owned())
        );
        assert_eq!(
            reason(1_000_000, None, &[]),
            (31_623, "for 1,000 changes in an update (an assumption: 0.1 % of the pages)".to_owned())
        );
        assert_eq!(
            reason(0, None, &[]),
            (1, "for 0 changes in an update (an assumption: 0.1 % of the pages)".to_owned())
        );
    }
}
