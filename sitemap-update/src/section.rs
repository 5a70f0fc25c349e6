//! The part of an update that changes one section.

use std::collections::BTreeMap;
use std::sync::Arc;

use sitemap_core::Storage;
use sitemap_core::publish::{PublishedShard, PublishedShards, PublisherBuilder, ShardRow, bucket_of};

use crate::applied::Counts;
use crate::bucket;
use crate::error::UpdateError;
use crate::merge::{self, Effective, OfPage};
use crate::place::Place;

/// The changes of a section, by hash bucket.
#[derive(Debug)]
pub(crate) struct SectionChanges<'u> {
    first: Place<'u>,
    of_buckets: BTreeMap<u32, Vec<OfPage<'u>>>,
}

/// The buckets of a section that an update has written.
#[derive(Debug)]
pub(crate) struct WrittenSection<'u> {
    pub(crate) name: &'u str,
    /// The buckets whose files change.
    pub(crate) replaced: Vec<u32>,
    /// The buckets that were read, and whose files stay.
    pub(crate) unchanged: Vec<u32>,
    pub(crate) rows: Vec<ShardRow>,
    /// The changes that had an effect.
    pub(crate) effective: Effective<'u>,
    pub(crate) first: Place<'u>,
    /// The number of pages that were added, changed or removed.
    pub(crate) changes: u64,
}

impl<'u> SectionChanges<'u> {
    /// Sorts changes into the buckets of a section. `first` is its first bucket.
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

    /// Returns the number of pages that the section has at least after the changes: all removals may have an effect.
    pub(crate) fn least_pages(&self, published: &PublishedShards) -> u64 {
        urls(&published.section(self.first.section)).saturating_sub(self.most_removed())
    }

    /// Returns the greatest number of pages that the changes may remove.
    pub(crate) fn most_removed(&self) -> u64 {
        self.of_buckets.values().flatten().filter(|(_, change)| change.is_none()).count() as u64
    }

    /// Reads the buckets, and returns the numbers of removed pages and of those that the section has after the changes.
    pub(crate) fn count_pages(
        &self,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        reads: &mut Counts,
    ) -> Result<(u64, u64), UpdateError> {
        let mut counts = Counts::default();
        let mut after = urls(&published.section(self.first.section));
        for (bucket, changes) in &self.of_buckets {
            let place = Place { bucket: *bucket, ..self.first };
            let pages = merge::read(storage, published, &place, reads)?;
            let (pages, _) = merge::merge(pages, changes, &mut counts);
            after = after - urls(&published.bucket(self.first.section, *bucket)) + pages.len() as u64;
        }
        Ok((counts.removed, after))
    }

    /// Merges the changes into their buckets, and writes the buckets whose files change.
    pub(crate) fn write(
        &self,
        builder: &PublisherBuilder,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
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
        };
        let before = counts.effective();
        for (bucket, changes) in &self.of_buckets {
            let place = Place { bucket: *bucket, ..self.first };
            let pages = merge::read(storage, published, &place, counts)?;
            let (pages, of_bucket) = merge::merge(pages, changes, counts);
            if of_bucket.changes.is_empty() {
                written.unchanged.push(*bucket);
                continue;
            }
            let new = bucket::write_all(builder, storage, &place, pages.iter())?;
            let old = published.bucket(place.section, *bucket);
            if old.iter().map(|shard| shard.name()).eq(new.iter().map(ShardRow::name)) {
                written.unchanged.push(*bucket);
            } else {
                written.replaced.push(*bucket);
                written.effective.changes.extend(of_bucket.changes);
                written.effective.feed.extend(of_bucket.feed);
                written.rows.extend(new);
            }
        }
        written.changes = counts.effective() - before;
        Ok(written)
    }
}

fn urls(shards: &[&PublishedShard]) -> u64 {
    shards.iter().map(|shard| shard.urls()).sum()
}
