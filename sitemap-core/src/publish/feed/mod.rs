//! Publishes a feed next to a set: an Atom document with the latest changes, in the same commit as the pages.

mod document;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub(super) use self::document::{Document, MOST_BYTES};
use crate::value::{LastMod, Loc};

/// The settings of a feed: an Atom document with the latest changes of a set, in the file [`FEED`](super::files::FEED).
///
/// Search engines fetch a feed more often than a whole set. Google asks for every change since its last visit, and
/// recommends a feed in addition to the full sitemap. Each commit that [writes the
/// feed](super::shards::ShardCommit::feed) adds its changes at the start and removes older changes of the same pages.
///
/// - The entry of a changed page uses the URL as `id`, `title` and `link`. `updated` is the `lastmod` of the page; a
///   year, month or day is written as midnight UTC on its first day. Atom requires `updated`, so for a page without
///   `lastmod`, it is the time of the commit, when the change was published.
/// - A removed page is a `deleted-entry` (RFC 6721) with the time of the commit. Programs that don't know this element
///   ignore it.
/// - A comment with the time of the commit precedes the changes of each commit. That time, not `lastmod`, decides which
///   changes are too old, because a page can be new to the set although its content is old.
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::publish::feed::{Feed, FeedChange};
/// use sitemap_core::publish::files::FEED;
/// use sitemap_core::publish::shards::ShardCommit;
/// use sitemap_core::{LastMod, Loc, Memory, Site, SitemapSet};
///
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut shards = builder.clone().write_shards(storage.clone(), "posts", 1)?;
/// shards.add(0, "/tea")?;
/// let changes = vec![
///     FeedChange::Upsert(Loc::parse("https://example.com/tea")?, Some(LastMod::date(2026, 1, 31)?)),
///     FeedChange::Remove(Loc::parse("https://example.com/cups")?),
/// ];
/// let feed = Feed::new().max_entries(1_000).max_age(Duration::from_secs(24 * 60 * 60));
/// let mut commit = ShardCommit::new(builder).feed(feed, changes);
/// commit.add(shards.finish()?.into_rows().remove(0))?;
/// let summary = commit.publish(storage.clone())?;
///
/// assert_eq!(summary.feed().map(|feed| feed.entries()), Some(2));
/// assert!(summary.robots_txt().ends_with("Sitemap: https://example.com/sitemap-changes.atom\n"));
/// let text = String::from_utf8(storage.get(FEED).unwrap_or_default().to_vec())?;
/// assert!(text.contains("<id>https://example.com/tea</id>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "settings have no effect by themselves"]
pub struct Feed {
    max_entries: usize,
    max_age: Duration,
    hub: Option<Loc<'static>>,
}

/// A change of one page, for a [`Feed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedChange {
    /// The page was added or changed, and has this `lastmod`.
    Upsert(Loc<'static>, Option<LastMod>),
    /// The page was removed.
    Remove(Loc<'static>),
}

/// The numbers of a feed that a run wrote. Returned by [`Summary::feed_changes`](super::Summary::feed_changes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedSummary {
    pub(super) entries: u64,
    pub(super) removals: u64,
    pub(super) cut: u64,
    pub(super) is_new: bool,
    pub(super) is_reset: bool,
}

impl Default for Feed {
    fn default() -> Self {
        Self::new()
    }
}

impl Feed {
    /// The maximum number of entries per file that search engines accept.
    const MOST: usize = 50_000;

    /// Returns the default settings: at most 10,000 changes, at most seven days old.
    ///
    /// 10,000 changes take about 2.5 MB, less than the index of 30,000 files. If a site has 10,000 changes a day, each
    /// stays in the feed for a day, and search engines visit at least once a day. With fewer changes, each stays for up
    /// to a week.
    pub fn new() -> Self {
        Self { max_entries: 10_000, max_age: Duration::from_secs(7 * 24 * 60 * 60), hub: None }
    }

    /// Sets the maximum number of changes in the feed, up to 50,000. See the [example](Self). The feed never exceeds 50
    /// MB. Default: 10,000.
    pub fn max_entries(mut self, entries: usize) -> Self {
        self.max_entries = entries.min(Self::MOST);
        self
    }

    /// Sets the maximum age of a change in the feed. See the [example](Self). Default: seven days.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age;
        self
    }

    /// Announces the feed's `WebSub` hub in a `link`. The commit doesn't notify the hub. Default: none.
    ///
    /// ```
    /// use sitemap_core::Loc;
    /// use sitemap_core::publish::feed::Feed;
    ///
    /// let feed = Feed::new().hub(Loc::parse("https://hub.example/")?);
    /// # drop(feed);
    /// # Ok::<(), sitemap_core::Error>(())
    /// ```
    pub fn hub(mut self, hub: Loc<'static>) -> Self {
        self.hub = Some(hub);
        self
    }
}

impl FeedChange {
    fn loc(&self) -> &Loc<'static> {
        match self {
            Self::Upsert(loc, _) | Self::Remove(loc) => loc,
        }
    }
}

impl FeedSummary {
    /// Returns the number of changes in the feed, including those of earlier commits.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns how many of these changes are removals.
    #[must_use]
    pub fn removals(&self) -> u64 {
        self.removals
    }

    /// Returns the number of changes that were dropped because there were too many, although they weren't too old.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Returns `true` if the set didn't have a feed before.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns `true` if the old feed wasn't written by this crate, so its changes are lost.
    #[must_use]
    pub fn is_reset(&self) -> bool {
        self.is_reset
    }
}
