//! Determines which pages have changed when a run ends.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::changes::ContentChanges;
use super::content::{CONTENT, Content, FRESH, Fresh};
use super::error::StateError;
use super::frontier::{FRONTIER, QUEUED};
use super::head::Counted;
use super::links::LINKS;
use super::open_state::State;
use super::page::PAGES;
use super::run::{RUNS, Run, RunKind, key};
use super::shapes::SeenShapes;
use super::table::{Table, TableId};
use crate::content::{Blocks, ContentChange, Folder, OfPage, SharedBlocks};

const SHARED: Table<Shared> = Table::new(TableId::Shared);

/// The shapes that the pages of a run share.
#[derive(Serialize, Deserialize)]
struct Shared {
    /// The number of pages whose current content this run was the first to see. If there are none, the row is needed
    /// only until the next run.
    pages: u64,
    site: Vec<u32>,
    folders: Vec<(u32, u32)>,
}

impl State {
    /// Finishes a run: determines which pages have changed, and sets the date of each to the time of its visit.
    ///
    /// Compares the content that this run saw with what earlier runs knew. Blocks that many pages of either run share
    /// are ignored; see [`content`](crate::content). A page that no earlier run saw gets no date. A page that the run
    /// did not visit, or that had no content this time, keeps its date and content.
    ///
    /// All of this happens in one transaction, so the dates don't depend on whether the run was interrupted.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the run is already finished, if the file can't be read or written, or if the row of
    /// a page or, after a crawl, of a link is damaged or missing. The run then stays unfinished.
    pub fn finish_run(&self, run: &Run) -> Result<ContentChanges, StateError> {
        self.check_open(run)?;
        self.db.transaction(|| {
            // A page whose row is damaged or missing must not be treated as new, because it would lose its date.
            self.db.verify(PAGES.id)?;
            self.db.verify(CONTENT.id)?;
            if run.kind() == RunKind::Crawl {
                // A crawl can't be complete if a link was lost, because its target is never visited.
                [LINKS.id, FRONTIER.id, QUEUED.id].into_iter().try_for_each(|table| self.db.verify(table))?;
            }
            let now = self.count_shared(run.number())?;
            let changes = Comparison { state: self, run, now: &now, before: HashMap::new() }.compare()?;
            let mut record = self.record(run.number())?;
            record.is_finished = true;
            record.changes = changes;
            self.db.put(&RUNS, &key(run.number()), &record)?;
            let total = self.db.total(CONTENT.id);
            self.db.change_head(|head| {
                head.open.retain(|&open| open != run.number());
                // Otherwise, an earlier run may still be the last one that counted all blocks.
                if changes.pages() == total.rows {
                    head.counted = Some(Counted { run: run.number(), content: total });
                }
            });
            Ok(changes)
        })
    }

    /// Abandons a run, so that the next run of its kind starts from scratch. The data stored by the abandoned run is
    /// kept, and the next run compares the content of its pages. In the list of runs, it stays unfinished.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the run is already finished, or if the file can't be read or written.
    pub fn abandon_run(&self, run: &Run) -> Result<(), StateError> {
        self.check_open(run)?;
        self.db.transaction(|| {
            self.forget_fresh(run)?;
            self.db.change_head(|head| head.open.retain(|&open| open != run.number()));
            Ok(())
        })
    }

    /// Returns the blocks that the pages of a finished run share, or `None` if they are no longer stored.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn shared_blocks(&self, run: u64) -> Result<Option<SharedBlocks>, StateError> {
        Ok(self.shared(run)?.map(|shared| SharedBlocks::from_shapes(shared.site, shared.folders)))
    }

    /// Returns the blocks shared by all pages with content, if a run has counted exactly these pages.
    pub(crate) fn all_shared_blocks(&self) -> Result<Option<SharedBlocks>, StateError> {
        let total = self.db.total(CONTENT.id);
        match self.db.head(|head| head.counted).filter(|counted| counted.content == total) {
            Some(counted) => self.shared_blocks(counted.run),
            None => Ok(None),
        }
    }

    fn shared(&self, run: u64) -> Result<Option<Shared>, StateError> {
        self.db.get(&SHARED, &key(run))
    }

    /// Counts the blocks that the pages of a run share.
    fn count_shared(&self, run: u64) -> Result<SharedBlocks, StateError> {
        let mut kept = self.shapes.take();
        let mut is_whole = kept.is_whole(run, self.db.rows(FRESH.id));
        let mut is_first = true;
        SharedBlocks::try_count_of(|visit: &mut dyn FnMut(Folder, OfPage<'_>)| {
            if is_whole {
                kept.pages().for_each(|(folder, page)| visit(folder, page));
                return Ok(());
            }
            if is_first {
                kept = SeenShapes::new(run);
            }
            let mut pages = 0;
            self.fresh(run, |url, blocks, _| {
                visit(Folder::of(url), OfPage::Blocks(&blocks));
                pages += 1;
                if is_first {
                    kept.add(run, url, &blocks);
                }
                Ok(())
            })?;
            // The first pass keeps the pages in memory for the later passes, unless there are too many.
            is_whole = kept.is_whole(run, pages);
            is_first = false;
            Ok(())
        })
    }

    fn forget_fresh(&self, run: &Run) -> Result<(), StateError> {
        for row in self.db.all(FRESH) {
            let (key, fresh) = row?;
            if fresh.run == run.number() {
                self.db.delete(&FRESH, &key)?;
            }
        }
        Ok(())
    }

    /// Passes the content of every page that a run saw, and whether it differs from the stored content. The function
    /// may write to other tables.
    fn fresh(
        &self,
        run: u64,
        mut visit: impl FnMut(&str, Blocks, bool) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        self.db.scan(FRESH.id, |key, row| {
            let fresh: Fresh = self.db.read(FRESH.id, key, row)?;
            if fresh.run != run {
                return Ok(());
            }
            let is_other = fresh.other.is_some();
            let blocks = match fresh.other {
                Some(other) => Some(other.0),
                None => self.db.get(&CONTENT, key)?.map(|content| content.blocks),
            };
            visit(&String::from_utf8_lossy(key), blocks.unwrap_or_default(), is_other)
        })
    }
}

/// Compares the content that a run saw with the earlier content.
struct Comparison<'a> {
    state: &'a State,
    run: &'a Run,
    now: &'a SharedBlocks,
    /// The shared blocks of earlier runs, each with the number of pages that no longer need it.
    before: HashMap<u64, (SharedBlocks, u64)>,
}

impl Comparison<'_> {
    fn compare(mut self) -> Result<ContentChanges, StateError> {
        let (state, run) = (self.state, self.run.number());
        let mut changes = ContentChanges::default();
        let mut written = 0;
        // The first run has no earlier content to look up.
        let is_first = state.db.rows(CONTENT.id) == 0;
        state.fresh(run, |url, blocks, is_other| {
            if !is_other {
                changes.unchanged += 1;
                return Ok(());
            }
            let before = if is_first { None } else { state.db.get_sealed(&CONTENT, url.as_bytes())? };
            let (old, digest) = before.unzip();
            match old {
                None => changes.new += 1,
                Some(old) => {
                    if self.is_change(url, &old, &blocks)? {
                        changes.changed += 1;
                        state.set_date(url)?;
                    } else {
                        changes.unchanged += 1;
                    }
                }
            }
            written += 1;
            state.db.replace(&CONTENT, url.as_bytes(), &Content { run, blocks }, digest)
        })?;
        if state.db.rows(FRESH.id) == changes.pages() {
            state.db.clear(&FRESH)?;
        } else {
            state.forget_fresh(self.run)?;
        }
        self.store_shared(written)?;
        Ok(changes)
    }

    fn is_change(&mut self, url: &str, old: &Content, new: &Blocks) -> Result<bool, StateError> {
        if !self.before.contains_key(&old.run) {
            let shared = self.state.shared_blocks(old.run)?;
            let place = || SHARED.id.place(&key(old.run));
            let shared = shared.ok_or_else(|| self.state.db.damaged(place(), "is missing".to_owned()))?;
            self.before.insert(old.run, (shared, 0));
        }
        let Some((before, replaced)) = self.before.get_mut(&old.run) else { return Ok(false) };
        *replaced += 1;
        let change = ContentChange::between((before, &old.blocks), (self.now, new), Folder::of(url));
        Ok(change.is_change())
    }

    /// Stores the run's shared blocks, and removes those that neither a page nor a later run needs.
    fn store_shared(&self, pages: u64) -> Result<(), StateError> {
        let db = &self.state.db;
        let (site, folders) = self.now.shapes();
        let mut unused = Vec::new();
        for row in db.all(SHARED) {
            let (key, mut shared) = row?;
            let replaced = key.first_chunk().and_then(|run| self.before.get(&u64::from_be_bytes(*run)));
            if let Some((_, replaced)) = replaced {
                shared.pages = shared.pages.saturating_sub(*replaced);
                db.put(&SHARED, &key, &shared)?;
            }
            if shared.pages == 0 {
                unused.push(key);
            }
        }
        for key in unused {
            db.delete(&SHARED, &key)?;
        }
        db.put(&SHARED, &key(self.run.number()), &Shared { pages, site, folders })
    }
}

impl State {
    fn set_date(&self, url: &str) -> Result<(), StateError> {
        let key = url.as_bytes();
        let place = || PAGES.id.place(key);
        let page = self.db.get(&PAGES, key)?;
        let mut page = page.ok_or_else(|| self.db.damaged(place(), "is missing".to_owned()))?;
        page.content_changed = page.content_seen;
        page.unchanged_until = page.content_before;
        page.content_since = page.content_seen;
        self.db.put(&PAGES, key, &page)
    }
}
