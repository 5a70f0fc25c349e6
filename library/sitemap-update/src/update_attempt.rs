//! One attempt of an update, on the currently published set.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use sitemap_core::Storage;
use sitemap_core::publish::shards::{PublishedShards, ShardCommit};

use crate::advice::{BucketCosts, advised_buckets};
use crate::applied::{Applied, Converted, Counts};
use crate::commit;
use crate::error::UpdateError;
use crate::merge::{Effective, MOST_UNKNOWN, OfPage};
use crate::on_unknown::OnUnknown;
use crate::place::{self, Place};
use crate::rebucket::Rebucket;
use crate::section::{Losses, SectionChanges};
use crate::update::{Added, Move, Update};

impl Update {
    /// Applies the changes once. Fails if another run commits first.
    /// Adds the sections that it converts to hash buckets to `converted`.
    pub(crate) fn attempt(
        &self,
        storage: &Arc<dyn Storage>,
        converted: &mut Vec<Converted>,
    ) -> Result<Applied, UpdateError> {
        let options = self.set.options();
        let mut published = PublishedShards::read(storage, self.set.site())?;
        self.check_position(&published)?;
        if self.convert(&published, storage, converted)? {
            published = PublishedShards::read(storage, self.set.site())?;
        }
        let sections = self.sections(&published)?;
        let mut counts = Counts::default();
        // An interrupted run may have left a commit that only the next commit completes. If we refused the update now,
        // we would judge it by a set that is about to be replaced. So go on: our commit then finds that the buckets
        // have changed, and the update is restarted.
        let is_interrupted = || commit::is_interrupted(&**storage);
        if let Err(error) = self.check_losses(storage, &published, &sections, &mut counts)
            && !is_interrupted()?
        {
            return Err(error);
        }
        let mut written = Vec::with_capacity(sections.len());
        for section in &sections {
            written.push(section.write(options, storage, &published, self.at_once, &mut counts)?);
        }
        let mut unknown: Vec<String> =
            written.iter_mut().flat_map(|section| mem::take(&mut section.unknown)).collect();
        unknown.truncate(MOST_UNKNOWN);
        let is_unchanged =
            written.iter().all(|section| section.replaced.is_empty()) && self.position.is_none();
        if is_unchanged && (sections.is_empty() || !is_interrupted()?) {
            return Ok(Applied { counts, unknown, ..Applied::default() });
        }
        let mut commit =
            ShardCommit::new(place::of_indexes(options, &published)).allow_shrink(self.allow_shrink);
        let (mut effective, mut rows) = (Effective::default(), Vec::new());
        // Text files contain no dates, so pages of text sections are not repeated.
        let first = written.iter().map(|section| section.first).find(|first| !first.is_text);
        for section in written {
            commit = if published.section(section.name).is_empty() {
                commit.replace_section(&published, section.name)
            } else {
                commit
                    .update(&published, section.name, section.replaced)?
                    .check_unchanged(&published, section.unchanged)?
            };
            if section.changes > 0 || self.position.is_some() {
                commit = commit.changes(section.changes);
            }
            if !section.first.is_text {
                effective.changes.extend(section.effective.changes);
            }
            effective.feed.extend(section.effective.feed);
            rows.extend(section.rows);
        }
        if let Some(Move { source, to, .. }) = &self.position {
            commit = commit.position(place::section(&published, self.section.as_deref())?, source, to)?;
        }
        let kept = if self.keeps() { effective.feed.clone() } else { Vec::new() };
        commit = match &self.feed {
            Some(feed) => commit.feed(feed.clone(), effective.feed),
            None => commit.without_feed(),
        };
        let mut recent = None;
        if let Some(settings) = &self.recent {
            if let (Some(first), false) = (&first, effective.changes.is_empty()) {
                let changes = (first, &*effective.changes);
                let new = settings.write(options, storage, &published, changes, &rows)?;
                commit = commit.recent(&published, new.row, new.counts)?;
                recent = Some(new.summary);
            } else {
                commit = commit.keep_recent();
            }
        }
        if let Some(age) = self.uncommitted_for {
            commit = commit.remove_uncommitted(age);
        }
        Ok(Applied { changes: kept, recent, unknown, ..commit::publish(commit, rows, counts, storage)? })
    }

    /// Returns the changes of each section, sorted by section name.
    fn sections<'u>(
        &'u self,
        published: &'u PublishedShards,
    ) -> Result<Vec<SectionChanges<'u>>, UpdateError> {
        let mut of_sections: BTreeMap<&str, BTreeMap<&String, &Added>> = BTreeMap::new();
        let is_named = self.changes.is_empty() && self.section.is_some();
        if is_named || self.position.is_some() || published.is_empty() {
            of_sections.insert(place::section(published, self.section.as_deref())?, BTreeMap::new());
        }
        for (section, changes) in &self.changes {
            let name = section.as_deref().or(self.section.as_deref());
            let of_section = of_sections.entry(self.named(published, name)?).or_default();
            for (loc, change) in changes {
                // The update's own section may also have been passed by name.
                let last = of_section.entry(loc).or_insert(change);
                if last.0 < change.0 {
                    *last = change;
                }
            }
        }
        let sections = of_sections.into_iter().map(|(section, changes)| {
            let changes: Vec<OfPage<'_>> =
                changes.into_iter().map(|(loc, (_, entry))| (loc, entry)).collect();
            // A new section starts with one bucket.
            let first = Place::first(published, section, published.buckets(section).unwrap_or(1));
            SectionChanges::new(first, changes)
        });
        Ok(sections.collect())
    }

    /// Checks that the changes start at the published set's position.
    /// Returns the name of a section that exists, or that the update may create.
    fn named<'u>(
        &'u self,
        published: &'u PublishedShards,
        name: Option<&'u str>,
    ) -> Result<&'u str, UpdateError> {
        match name {
            Some(name) if self.new_sections.contains(name) && !published.is_empty() => Ok(name),
            name => place::section(published, name),
        }
    }

    /// Moves the pages of the changed sections to hash buckets, if they are in files in order. Returns `true` if there
    /// was such a section.
    fn convert(
        &self,
        published: &PublishedShards,
        storage: &Arc<dyn Storage>,
        converted: &mut Vec<Converted>,
    ) -> Result<bool, UpdateError> {
        let before = converted.len();
        for changes in self.sections(published)? {
            let section = changes.name();
            let files = published.section(section);
            if files.is_empty() || published.buckets(section).is_some() {
                continue;
            }
            let pages = files.iter().map(|file| file.urls()).sum();
            let costs = BucketCosts::measure(published, section);
            let buckets = advised_buckets(pages, changes.pages(), costs);
            let rebucket = Rebucket::new(&self.set, buckets).section(section).at_once(self.at_once);
            let Applied { counts, .. } = rebucket.attempt(storage)?;
            converted.push(Converted { section: section.to_owned(), buckets, counts });
        }
        Ok(converted.len() > before)
    }

    fn check_position(&self, published: &PublishedShards) -> Result<(), UpdateError> {
        let Some(Move { source, from, .. }) = &self.position else { return Ok(()) };
        let found = published.position(place::section(published, self.section.as_deref())?, source);
        if found == from.as_deref() {
            return Ok(());
        }
        let (source_name, found) = (source.clone(), found.map(str::to_owned));
        Err(UpdateError::OtherPosition { source_name, expected: from.clone(), found })
    }

    /// Refuses an update that would lose too many pages, before it writes anything. If all removals together would be
    /// too many, reads the buckets one extra time to count the pages that remain.
    fn check_losses(
        &self,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        sections: &[SectionChanges<'_>],
        counts: &mut Counts,
    ) -> Result<(), UpdateError> {
        let check = |losses: &[(&str, u64, u64)]| {
            let after = losses.iter().map(|&(section, _, after)| (section, after));
            published.check_shrink(self.set.options(), after, self.allow_shrink)?;
            published.check_removed(self.max_removed, losses.iter().copied(), self.allow_shrink)
        };
        let most = sections
            .iter()
            .map(|section| (section.name(), section.most_removed(), section.least_pages(published)));
        let may_stop =
            self.on_unknown == OnUnknown::Stop && sections.iter().any(|section| section.most_removed() > 0);
        if !may_stop && check(&most.collect::<Vec<_>>()).is_ok() {
            return Ok(());
        }
        let (mut losses, mut reads) = (Vec::new(), Counts::default());
        let (mut count, mut first) = (0, Vec::new());
        for section in sections {
            let Losses { removed, after, unknown } =
                section.count_pages(storage, published, self.at_once, &mut reads)?;
            losses.push((section.name(), removed, after));
            count += unknown.0;
            first.extend(unknown.1);
        }
        if self.on_unknown == OnUnknown::Stop && count > 0 {
            first.truncate(MOST_UNKNOWN);
            return Err(UpdateError::Unknown { count, first });
        }
        counts.files_read += reads.files_read;
        counts.bytes_read += reads.bytes_read;
        Ok(check(&losses)?)
    }
}
