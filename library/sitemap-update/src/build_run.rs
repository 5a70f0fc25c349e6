//! Publishes the pages that a `Build` collected.

use std::sync::Arc;

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::shards::{PublishedShards, ShardCommit, ShardRow};
use sitemap_core::{Storage, threads};

use crate::applied::{Applied, Counts};
use crate::bucket;
use crate::build::Build;
use crate::commit;
use crate::error::UpdateError;
use crate::place::Place;
use crate::removals::{OldSection, Removals};
use crate::spool::{Part, Spool};

impl Build {
    /// Writes the files of all buckets, and publishes them as the new set. A run that would lose too many pages is
    /// refused before it writes any file, unless duplicate pages hide the loss.
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] as for [`ShardCommit::publish`]. The published set does not change until the commit.
    pub fn run(mut self, storage: impl Storage + 'static) -> Result<Applied, UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        let published = self.published(&*storage)?;
        // If an interrupted commit is pending, completing it produces a different set from the one read here. Our own
        // commit checks that set.
        if let Err(error) = self.check_shrink(&published)
            && !commit::is_interrupted(&*storage)?
        {
            return Err(error);
        }
        let removals = Removals::new(&published, self.max_removed, self.allow_shrink);
        for spool in &self.sections {
            removals.of_section(spool.section(), self.buckets)?;
        }
        let mut sections = removals.of_missing(&self.builder, self.sections.iter().map(Spool::section));
        let mut commit =
            ShardCommit::new(self.builder.clone()).allow_shrink(self.allow_shrink).skipped(self.skipped);
        for [section, source, position] in &self.positions {
            commit = commit.position(section, source, position)?;
        }
        for (section, source, position) in &self.expected_positions {
            commit = commit.if_position(section, source, position.as_deref());
        }
        if let Some(age) = self.uncommitted_for {
            commit = commit.remove_uncommitted(age);
        }
        let mut counts = Counts::default();
        for mut spool in std::mem::take(&mut self.sections) {
            let parts = spool.take_parts();
            let old = removals.of_section(spool.section(), self.buckets)?;
            let (rows, of_section) = self.write_section(&spool, parts, &storage, old.as_ref())?;
            counts += of_section;
            if let Some(old) = old {
                let after = rows.iter().map(ShardRow::urls).sum();
                let in_emptied = old.in_emptied_buckets(&rows);
                counts.removed += in_emptied;
                let removed = of_section.removed + in_emptied;
                sections.push((spool.section().to_owned(), removed, after));
            }
            counts.files_written += rows.len() as u64;
            counts.bytes_written += rows.iter().map(ShardRow::stored_bytes).sum::<u64>();
            rows.into_iter().try_for_each(|row| commit.add(row))?;
        }
        removals.check(&sections)?;
        let summary = Some(commit.publish(storage)?);
        Ok(Applied { counts, summary, ..Applied::default() })
    }

    /// Writes the files of all buckets without publishing them, as one of many processes. Returns a row for each file,
    /// and the number of duplicate pages. A [`ShardCommit`] publishes the rows of all processes.
    ///
    /// All pages of a bucket must be added in the same process.
    ///
    /// ```
    /// use sitemap_core::publish::shards::ShardCommit;
    /// use sitemap_core::{Entry, Loc, Memory, SitemapSet, Site};
    /// use sitemap_update::Build;
    ///
    /// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
    /// let mut build = Build::new(builder.clone(), 4, Memory::new());
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// build.add("posts", Entry::new(Loc::parse("https://example.com/tea")?))?;
    /// let (rows, duplicates) = build.write(storage.clone())?;
    /// assert_eq!((rows.len(), duplicates), (1, 1));
    ///
    /// let mut commit = ShardCommit::new(builder);
    /// rows.into_iter().try_for_each(|row| commit.add(row))?;
    /// assert_eq!(commit.publish(storage)?.urls(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UpdateError::Publish`] if the files cannot be written.
    pub fn write(mut self, storage: impl Storage + 'static) -> Result<(Vec<ShardRow>, u64), UpdateError> {
        let storage: Arc<dyn Storage> = Arc::new(storage);
        let (mut rows, mut duplicates) = (Vec::new(), 0);
        for mut spool in std::mem::take(&mut self.sections) {
            let parts = spool.take_parts();
            let (of_section, counts) = self.write_section(&spool, parts, &storage, None)?;
            rows.extend(of_section);
            duplicates += counts.duplicates;
        }
        Ok((rows, duplicates))
    }

    /// Reads the published set. If the manifest is unusable, returns an empty set; then only the commit knows the
    /// number of published pages.
    fn published(&self, storage: &dyn Storage) -> Result<PublishedShards, UpdateError> {
        match PublishedShards::read(storage, self.builder.site()) {
            Err(error) if matches!(error.kind(), PublishErrorKind::CannotKeep { .. }) => {
                Ok(PublishedShards::default())
            }
            read => Ok(read?),
        }
    }

    /// Refuses a run that would lose too many pages even if none of its own pages were duplicates.
    fn check_shrink(&self, published: &PublishedShards) -> Result<(), UpdateError> {
        let sections = self.sections.iter().map(|spool| (spool.section(), spool.added()));
        let sections: Vec<_> = sections.filter(|(_, added)| *added > 0).collect();
        if sections.is_empty() {
            // If the set is empty, the commit reports that.
            return Ok(());
        }
        Ok(published.check_publication(&self.builder, sections, self.skipped, self.allow_shrink)?)
    }

    /// Writes the parts of a section, several at once. Returns the rows of all files, and counts duplicates, removed
    /// pages and files read.
    fn write_section(
        &self,
        spool: &Spool,
        parts: Vec<Part>,
        storage: &Arc<dyn Storage>,
        old: Option<&OldSection<'_>>,
    ) -> Result<(Vec<ShardRow>, Counts), UpdateError> {
        let written = threads::map(self.threads, parts, |part| {
            let (of_buckets, duplicates) = spool.read(part)?;
            let written = threads::map(self.at_once / self.threads, of_buckets, |(bucket, pages)| {
                let place = Place::new(spool.section(), self.buckets, bucket);
                let rows = bucket::write(&self.builder, storage, &place, &pages)?;
                let mut counts = Counts::default();
                if let Some(old) = old {
                    old.count(&**storage, &place, &pages, &rows, &mut counts)?;
                }
                Ok::<_, UpdateError>((rows, counts))
            })?;
            let (rows, mut counts) = sum(written);
            counts.duplicates += duplicates;
            Ok::<_, UpdateError>((rows, counts))
        })?;
        Ok(sum(written))
    }
}

fn sum(written: Vec<(Vec<ShardRow>, Counts)>) -> (Vec<ShardRow>, Counts) {
    let (mut rows, mut counts) = (Vec::new(), Counts::default());
    for (some, numbers) in written {
        rows.extend(some);
        counts += numbers;
    }
    (rows, counts)
}
