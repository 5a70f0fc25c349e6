//! Merges changes into a bucket's pages.

use std::mem;

use sitemap_core::publish::feed::FeedChange;
use sitemap_core::publish::shards::{PublishedShards, bucket_of};
use sitemap_core::{Entry, Storage};

use crate::applied::Counts;
use crate::error::UpdateError;
use crate::file;
use crate::place::Place;

/// A page's URL and its new entry, or `None` if the page is gone.
pub(crate) type OfPage<'c> = (&'c String, &'c Option<Entry<'static>>);

/// Reads a bucket's pages, and returns them sorted by URL. If a page is listed twice, the last entry wins.
pub(crate) fn read(
    storage: &dyn Storage,
    published: &PublishedShards,
    place: &Place<'_>,
    counts: &mut Counts,
) -> Result<Vec<Entry<'static>>, UpdateError> {
    let mut pages: Vec<Entry<'static>> = Vec::new();
    for shard in published.bucket(place.section, place.bucket) {
        file::visit(storage, shard, counts, |entry| {
            let loc = entry.loc().as_str();
            if bucket_of(loc, place.buckets) != place.bucket {
                return Err(UpdateError::OtherBucket { loc: loc.to_owned(), name: shard.name().to_owned() });
            }
            pages.push(entry);
            Ok(())
        })?;
    }
    // Files that an update wrote are already sorted.
    if !pages.is_sorted_by(|one, next| one.loc().as_str() < next.loc().as_str()) {
        let all = pages.len();
        pages.sort_by(|one, other| one.loc().as_str().cmp(other.loc().as_str()));
        pages.dedup_by(|next, kept| {
            let is_repeated = next.loc() == kept.loc();
            if is_repeated {
                mem::swap(next, kept);
            }
            is_repeated
        });
        counts.duplicates += (all - pages.len()) as u64;
    }
    Ok(pages)
}

/// The changes that had an effect.
#[derive(Debug, Default)]
pub(crate) struct Effective<'c> {
    pub(crate) changes: Vec<OfPage<'c>>,
    /// The same changes, in the form that the feed needs.
    pub(crate) feed: Vec<FeedChange>,
}

/// The maximum number of unknown removals whose URLs are reported.
pub(crate) const MOST_UNKNOWN: usize = 20;

/// A bucket's pages after the changes.
#[derive(Debug)]
pub(crate) struct Merged<'c> {
    pub(crate) pages: Vec<Entry<'static>>,
    pub(crate) effective: Effective<'c>,
    /// The first URLs that were to be removed although the set did not list them.
    pub(crate) unknown: Vec<String>,
}

/// Merges changes into pages. Both must be sorted by URL.
pub(crate) fn merge<'c>(
    pages: Vec<Entry<'static>>,
    changes: &[OfPage<'c>],
    counts: &mut Counts,
) -> Merged<'c> {
    let mut unknown = Vec::new();
    let mut merged = Vec::with_capacity(pages.len() + changes.len());
    let mut effective = Effective::default();
    let mut pages = pages.into_iter().peekable();
    for (loc, change) in changes {
        while let Some(page) = pages.next_if(|page| page.loc().as_str() < loc.as_str()) {
            merged.push(page);
        }
        let old = pages.next_if(|page| page.loc().as_str() == loc.as_str());
        match (old, change) {
            (Some(old), Some(new)) if old == *new => {
                counts.unchanged += 1;
                merged.push(old);
            }
            (old, Some(new)) => {
                *if old.is_some() { &mut counts.changed } else { &mut counts.added } += 1;
                effective.changes.push((loc, change));
                effective.feed.push(FeedChange::Upsert(new.loc().clone(), new.lastmod()));
                merged.push(new.clone());
            }
            (Some(old), None) => {
                counts.removed += 1;
                effective.changes.push((loc, change));
                effective.feed.push(FeedChange::Remove(old.loc().clone()));
            }
            (None, None) => {
                counts.unknown_removals += 1;
                if unknown.len() < MOST_UNKNOWN {
                    unknown.push((*loc).clone());
                }
            }
        }
    }
    merged.extend(pages);
    Merged { pages: merged, effective, unknown }
}
