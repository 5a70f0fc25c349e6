//! The result of an update.

use std::ops::AddAssign;

use sitemap_core::Summary;
use sitemap_core::publish::feed::FeedChange;

/// The result of an update, as the [crate's example](crate) shows.
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_update::{Change, Rebucket, UpdateSet as _};
///
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut run = builder.clone().storage(storage.clone()).replace()?;
/// run.section("posts")?.add_all(["/tea", "/cups"])?;
/// run.commit()?;
/// Rebucket::new(&builder.clone().storage(storage.clone()), 1).commit()?;
///
/// let mut update = builder.storage(storage.clone()).update();
/// update.add(Change::Upsert(Entry::new(Loc::parse("https://example.com/tea")?)))?;
/// update.add(Change::Remove(Loc::parse("https://example.com/pots")?))?;
/// let applied = update.commit()?;
/// assert_eq!((applied.unchanged(), applied.unknown_removals(), applied.files_written()), (1, 1, 0));
/// assert_eq!(applied.unknown(), ["https://example.com/pots"]);
/// assert!(applied.summary().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Applied {
    pub(crate) counts: Counts,
    pub(crate) restarts: u32,
    pub(crate) converted: Vec<Converted>,
    pub(crate) summary: Option<Summary>,
    pub(crate) changes: Vec<FeedChange>,
    pub(crate) unknown: Vec<String>,
    pub(crate) recent: Option<RecentSummary>,
}

/// A section that an update moved from files in order to hash buckets, because it was the first update of the section.
/// Later updates only read and write the buckets of the changed pages.
///
/// ```
/// use sitemap_core::{Memory, Site, SitemapSet};
/// use sitemap_update::UpdateSet as _;
///
/// let set = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new());
/// let mut all = set.replace()?;
/// all.section("posts")?.add_all(["/tea", "/cups"])?;
/// all.commit()?;
/// let add = |path: &str| {
///     let mut some = set.update();
///     some.section("posts").upsert(path)?;
///     some.commit()
/// };
/// let applied = add("/pots")?;
/// let converted = &applied.converted()[0];
/// assert_eq!((converted.section(), converted.buckets()), ("posts", 1));
/// assert_eq!((converted.files_read(), converted.files_written()), (1, 1));
/// assert!(add("/spoons")?.converted().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Converted {
    pub(crate) section: String,
    pub(crate) buckets: u32,
    pub(crate) counts: Counts,
}

impl Converted {
    /// Returns the name of the section.
    #[must_use]
    pub fn section(&self) -> &str {
        &self.section
    }

    /// Returns the number of hash buckets that it has now.
    #[must_use]
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    /// Returns the number of files that were read.
    #[must_use]
    pub fn files_read(&self) -> u64 {
        self.counts.files_read
    }

    /// Returns the number of files that were written.
    #[must_use]
    pub fn files_written(&self) -> u64 {
        self.counts.files_written
    }

    /// Returns the number of pages that were listed twice, and now are once.
    #[must_use]
    pub fn duplicates(&self) -> u64 {
        self.counts.duplicates
    }
}

/// Statistics of the recent section that an update wrote, as the example of [`Recent`](crate::Recent) shows.
///
/// ```
/// use sitemap_update::RecentSummary;
///
/// let summary = RecentSummary::default();
/// assert_eq!((summary.entries(), summary.folded(), summary.cut(), summary.lost()), (0, 0, 0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecentSummary {
    pub(crate) entries: u64,
    pub(crate) folded: u64,
    pub(crate) cut: u64,
    pub(crate) lost: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) added: u64,
    pub(crate) changed: u64,
    pub(crate) unchanged: u64,
    pub(crate) removed: u64,
    pub(crate) unknown_removals: u64,
    pub(crate) duplicates: u64,
    pub(crate) files_read: u64,
    pub(crate) bytes_read: u64,
    pub(crate) files_written: u64,
    pub(crate) bytes_written: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.removed += other.removed;
        self.unknown_removals += other.unknown_removals;
        self.duplicates += other.duplicates;
        self.files_read += other.files_read;
        self.bytes_read += other.bytes_read;
        self.files_written += other.files_written;
        self.bytes_written += other.bytes_written;
    }
}

impl Counts {
    /// Returns the number of pages that were added, changed or removed.
    pub(crate) fn effective(&self) -> u64 {
        self.added + self.changed + self.removed
    }
}

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        impl Applied {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(&self) -> u64 {
                self.counts.$name
            }
        )+}
    };
}

counts! {
    /// Returns the number of pages that were added to the set.
    added,
    /// Returns the number of pages whose entry changed.
    changed,
    /// Returns the number of upserted pages whose entry was the same as before.
    unchanged,
    /// Returns the number of removed pages.
    removed,
    /// Returns the number of removals of pages that the set did not list.
    unknown_removals,
    /// Returns the number of duplicate entries that were dropped from the rewritten files.
    duplicates,
    /// Returns the number of published files that were read.
    files_read,
    /// Returns the number of stored bytes that were read.
    bytes_read,
    /// Returns the number of new files with pages, not counting indexes.
    files_written,
    /// Returns the number of stored bytes of the new files with pages.
    bytes_written,
}

impl Applied {
    /// Returns how often the update was restarted because another run committed first.
    #[must_use]
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Returns the sections that were moved to hash buckets before the update.
    #[must_use]
    pub fn converted(&self) -> &[Converted] {
        &self.converted
    }

    /// Returns the URLs of the first 20 [unknown removals](Self::unknown_removals), as in the [example](Self).
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Returns the changes that had an effect, if the update [keeps them](crate::Update::keep_changes) or [writes them
    /// to a file](crate::Update::changed_file).
    #[must_use]
    pub fn changes(&self) -> &[FeedChange] {
        &self.changes
    }

    /// Returns statistics of the recent section, if the update wrote it.
    #[must_use]
    pub fn recent(&self) -> Option<RecentSummary> {
        self.recent
    }

    /// Returns the summary of the published set, or `None` if nothing changed and so nothing was published.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// Like [`summary`](Self::summary), but returns the summary by value.
    #[must_use]
    pub fn into_summary(self) -> Option<Summary> {
        self.summary
    }
}

impl RecentSummary {
    /// Returns the number of entries in the section.
    #[must_use]
    pub fn entries(self) -> u64 {
        self.entries
    }

    /// Returns the number of old entries that the update dropped because keeping them had cost as many bytes as they
    /// can save a crawler.
    #[must_use]
    pub fn folded(self) -> u64 {
        self.folded
    }

    /// Returns the number of entries that were dropped because they exceed the limit or don't fit into one file.
    #[must_use]
    pub fn cut(self) -> u64 {
        self.cut
    }

    /// Returns the number of entries that were lost because the section's published file is missing or damaged. Their
    /// pages are still listed in their own files.
    #[must_use]
    pub fn lost(self) -> u64 {
        self.lost
    }
}
