//! Merges changes into the pages of a bucket.

use sitemap_core::publish::{FeedChange, PublishedShards, bucket_of};
use sitemap_core::{Entry, Storage};

use crate::applied::Counts;
use crate::bucket::Pages;
use crate::error::UpdateError;
use crate::file;
use crate::place::Place;

/// A page's URL and its new entry, or `None` if the page is gone.
pub(crate) type OfPage<'c> = (&'c String, &'c Option<Entry<'static>>);

/// Reads the pages of a bucket.
pub(crate) fn read(
    storage: &dyn Storage,
    published: &PublishedShards,
    place: &Place<'_>,
    counts: &mut Counts,
) -> Result<Pages, UpdateError> {
    let (mut pages, mut duplicates) = (Pages::new(), 0);
    for shard in published.bucket(place.section, place.bucket) {
        file::visit(storage, shard, counts, |entry| {
            let loc = entry.loc().to_string();
            if bucket_of(&loc, place.buckets) != place.bucket {
                return Err(UpdateError::OtherBucket { loc, name: shard.name().to_owned() });
            }
            duplicates += u64::from(pages.insert(loc, entry).is_some());
            Ok(())
        })?;
    }
    counts.duplicates += duplicates;
    Ok(pages)
}

/// Merges the changes into the pages. Returns the changes that had an effect.
pub(crate) fn merge(pages: &mut Pages, changes: &[OfPage<'_>], counts: &mut Counts) -> Vec<FeedChange> {
    let mut effective = Vec::new();
    for (loc, change) in changes {
        let count = match change {
            Some(entry) if pages.get(*loc) == Some(entry) => {
                counts.unchanged += 1;
                continue;
            }
            Some(entry) => {
                effective.push(FeedChange::Upsert(entry.loc().clone(), entry.lastmod()));
                match pages.insert((*loc).clone(), entry.clone()) {
                    Some(_) => &mut counts.changed,
                    None => &mut counts.added,
                }
            }
            None => {
                let Some(removed) = pages.remove(*loc) else {
                    counts.unknown_removals += 1;
                    continue;
                };
                effective.push(FeedChange::Remove(removed.loc().clone()));
                &mut counts.removed
            }
        };
        *count += 1;
    }
    effective
}
