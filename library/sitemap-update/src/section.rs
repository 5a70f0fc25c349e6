//! The part of an update that changes one section.

use std::collections::BTreeMap;
use std::sync::Arc;

use sitemap_core::publish::SetOptions;
use sitemap_core::publish::shards::{PublishedShard, PublishedShards, ShardRow, bucket_of};
use sitemap_core::{Storage, threads};

use crate::applied::Counts;
use crate::bucket;
use crate::error::UpdateError;
use crate::merge::{self, Effective, MOST_UNKNOWN, Merged, OfPage};
use crate::parallel;
use crate::place::Place;

/// A section's changes, by hash bucket.
#[derive(Debug)]
pub(crate) struct SectionChanges<'u> {
    first: Place<'u>,
    of_buckets: BTreeMap<u32, Vec<OfPage<'u>>>,
}

/// The buckets of a section that an update wrote.
#[derive(Debug)]
pub(crate) struct WrittenSection<'u> {
    pub(crate) name: &'u str,
    /// The buckets whose files change.
    pub(crate) replaced: Vec<u32>,
    /// The buckets that were read but did not change.
    pub(crate) unchanged: Vec<u32>,
    pub(crate) rows: Vec<ShardRow>,
    /// The changes that had an effect.
    pub(crate) effective: Effective<'u>,
    pub(crate) first: Place<'u>,
    /// The number of pages that were added, changed or removed.
    pub(crate) changes: u64,
    /// The first URLs that were to be removed although the set did not list them.
    pub(crate) unknown: Vec<String>,
}

/// How many pages a section's changes remove.
#[derive(Debug)]
pub(crate) struct Losses {
    pub(crate) removed: u64,
    /// The number of pages in the section after the changes.
    pub(crate) after: u64,
    /// How many removals name a page that the set does not list, and the first of their URLs.
    pub(crate) unknown: (u64, Vec<String>),
}

impl<'u> SectionChanges<'u> {
    /// Assigns changes to the buckets of a section. `first` is the section's first bucket.
    pub(crate) fn new(first: Place<'u>, changes: Vec<OfPage<'u>>) -> Self {
        let mut of_buckets: BTreeMap<u32, Vec<OfPage<'_>>> = BTreeMap::new();
        for change in changes {
            of_buckets.entry(bucket_of(change.0, first.buckets)).or_default().push(change);
        }
        Self { first, of_buckets }
    }

    pub(crate) fn name(&self) -> &'u str {
        self.first.section
    }

    /// Returns the minimum number of pages in the section after the changes, assuming that every removal has an effect.
    pub(crate) fn least_pages(&self, published: &PublishedShards) -> u64 {
        urls(&published.section(self.first.section)).saturating_sub(self.most_removed())
    }

    /// Returns the maximum number of pages that the changes can remove.
    pub(crate) fn pages(&self) -> u64 {
        self.of_buckets.values().map(Vec::len).sum::<usize>() as u64
    }

    pub(crate) fn most_removed(&self) -> u64 {
        self.of_buckets.values().flatten().filter(|(_, change)| change.is_none()).count() as u64
    }

    /// Reads the buckets, and returns how many pages the changes remove.
    pub(crate) fn count_pages(
        &self,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        at_once: usize,
        reads: &mut Counts,
    ) -> Result<Losses, UpdateError> {
        let of_buckets = self.map(published, at_once, |place, changes| {
            let (mut reads, mut counts) = (Counts::default(), Counts::default());
            let pages = merge::read(storage, published, &place, &mut reads)?;
            let Merged { pages, unknown, .. } = merge::merge(pages, changes, &mut counts);
            let before = urls(&published.bucket(place.section, place.bucket));
            Ok((counts, before, pages.len() as u64, reads, unknown))
        })?;
        let after = urls(&published.section(self.first.section));
        let mut losses = Losses { removed: 0, after, unknown: (0, Vec::new()) };
        for (counts, before, after, of_reads, unknown) in of_buckets {
            losses.removed += counts.removed;
            losses.after = losses.after - before + after;
            losses.unknown.0 += counts.unknown_removals;
            losses.unknown.1.extend(unknown);
            *reads += of_reads;
        }
        losses.unknown.1.truncate(MOST_UNKNOWN);
        Ok(losses)
    }

    /// Merges the changes into their buckets, and writes the buckets whose files change.
    pub(crate) fn write(
        &self,
        builder: &SetOptions,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        at_once: usize,
        counts: &mut Counts,
    ) -> Result<WrittenSection<'u>, UpdateError> {
        let mut written = WrittenSection {
            name: self.first.section,
            replaced: Vec::new(),
            unchanged: Vec::new(),
            rows: Vec::new(),
            effective: Effective::default(),
            first: self.first,
            changes: 0,
            unknown: Vec::new(),
        };
        let before = counts.effective();
        let of_buckets = self.map(published, at_once, |place, changes| {
            let mut counts = Counts::default();
            let pages = merge::read(storage, published, &place, &mut counts)?;
            let Merged { pages, effective, unknown } = merge::merge(pages, changes, &mut counts);
            if effective.changes.is_empty() {
                return Ok((place.bucket, counts, unknown, None));
            }
            let new = bucket::write_all(builder, storage, &place, pages.iter())?;
            let old = published.bucket(place.section, place.bucket);
            let is_same = old.iter().map(|shard| shard.name()).eq(new.iter().map(ShardRow::name));
            Ok((place.bucket, counts, unknown, (!is_same).then_some((new, effective))))
        })?;
        for (bucket, of_bucket, unknown, replacement) in of_buckets {
            *counts += of_bucket;
            written.unknown.extend(unknown);
            let Some((rows, effective)) = replacement else {
                written.unchanged.push(bucket);
                continue;
            };
            written.replaced.push(bucket);
            written.effective.changes.extend(effective.changes);
            written.effective.feed.extend(effective.feed);
            written.rows.extend(rows);
        }
        written.unknown.truncate(MOST_UNKNOWN);
        written.changes = counts.effective() - before;
        Ok(written)
    }

    /// Calls a function for each changed bucket, several at once. Returns the results in bucket order.
    fn map<R: Send>(
        &self,
        published: &PublishedShards,
        at_once: usize,
        work: impl Fn(Place<'u>, &[OfPage<'u>]) -> Result<R, UpdateError> + Sync,
    ) -> Result<Vec<R>, UpdateError> {
        let pages = urls(&published.section(self.first.section));
        let at_once = parallel::of_buckets(at_once, pages, self.first.buckets);
        threads::map(at_once, &self.of_buckets, |(&bucket, changes)| {
            work(Place { bucket, ..self.first }, changes)
        })
    }
}

fn urls(shards: &[&PublishedShard]) -> u64 {
    shards.iter().map(|shard| shard.urls()).sum()
}
