//! The recent section. It repeats the most recently changed entries in one file.
//!
//! Each update still writes the changed pages to the files of their buckets. If it put that off, those files would list
//! an old date or a removed page in the meantime. So the section does not make updates cheaper. It helps crawlers that
//! visit so rarely that nearly all buckets change between their visits.
//!
//! Keeping old entries costs bytes with every update. When that cost reaches the bytes that a crawler saves, the
//! section is *folded*, which drops its oldest entries. Entries stay for one more period after a fold, so a crawler
//! that visits at least once between folds misses nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use sitemap_core::publish::shards::{PublishedShard, PublishedShards, RecentCounts, ShardRow};
use sitemap_core::publish::{PublishError, SetOptions};
use sitemap_core::{Entry, Memory, Storage, clock};

use crate::applied::{Counts, RecentSummary};
use crate::bucket;
use crate::error::UpdateError;
use crate::file;
use crate::merge::OfPage;
use crate::place::Place;

/// The settings of the recent section; see [`Update::recent`](crate::Update::recent).
///
/// ```
/// use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet};
/// use sitemap_update::{Build, Change, Recent, UpdateSet as _};
///
/// let page = |path: &str| Ok::<_, sitemap_core::Error>(Entry::new(Loc::parse(format!("https://example.com{path}"))?));
/// let (storage, builder) = (Memory::new(), SitemapSet::builder(Site::new("https://example.com")?));
/// let mut build = Build::new(builder.clone(), 4, Memory::new());
/// build.add("posts", page("/tea")?)?;
/// build.run(storage.clone())?;
///
/// let mut update = builder.storage(storage.clone()).update().recent(Recent::new().max_entries(1));
/// update.add(Change::Upsert(page("/cups")?))?;
/// update.add(Change::Upsert(page("/pots")?))?;
/// let applied = update.commit()?;
/// let recent = applied.recent().ok_or("the update has written it")?;
/// assert_eq!((recent.entries(), recent.folded(), recent.cut()), (1, 0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Recent {
    max_entries: usize,
    max_age: Option<Duration>,
}

impl Default for Recent {
    fn default() -> Self {
        Self::new()
    }
}

impl Recent {
    /// The limit of one file.
    const MOST: usize = 50_000;

    /// Returns the default settings: at most 10,000 entries, as in the feed, and no maximum age.
    pub fn new() -> Self {
        Self { max_entries: 10_000, max_age: None }
    }

    /// Sets the maximum number of entries, as in the [example](Self). The maximum is 50,000, and the section never
    /// contains more than fits into one file. The oldest entries are dropped. Default: 10,000.
    pub fn max_entries(mut self, entries: usize) -> Self {
        self.max_entries = entries.min(Self::MOST);
        self
    }

    /// Also folds the section if the last fold is at least this long ago. A fold drops the entries from before the
    /// previous fold, so as long as there are updates, an entry stays for between one and two times this period. Choose
    /// a period that is longer than the time between a crawler's visits. By default, only the number of bytes decides.
    pub fn max_age(mut self, age: impl Into<Option<Duration>>) -> Self {
        self.max_age = age.into();
        self
    }
}

/// The new recent section.
#[derive(Debug)]
pub(crate) struct WrittenRecent {
    /// The section's only file, or `None` if there is nothing to repeat.
    pub(crate) row: Option<ShardRow>,
    pub(crate) counts: RecentCounts,
    pub(crate) summary: RecentSummary,
}

/// The section's entries, oldest first.
#[derive(Debug, Default)]
struct Entries {
    /// Entries from before the last fold.
    older: Vec<Entry<'static>>,
    /// Entries of earlier updates since the last fold.
    later: Vec<Entry<'static>>,
    /// Entries of this update.
    new: Vec<Entry<'static>>,
}

impl Recent {
    /// Adds the changes that had an effect, and writes the section. `first` is the first changed bucket, and `rows` are
    /// the new files of all changed buckets.
    pub(crate) fn write(
        &self,
        builder: &SetOptions,
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        (first, changes): (&Place<'_>, &[OfPage<'_>]),
        rows: &[ShardRow],
    ) -> Result<WrittenRecent, UpdateError> {
        let before = published.recent_counts();
        let mut states: BTreeMap<&str, Option<&Entry<'static>>> = BTreeMap::new();
        for (loc, change) in changes {
            // A page may be removed from one section and stay in another.
            let change = change.as_ref();
            states.entry(loc.as_str()).and_modify(|other| *other = change.or(*other)).or_insert(change);
        }
        let mut summary = RecentSummary::default();
        let (mut entries, stored) = match Entries::read(storage, published, &states) {
            Ok(read) => read,
            // The section only repeats other entries, so we can start over. If another run has replaced the file, the
            // commit fails, and the update is restarted.
            Err(UpdateError::Changed { .. } | UpdateError::Read { .. }) => {
                summary.lost = published.recent().map_or(0, PublishedShard::urls);
                Default::default()
            }
            Err(error) => return Err(error),
        };
        entries.new.extend(states.into_values().flatten().cloned());

        let carried = before.carried().saturating_add(stored);
        // Without the recent section, a crawler has to fetch all files written since the last fold.
        let written: u64 = rows.iter().map(ShardRow::stored_bytes).sum();
        let fold = before.fold().saturating_add(written).min(stored_bytes(published).max(written));
        let now = clock::now()
            .map_err(PublishError::from)?
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        // If the time is in the future, the clock was wrong.
        let mut since = before.since().unwrap_or(now).min(now);
        let is_old = self.max_age.is_some_and(|age| now - since >= age.as_secs());
        let (carried, fold) = if carried > 0 && carried >= fold || is_old {
            since = now;
            summary.folded = entries.fold();
            (0, written)
        } else {
            (carried, fold)
        };
        summary.cut = entries.cut_to(self.max_entries);
        // Find out in memory how many entries fit into one file, because a second file would stay in the storage.
        loop {
            let rows = bucket::write_recent(builder, Memory::new(), first, entries.all())?;
            let [first, _, ..] = &rows[..] else { break };
            let fits = usize::try_from(first.urls()).unwrap_or(usize::MAX);
            summary.cut += entries.cut_to(fits.min(entries.len().saturating_sub(1)));
        }
        let row = bucket::write_recent(builder, Arc::clone(storage), first, entries.all())?.pop();
        summary.entries = entries.len() as u64;
        let counts = match row {
            Some(_) => RecentCounts::new(entries.older.len() as u64, carried, fold),
            None => RecentCounts::default(),
        };
        let counts = if row.is_some() && self.max_age.is_some() { counts.with_since(since) } else { counts };
        Ok(WrittenRecent { row, counts, summary })
    }
}

impl Entries {
    /// Reads the published section without the changed pages. Also returns the stored size of the entries in bytes.
    fn read(
        storage: &Arc<dyn Storage>,
        published: &PublishedShards,
        states: &BTreeMap<&str, Option<&Entry<'static>>>,
    ) -> Result<(Self, u64), UpdateError> {
        let mut entries = Self::default();
        let Some(recent) = published.recent() else { return Ok((entries, 0)) };
        let older = published.recent_counts().older();
        let mut all = 0;
        // An update's counts only cover its buckets, so these reads are not counted.
        file::visit(storage, recent, &mut Counts::default(), |entry| {
            all += 1;
            if !states.contains_key(entry.loc().as_str()) {
                if all <= older { &mut entries.older } else { &mut entries.later }.push(entry);
            }
            Ok(())
        })?;
        let stored = u128::from(recent.stored_bytes()) * entries.len() as u128 / u128::from(all.max(1));
        Ok((entries, u64::try_from(stored).unwrap_or(u64::MAX)))
    }

    fn len(&self) -> usize {
        self.older.len() + self.later.len() + self.new.len()
    }

    fn all(&self) -> impl Iterator<Item = &Entry<'static>> + Clone {
        self.older.iter().chain(&self.later).chain(&self.new)
    }

    /// Drops the entries from before the last fold, and returns their number. The later ones stay until the next fold,
    /// so a crawler that visits once between folds misses nothing.
    fn fold(&mut self) -> u64 {
        let folded = std::mem::replace(&mut self.older, std::mem::take(&mut self.later));
        folded.len() as u64
    }

    /// Drops the oldest entries until at most `most` are left. Returns the number of dropped entries.
    fn cut_to(&mut self, most: usize) -> u64 {
        let cut = self.len().saturating_sub(most);
        let mut rest = cut;
        for part in [&mut self.older, &mut self.later, &mut self.new] {
            let of_part = rest.min(part.len());
            part.drain(..of_part);
            rest -= of_part;
        }
        cut as u64
    }
}

/// Returns the total stored size of all files with pages, in bytes.
fn stored_bytes(published: &PublishedShards) -> u64 {
    let of_section =
        |section| published.section(section).into_iter().map(PublishedShard::stored_bytes).sum::<u64>();
    published.sections().into_iter().map(of_section).sum()
}
