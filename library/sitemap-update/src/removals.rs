//! Counts the published pages that a full publication removes.

use std::collections::HashSet;

use sitemap_core::Storage;
use sitemap_core::publish::shards::{PublishedShards, ShardRow};
use sitemap_core::publish::{AllowShrink, SetOptions, ShrinkLimit};

use crate::applied::Counts;
use crate::bucket::Pages;
use crate::error::UpdateError;
use crate::merge;
use crate::place::Place;

/// The published set, and whether to count the pages that are removed from it.
pub(crate) struct Removals<'p> {
    published: &'p PublishedShards,
    limit: ShrinkLimit,
    allow: Option<AllowShrink>,
    counts: bool,
}

/// A published section with the same number of hash buckets as the new one.
pub(crate) struct OldSection<'p> {
    published: &'p PublishedShards,
    section: String,
}

impl<'p> Removals<'p> {
    pub(crate) fn new(
        published: &'p PublishedShards,
        limit: ShrinkLimit,
        allow: Option<AllowShrink>,
    ) -> Self {
        // A run that may shrink the set may also remove pages, so there is nothing to count.
        Self { published, limit, allow, counts: limit != ShrinkLimit::OFF && allow.is_none() }
    }

    /// Returns the published sections that are missing from the new set. Each comes with its number of published pages,
    /// and with 0 as the number of pages afterwards.
    pub(crate) fn of_missing<'s>(
        &self,
        builder: &SetOptions,
        new: impl Iterator<Item = &'s str>,
    ) -> Vec<(String, u64, u64)> {
        if !self.counts || builder.keeps_sections() {
            return Vec::new();
        }
        let new: HashSet<&str> = new.collect();
        let missing = self.published.sections().into_iter().filter(|section| !new.contains(section));
        let pages = |section| self.published.section(section).iter().map(|file| file.urls()).sum();
        missing.map(|section| (section.to_owned(), pages(section), 0)).collect()
    }

    /// Returns the published section. Returns `None` if it does not exist, or if this run does not count removed pages.
    pub(crate) fn of_section(
        &self,
        section: &str,
        buckets: u32,
    ) -> Result<Option<OldSection<'p>>, UpdateError> {
        if !self.counts || self.published.section(section).is_empty() {
            return Ok(None);
        }
        match self.published.buckets(section) {
            Some(found) if found == buckets => {
                Ok(Some(OldSection { published: self.published, section: section.to_owned() }))
            }
            found => Err(UpdateError::CannotCount { section: section.to_owned(), buckets: found }),
        }
    }

    /// Refuses a run that removes too many pages. `sections` contains the number of removed pages and of new pages.
    pub(crate) fn check(&self, sections: &[(String, u64, u64)]) -> Result<(), UpdateError> {
        if !self.counts {
            return Ok(());
        }
        let sections = sections.iter().map(|(section, removed, after)| (section.as_str(), *removed, *after));
        let published = self.published.sections();
        // The names must live as long as the published set.
        let known = sections.filter_map(|(section, removed, after)| {
            Some((*published.iter().find(|known| **known == section)?, removed, after))
        });
        Ok(self.published.check_removed(self.limit, known.collect::<Vec<_>>(), self.allow)?)
    }
}

impl OldSection<'_> {
    /// Counts the bucket's published pages that the new bucket no longer contains. Reads nothing if the files are the
    /// same.
    pub(crate) fn count(
        &self,
        storage: &dyn Storage,
        place: &Place<'_>,
        pages: &Pages,
        rows: &[ShardRow],
        counts: &mut Counts,
    ) -> Result<(), UpdateError> {
        let old = self.published.bucket(place.section, place.bucket);
        if old.iter().map(|file| file.name()).eq(rows.iter().map(ShardRow::name)) {
            return Ok(());
        }
        let mut reads = Counts::default();
        let old = merge::read(storage, self.published, place, &mut reads)?;
        counts.removed += old.iter().filter(|page| !pages.contains_key(page.loc().as_str())).count() as u64;
        counts.files_read += reads.files_read;
        counts.bytes_read += reads.bytes_read;
        Ok(())
    }

    /// Returns the number of published pages in buckets that are now empty.
    pub(crate) fn in_emptied_buckets(&self, rows: &[ShardRow]) -> u64 {
        let new: HashSet<u32> = rows.iter().filter_map(ShardRow::bucket).collect();
        let files = self.published.section(&self.section);
        let is_empty = |bucket: Option<u32>| bucket.is_some_and(|bucket| !new.contains(&bucket));
        files.iter().filter(|file| is_empty(file.bucket())).map(|file| file.urls()).sum()
    }
}
