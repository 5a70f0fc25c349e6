//! Checks the page losses of a commit before anything is written.

use std::collections::BTreeMap;

use super::published::PublishedShards;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::SetOptions;
use crate::publish::set::Guard;
use crate::publish::shrink::{AllowShrink, ShrinkLimit, Shrinkage};

impl PublishedShards {
    /// Checks whether a commit may leave these sections with these numbers of pages, before anything is written. The
    /// other sections stay as they are. Pass the settings and the [permission](super::ShardCommit::allow_shrink) of the
    /// commit. The commit checks again, against the set that it replaces.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let builder = SitemapSet::builder(site.clone());
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..1000).map(|id| format!("/posts/{id}")))?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// assert!(published.check_shrink(&builder, [("posts", 900)], None).is_ok());
    /// assert!(published.check_shrink(&builder, [("posts", 400)], None).is_err());
    /// assert!(published.check_shrink(&builder, [("posts", 400)], AllowShrink::Smaller).is_ok());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Shrunk`](crate::publish::PublishErrorKind::Shrunk) if the set would lose too many pages.
    pub fn check_shrink<'s>(
        &'s self,
        options: &SetOptions,
        changed: impl IntoIterator<Item = (&'s str, u64)>,
        allow: impl Into<Option<AllowShrink>>,
    ) -> Result<(), PublishError> {
        let guard = Guard { allow: allow.into(), skipped: 0 };
        let sections = self.rows().iter().map(|row| (row.section(), row.urls()));
        guard.check_update(options, &self.known().manifest.history, sections, changed.into_iter().collect())
    }

    /// Checks whether a full publication may have these numbers of pages in its sections, before anything is written.
    /// All other sections are treated as removed, unless the settings [keep](SetOptions::keep_sections) them.
    /// `skipped` is the number of skipped invalid records, for the error message. The commit checks again.
    ///
    /// ```
    /// use sitemap_core::publish::AllowShrink;
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let builder = SitemapSet::builder(site.clone());
    /// let mut run = builder.clone().storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..1000).map(|id| format!("/posts/{id}")))?;
    /// run.section("shop")?.add_all((0..1000).map(|id| format!("/shop/{id}")))?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// assert!(published.check_publication(&builder, [("posts", 1000)], 0, None).is_err());
    /// assert!(published.check_publication(&builder, [("posts", 1000)], 0, AllowShrink::Empty).is_ok());
    /// let keeps = builder.keep_sections(true);
    /// assert!(published.check_publication(&keeps, [("posts", 1000)], 0, None).is_ok());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Shrunk`] if the set would lose too many pages.
    pub fn check_publication<'s>(
        &'s self,
        options: &SetOptions,
        sections: impl IntoIterator<Item = (&'s str, u64)>,
        skipped: u64,
        allow: impl Into<Option<AllowShrink>>,
    ) -> Result<(), PublishError> {
        let mut next = BTreeMap::new();
        if !options.keep_sections {
            next.extend(self.sections().into_iter().map(|section| (section, 0)));
        }
        next.extend(sections);
        let guard = Guard { allow: allow.into(), skipped };
        let published = self.rows().iter().map(|row| (row.section(), row.urls()));
        guard.check_update(options, &self.known().manifest.history, published, next)
    }

    /// Checks whether a commit may remove these numbers of pages, even if it adds just as many. `changed` lists each
    /// changed section with the number of pages that it loses and the number of pages that it has afterwards.
    ///
    /// ```
    /// use sitemap_core::publish::{AllowShrink, PublishErrorKind, ShrinkLimit};
    /// use sitemap_core::publish::shards::PublishedShards;
    /// use sitemap_core::{Memory, Site, SitemapSet};
    ///
    /// let (storage, site) = (Memory::new(), Site::new("https://example.com")?);
    /// let mut run = SitemapSet::builder(site.clone()).storage(storage.clone()).replace()?;
    /// run.section("posts")?.add_all((0..1000).map(|id| format!("/posts/{id}")))?;
    /// run.commit()?;
    ///
    /// let published = PublishedShards::read(&storage, &site)?;
    /// let limit = ShrinkLimit::percent(30);
    /// assert!(published.check_removed(limit, [("posts", 300, 1000)], None).is_ok());
    /// // All pages are replaced by others.
    /// let error = published.check_removed(limit, [("posts", 1000, 1000)], None).unwrap_err();
    /// let PublishErrorKind::Shrunk { losses, .. } = error.kind() else { panic!("{error}") };
    /// assert_eq!(losses[0].removed(), Some(1000));
    /// assert_eq!(losses[0].to_string(), "section `posts` would lose 1000 of 1000 pages");
    /// assert!(published.check_removed(limit, [("posts", 1000, 1000)], AllowShrink::Smaller).is_ok());
    /// # Ok::<(), sitemap_core::PublishError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PublishErrorKind::Shrunk`] if a section or the set would lose too many pages.
    pub fn check_removed<'s>(
        &'s self,
        limit: ShrinkLimit,
        changed: impl IntoIterator<Item = (&'s str, u64, u64)>,
        allow: impl Into<Option<AllowShrink>>,
    ) -> Result<(), PublishError> {
        let mut before: BTreeMap<&str, u64> = BTreeMap::new();
        for row in self.rows() {
            *before.entry(row.section()).or_default() += row.urls();
        }
        let loss = |section: Option<&str>, before: u64, removed: u64, after| {
            let is_too_much = limit.refuses_removal(before, removed);
            let (section, removed) = (section.map(Into::into), Some(removed));
            is_too_much.then_some(Shrinkage { section, before, after, is_gradual: false, removed })
        };
        let of_set = before.values().sum();
        let (mut losses, mut all_removed, mut all_after) = (Vec::new(), 0, of_set);
        for (section, removed, after) in changed {
            let before = before.get(section).copied().unwrap_or_default();
            all_removed += removed;
            all_after = all_after - before + after;
            losses.extend(loss(Some(section), before, removed, after));
        }
        // If the set has only one section, the set loses the same pages as the section, so only the section is
        // reported.
        let set = loss(None, of_set, all_removed, all_after);
        let set = set.filter(|set| !losses.iter().any(|loss| loss.before == set.before));
        losses.extend(set);
        if losses.is_empty() || allow.into().is_some() {
            return Ok(());
        }
        Err(PublishErrorKind::Shrunk { losses, limit, skipped: 0 }.into())
    }
}
