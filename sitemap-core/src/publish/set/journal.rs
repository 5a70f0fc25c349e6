//! The journal, a file that describes the next set. If a run is interrupted after writing the journal, the next run
//! publishes that set.
//!
//! For files that stay, the journal doesn't repeat the rows of the manifest. It contains only the number of these rows.
//! So the journal can be completed only as long as that manifest exists. The commit replaces the manifest after all
//! other files.
//!
//! A run writes the journal when every file of the set is complete under its temporary name. Each step of
//! [`roll_forward`](Journal::roll_forward) can be repeated, so the next run finishes an interrupted run by repeating
//! all steps.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::io::{self, Write as _};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::digest::Digest;
use super::exclusion::Exclusion;
use super::manifest::{self, Found, FoundJournal, KnownManifest, Manifest};
use super::names;
use super::replaced::Replaced;
use super::row::{Kind, Row};
use super::staged::{SealedFile, StagedFile};
use crate::clock;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::storage::{Metadata, REQUESTS_AT_ONCE, Storage, final_name, temporary_name};
use crate::threads;

/// The number of old files that a commit removed, and the number that it failed to remove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemovedFiles {
    pub(crate) count: u64,
    pub(crate) left: u64,
}

/// The journal of this run, or of an earlier run that was interrupted.
#[derive(Debug)]
pub(super) struct Journal<'r> {
    storage: &'r Arc<dyn Storage>,
    exclusion: &'r Exclusion,
    text: String,
    /// `true` once the first file of the next set has received its final name.
    is_started: AtomicBool,
}

impl<'r> Journal<'r> {
    fn new(storage: &'r Arc<dyn Storage>, exclusion: &'r Exclusion, text: String) -> Self {
        Self { storage, exclusion, text, is_started: AtomicBool::new(false) }
    }

    /// Checks that the manifest and all new files of the set can get their final names.
    fn check_places(&self, next: &Manifest) -> Result<(), PublishError> {
        let new_files = next.rows.iter().filter(|row| row.staged.is_some()).map(|row| &*row.name);
        new_files.chain([names::MANIFEST]).try_for_each(|name| {
            let checked = self.storage.check_replaceable(name);
            checked.map_err(|error| io_error("replace", &**self.storage, name, error))
        })
    }

    fn write(&self) -> Result<(), PublishError> {
        let file = SealedFile::write(self.storage, names::JOURNAL, self.text.as_bytes())?;
        if self.exclusion.is_locked() {
            return file.rename(names::JOURNAL);
        }
        // On storage without locks, several runs may try to create the journal at the same time. Only one of them
        // succeeds, and only that run replaces the set.
        if file.rename_if(names::JOURNAL, None)? { Ok(()) } else { Err(self.overtaken()) }
    }

    fn overtaken(&self) -> PublishError {
        PublishErrorKind::Overtaken { path: self.storage.locate(names::ENTRY_POINT) }.into()
    }

    /// Finishes a commit after another run has changed the set in the meantime. Succeeds if that run found this journal
    /// and gave the files of this commit their final names. That run may stop before it writes the manifest, so this
    /// run repeats all steps.
    ///
    /// Also succeeds if only the metadata of the entry point has changed, because a late run repeated a step of the
    /// previous commit. Another run that finds the journal would complete it in this case, so this run must not give
    /// up.
    fn settle(&self, next: Manifest) -> Result<RemovedFiles, PublishError> {
        if self.is_carried_out(&next)? {
            return self.roll_forward(next);
        }
        // The state is recorded first, so that this run fails if another run intervenes between the two steps.
        let exclusion = self.exclusion.with_new_state(&**self.storage)?;
        if is_stale(&**self.storage, &next)? {
            return Err(self.overtaken());
        }
        let journal = Journal::new(self.storage, &exclusion, self.text.clone());
        journal.roll_forward(next)
    }

    /// Returns `true` if all new files of the set have their final names.
    fn is_carried_out(&self, next: &Manifest) -> Result<bool, PublishError> {
        let mut staged = next.rows.iter().filter(|row| row.staged.is_some()).peekable();
        let is_any = staged.peek().is_some();
        for row in staged {
            if !is_placed(&**self.storage, row)? {
                return Ok(false);
            }
        }
        Ok(is_any)
    }

    /// Performs all remaining steps of publishing the set.
    fn roll_forward(&self, mut next: Manifest) -> Result<RemovedFiles, PublishError> {
        let (mut top_level, others): (Vec<&mut Row>, Vec<&mut Row>) =
            next.rows.iter_mut().partition(|row| row.is_top_level());
        let (mut feed, mut children): (Vec<&mut Row>, Vec<&mut Row>) =
            others.into_iter().partition(|row| row.kind == Kind::Feed);
        // A crawler that reads an index must find all files that the index lists, so the entry point is renamed last.
        top_level.reverse();
        let has_placed_children = self.place_children(&mut children)?;
        let has_placed_feed = self.place_in_order(&mut feed)?;
        self.sync_if(has_placed_children || has_placed_feed)?;
        let has_placed_top_level = self.place_in_order(&mut top_level)?;
        self.sync_if(has_placed_top_level)?;
        let removed = self.remove_unlisted(&mut next)?;
        // Sync the removals before the manifest is replaced. The new manifest no longer names these files, so no later
        // run would remove them.
        self.sync_if(removed.count > 0)?;
        (next.run, next.replaces) = (None, None);
        write_manifest(self.storage, self.exclusion, &next)?;
        sync_names(self.storage)?;
        self.remove().map(|()| removed)
    }

    /// Removes the files that the next set no longer lists. Files that can't be removed stay in the manifest, so that
    /// the next run tries again.
    fn remove_unlisted(&self, next: &mut Manifest) -> Result<RemovedFiles, PublishError> {
        if next.unlisted.is_empty() {
            return Ok(RemovedFiles::default());
        }
        let listed: HashMap<String, &str> =
            next.rows.iter().map(|row| (row.name.to_ascii_lowercase(), &*row.name)).collect();
        let mut names = None;
        let mut removed = RemovedFiles::default();
        let mut left = Vec::new();
        for name in mem::take(&mut next.unlisted) {
            if let Some(other) = listed.get(&name.to_ascii_lowercase()) {
                // The names differ only in case. On a file system that ignores case, both refer to the new file, which
                // must stay. On other file systems, the directory lists both names.
                let names: &HashSet<String> = match &names {
                    Some(names) => names,
                    None => names.insert(self.list()?),
                };
                if !(names.contains(&name) && names.contains(*other)) {
                    continue;
                }
            }
            match self.storage.remove(&name) {
                Ok(()) => removed.count += 1,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => left.push(name),
            }
        }
        removed.left = left.len() as u64;
        next.unlisted = left;
        Ok(removed)
    }

    fn list(&self) -> Result<HashSet<String>, PublishError> {
        let names = self.storage.list().map_err(|error| io_error("list", &**self.storage, "", error))?;
        Ok(names.into_iter().collect())
    }

    fn sync_if(&self, is_changed: bool) -> Result<(), PublishError> {
        if is_changed { sync_names(self.storage) } else { Ok(()) }
    }

    /// Gives child sitemaps their final names. Returns `true` if at least one of them had a temporary name.
    fn place_children(&self, rows: &mut [&mut Row]) -> Result<bool, PublishError> {
        const FEW: usize = 4;

        // An object store takes about ten milliseconds to rename a file but handles many requests at once, so several
        // threads rename the files. Other storages rename a file in microseconds and don't need threads. Storage
        // without locks is assumed to be an object store.
        let new_files = rows.iter().filter(|row| row.staged.is_some()).count();
        if self.exclusion.is_locked() || new_files < FEW {
            return self.place_in_order(rows);
        }
        let new_files = rows.iter_mut().filter(|row| row.staged.is_some());
        // All files are renamed, even after an error.
        let placed = threads::map(REQUESTS_AT_ONCE, new_files, |row| {
            let staged = row.staged.take().unwrap_or_default();
            let placed = place(&**self.storage, &staged, (**row).clone(), false, None);
            Ok::<_, Infallible>((row, placed))
        });
        let mut result = Ok(());
        for (row, placed) in placed.unwrap_or_else(|never| match never {}) {
            match placed {
                Ok(Some(placed)) => {
                    self.is_started.store(true, Ordering::Relaxed);
                    row.metadata = placed.metadata;
                }
                Ok(None) => result = result.and_then(|()| Err(self.overtaken())),
                Err(error) => result = result.and(Err(error)),
            }
        }
        result.map(|()| true)
    }

    fn place_in_order(&self, rows: &mut [&mut Row]) -> Result<bool, PublishError> {
        let mut is_changed = false;
        for row in rows {
            let Some(staged) = row.staged.take() else { continue };
            let is_locked = self.exclusion.is_locked();
            let seen = match row.kind {
                Kind::Feed => self.exclusion.feed(),
                _ => self.exclusion.seen().entry_point.as_ref(),
            };
            match place(&**self.storage, &staged, (**row).clone(), is_locked, seen)? {
                Some(placed) => row.metadata = placed.metadata,
                // Another run has completed the commit of this run, and a later run has since replaced the set.
                None => return Err(self.overtaken()),
            }
            self.is_started.store(true, Ordering::Relaxed);
            is_changed = true;
        }
        Ok(is_changed)
    }

    /// Removes the journal. On storage without locks, doesn't remove a journal that another run wrote.
    fn remove(&self) -> Result<(), PublishError> {
        if self.exclusion.is_locked() || self.replace_by_note()? {
            remove(self.storage, names::JOURNAL)
        } else {
            Ok(())
        }
    }

    /// Replaces the journal with a note that it is about to be removed. Returns `false` if another run has replaced or
    /// removed the journal. A file can't be removed on the condition that it is unchanged, but no run creates a journal
    /// while the note exists.
    fn replace_by_note(&self) -> Result<bool, PublishError> {
        let storage = &**self.storage;
        let failed = |error| io_error("remove", storage, names::JOURNAL, error);
        let seen = storage.metadata(names::JOURNAL).map_err(failed)?;
        // The metadata is read before the text. So if the text is still that of this run's journal, `seen` is the
        // journal's metadata.
        match manifest::read_text(storage, names::JOURNAL) {
            Ok(text) if text == self.text => {}
            Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
                return Err(failed(error));
            }
            _ => return Ok(false),
        }
        let mut note = StagedFile::create(self.storage, names::JOURNAL)?;
        // The text must differ from that of any other run's note.
        let text = format!("{}\n", temporary_name("removed"));
        note.write_all(text.as_bytes()).map_err(failed)?;
        note.seal()?.rename_if(names::JOURNAL, seen.as_ref())
    }
}

/// Publishes the next set. All of its new files are complete and have temporary names.
///
/// If an error occurs before the first file has its final name, the old set stays published and the new files are
/// removed. If an error occurs later, the next run completes the new set.
pub(super) fn carry_out(
    storage: &Arc<dyn Storage>,
    exclusion: &Exclusion,
    published: &KnownManifest,
    mut next: Manifest,
    staged: Vec<SealedFile>,
) -> Result<RemovedFiles, PublishError> {
    // A temporary name is different each time, even across processes and machines.
    let run = temporary_name(names::JOURNAL);
    next.run = Some(run.clone());
    if !exclusion.is_locked() {
        next.add_run(run.clone());
    }
    let journal = Journal::new(storage, exclusion, next.to_journal(published));
    journal.check_places(&next)?;
    if let Err(error) = journal.write() {
        // The response to the request may have been lost. While the storage retried it, another run may have completed
        // this commit and removed the journal.
        let is_done = is_overtaken(&error) && was_carried_out(&**storage, &run)?;
        return if is_done { Ok(RemovedFiles::default()) } else { Err(error) };
    }
    let result = match exclusion.is_unchanged(&**storage) {
        Ok(true) => sync_names(storage).and_then(|()| journal.roll_forward(next)),
        Ok(false) => journal.settle(next),
        Err(error) => Err(error),
    };
    let is_overtaken = result.as_ref().is_err_and(is_overtaken);
    // On storage without locks, another run can start completing the commit as soon as the journal exists.
    let may_be_started = !exclusion.is_locked() || journal.is_started.load(Ordering::Relaxed);
    let is_given_up = is_overtaken || result.is_err() && !may_be_started;
    // If the journal can't be removed, the new files must stay too: the journal names them, so the next run needs them.
    if !is_given_up || journal.remove().is_err() {
        staged.into_iter().for_each(SealedFile::keep);
    }
    // Before this run's journal was removed, another run may have completed the commit, and a later run may then have
    // replaced the set.
    if is_overtaken && was_carried_out(&**storage, &run)? {
        return Ok(RemovedFiles::default());
    }
    result
}

/// Finishes an earlier run that was interrupted. Removes the journal instead if it is damaged, names missing files, or
/// doesn't continue the published manifest.
///
/// On storage without locks, the earlier run may still be active. Then both runs perform the same steps. That does no
/// harm, because each step has the same result whether one or both runs perform it.
pub(super) fn recover(storage: &Arc<dyn Storage>, exclusion: &mut Exclusion) -> Result<(), PublishError> {
    if !exists(&**storage)? {
        return Ok(());
    }
    // The run that wrote the journal may have started after another commit that this run hasn't seen.
    exclusion.record_state(&**storage)?;
    let text = match manifest::read_text(&**storage, names::JOURNAL) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => String::new(),
        Err(error) => return Err(io_error("read", &**storage, names::JOURNAL, error)),
    };
    let published = match Manifest::read(&**storage, names::MANIFEST, None)? {
        Found::Intact(published) => published,
        Found::Missing | Found::Unreadable => Arc::default(),
    };
    let found = FoundJournal::parse(&text, &published);
    if let FoundJournal::Intact(next) = &found
        && next.rows.iter().any(|row| row.kind == Kind::Feed && row.staged.is_some())
    {
        exclusion.record_feed(&**storage)?;
    }
    let journal = Journal::new(storage, exclusion, text);
    match found {
        // The journal is damaged, or it is the note of a run that was killed before it removed its journal.
        FoundJournal::Damaged => remove(storage, names::JOURNAL),
        FoundJournal::Intact(next) if can_be_completed(&**storage, journal.exclusion, &next)? => {
            journal.roll_forward(*next).map(drop)
        }
        // Without a lock, another run may have written its own journal in the meantime, so `remove` compares it first.
        FoundJournal::Intact(_) | FoundJournal::OfOtherSet => journal.remove(),
    }
}

/// Returns `false` if another run has replaced the set since this journal's run started, or if that run removed its new
/// files before it renamed any of them.
fn can_be_completed(
    storage: &dyn Storage,
    exclusion: &Exclusion,
    next: &Manifest,
) -> Result<bool, PublishError> {
    if !exclusion.is_locked() && is_stale(storage, next)? {
        return Ok(false);
    }
    for row in &next.rows {
        if !can_be_placed(storage, row)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns `true` if there is a journal.
pub(super) fn exists(storage: &dyn Storage) -> Result<bool, PublishError> {
    let found = storage.metadata(names::JOURNAL);
    Ok(found.map_err(|error| io_error("read", storage, names::JOURNAL, error))?.is_some())
}

fn is_overtaken(error: &PublishError) -> bool {
    matches!(error.kind(), PublishErrorKind::Overtaken { .. })
}

/// Returns `true` if the published set contains the changes of this run, or a later run has replaced them.
fn was_carried_out(storage: &dyn Storage, run: &str) -> Result<bool, PublishError> {
    let found = Manifest::read(storage, names::MANIFEST, None)?;
    Ok(matches!(found, Found::Intact(found) if found.manifest.runs.iter().any(|found| found == run)))
}

/// Returns `true` if another run has replaced the set since this journal's run started. In that case, this journal's
/// run was overtaken, and its set would undo the newer one.
fn is_stale(storage: &dyn Storage, journal: &Manifest) -> Result<bool, PublishError> {
    let Some(replaced) = journal.replaces.as_deref().and_then(Replaced::parse) else { return Ok(false) };
    let next = journal.rows.iter().find(|row| *row.name == *names::ENTRY_POINT).map(|row| row.digest);
    Ok(!replaced.may_become(storage, next)?)
}

/// Gives a file its final name, unless it already has that name. Returns `None` if another run has replaced the set.
fn place(
    storage: &dyn Storage,
    staged: &str,
    mut row: Row,
    is_locked: bool,
    seen: Option<&Metadata>,
) -> Result<Option<Row>, PublishError> {
    let is_conditional = *row.name == *names::ENTRY_POINT || row.kind == Kind::Feed;
    let placed = if is_locked || !is_conditional {
        storage.rename(staged, &row.name).map(|()| true)
    } else {
        storage.rename_if(staged, &row.name, seen)
    };
    let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    match placed {
        Ok(true) => {}
        Err(error) if !is_gone(&error) => return Err(io_error("replace", storage, &row.name, error)),
        _ if is_placed(storage, &row)? => {}
        Err(error) if is_locked => return Err(io_error("replace", storage, &row.name, error)),
        _ => return Ok(None),
    }
    if let Ok(Some(metadata)) = storage.metadata(&row.name) {
        row.metadata = metadata;
    }
    Ok(Some(row))
}

fn can_be_placed(storage: &dyn Storage, row: &Row) -> Result<bool, PublishError> {
    let Some(staged) = &row.staged else { return Ok(true) };
    let found = storage.metadata(staged).map_err(|error| io_error("read", storage, staged, error))?;
    Ok(found.is_some() || is_placed(storage, row)?)
}

fn is_placed(storage: &dyn Storage, row: &Row) -> Result<bool, PublishError> {
    match storage.open(&row.name).and_then(Digest::of_reader) {
        Ok(digest) => Ok(digest == row.digest),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io_error("read", storage, &row.name, error)),
    }
}

pub(super) fn write_manifest(
    storage: &Arc<dyn Storage>,
    exclusion: &Exclusion,
    manifest: &Manifest,
) -> Result<(), PublishError> {
    let file = SealedFile::write(storage, names::MANIFEST, manifest.to_text().as_bytes())?;
    if exclusion.is_locked() {
        return file.rename(names::MANIFEST);
    }
    // A manifest that has changed since this run started describes a later set, so it isn't replaced.
    file.rename_if(names::MANIFEST, exclusion.seen().manifest.as_ref()).map(drop)
}

/// Removes the temporary files of interrupted runs. On storage without locks, another run may be active, so only files
/// that are more than a day old are removed. The same applies to shards and servers' notes, because their writers never
/// lock the storage.
pub(super) fn remove_leftovers(storage: &dyn Storage, is_locked: bool) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    let is_old = |name: &str| {
        let metadata = storage.metadata(name).ok().flatten();
        metadata
            .and_then(|metadata| clock::now().ok()?.duration_since(metadata.modified).ok())
            .is_some_and(|age| age > DAY)
    };
    // Errors are ignored: leftover files do no harm, and the next run tries again.
    for name in storage.list_temporary().unwrap_or_default() {
        let is_protected = is_locked && !is_shard(&name) && !is_note(&name);
        if names::is_temporary(&name) && (is_protected || is_old(&name)) {
            let _ = storage.remove(&name);
        }
    }
}

/// Returns `true` for the temporary name of a file that another program stores next to the set, such as the note that
/// servers use to share their refreshes.
fn is_note(name: &str) -> bool {
    let is_of_runs = |name| matches!(name, names::MANIFEST | names::JOURNAL);
    final_name(name).is_some_and(|name| name.starts_with(".sitemap-") && !is_of_runs(name))
}

/// Returns `true` for the temporary name of a shard.
fn is_shard(name: &str) -> bool {
    final_name(name).is_some_and(|name| names::section_of_shard(name).is_some())
}

fn remove(storage: &Arc<dyn Storage>, name: &str) -> Result<(), PublishError> {
    match storage.remove(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("remove", &**storage, name, error))
        }
        _ => Ok(()),
    }
}

fn sync_names(storage: &Arc<dyn Storage>) -> Result<(), PublishError> {
    storage.sync_names().map_err(|error| io_error("sync the directory", &**storage, "", error))
}

fn io_error(action: &'static str, storage: &dyn Storage, name: &str, error: io::Error) -> PublishError {
    PublishError::io(action, &storage.locate(name), error)
}
