//! The feed of a set: the last changes as an Atom document, which is published in the same commit as the pages.

mod document;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub(super) use self::document::{Document, MOST_BYTES};
use crate::value::{LastMod, Loc};

/// The settings of a feed: an Atom document with the last changes of a set, in the file [`FEED`](super::files::FEED).
///
/// Search engines fetch a feed more often than a whole set. Google asks for every change since its last visit, and
/// documents a feed next to the full sitemap. Each commit that [writes the feed](super::shards::ShardCommit::feed) adds its
/// changes at the start and removes older changes of the same pages.
///
/// - The entry of a changed page has the URL as `id`, `title` and `link`. `updated` is the `lastmod` of the page; a
///   year, month or day begins at midnight UTC. Atom requires `updated`. For a page without `lastmod`, it is the time of
///   the commit, because the change was published then.
/// - A removed page has a `deleted-entry` (RFC 6721) with the time of the commit. Programs that do not know this element
///   ignore it.
/// - A comment with the time of the commit precedes the changes of each commit. This time decides which changes are too
///   old, not `lastmod`: a page may be new to the set although its content is old.
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::publish::feed::{Feed, FeedChange};
/// use sitemap_core::publish::files::FEED;
/// use sitemap_core::publish::shards::ShardCommit;
/// use sitemap_core::{LastMod, Loc, Memory, Publisher, Site};
///
/// let (storage, builder) = (Memory::new(), Publisher::builder(Site::new("https://example.com")?));
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
    /// The page was added or changed. It has this `lastmod`.
    Upsert(Loc<'static>, Option<LastMod>),
    /// The page was removed.
    Remove(Loc<'static>),
}

/// The numbers of a feed that a run has written, as [`Summary::feed_changes`](super::Summary::feed_changes) returns
/// them.
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
    /// The greatest number of entries in a file that search engines accept.
    const MOST: usize = 50_000;

    /// Returns the default settings: at most 10,000 changes, at most seven days old.
    ///
    /// 10,000 changes have about 2.5 MB, less than the index of 30,000 files. A site with 10,000 changes a day so has
    /// them for a day, within which engines visit at least once. A site with fewer changes has them for a week.
    pub fn new() -> Self {
        Self { max_entries: 10_000, max_age: Duration::from_secs(7 * 24 * 60 * 60), hub: None }
    }

    /// Sets the greatest number of changes in the feed, as in the [example](Self). At most 50,000, and the feed never has
    /// more than 50 MB. Default: 10,000.
    pub fn max_entries(mut self, entries: usize) -> Self {
        self.max_entries = entries.min(Self::MOST);
        self
    }

    /// Sets the greatest age of a change in the feed, as in the [example](Self). Default: seven days.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age;
        self
    }

    /// Names the `WebSub` hub of the feed in a `link`. The commit does not send anything to the hub. Default: none.
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
    /// Returns the number of changes in the feed, those of earlier commits included.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the number of removals among these changes.
    #[must_use]
    pub fn removals(&self) -> u64 {
        self.removals
    }

    /// Returns the number of changes that were left out because there were too many, although they were not too old.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Returns `true` if the set had no feed before.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns `true` if the old feed was not one that this crate writes, so that its changes are lost.
    #[must_use]
    pub fn is_reset(&self) -> bool {
        self.is_reset
    }
}
