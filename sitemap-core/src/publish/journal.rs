//! The journal: once it is written, the next set will stand, by this run or by a later one.
//!
//! It is written when every file of the set is whole under its temporary name. Each step of
//! [`roll_forward`] can be taken again, so a run that was cut off anywhere is finished by taking all
//! steps from the first.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::digest::Digest;
use super::manifest::{Manifest, Row};
use super::name;
use super::run::{Exclusion, Seen};
use super::staged::SealedFile;
use super::storage::Storage;
use crate::error::{Error, ErrorKind};

/// Puts the set in place whose files are staged.
///
/// On an error before the first file has its name, the old set stands and nothing is left over; on a
/// later one, the next run goes on.
pub(super) fn carry_out(
    storage: &Arc<dyn Storage>,
    exclusion: &Exclusion,
    next: Manifest,
    staged: Vec<SealedFile>,
) -> Result<Manifest, Error> {
    let mut journal = Journal { storage, exclusion, text: next.to_text() };
    journal.write()?;
    if exclusion.is_lock() {
        // Nobody else can have written it since.
        journal.text = String::new();
    }
    let is_begun = AtomicBool::new(false);
    let result = match journal.check_seen().and_then(|()| sync(storage)) {
        Ok(()) => journal.roll_forward(next, &is_begun),
        Err(error) => Err(error),
    };
    let is_void = matches!(&result, Err(error) if matches!(error.kind(), ErrorKind::Overtaken { .. }));
    let is_left_to_next = is_begun.into_inner() && !is_void;
    // If the journal cannot be removed, its files must stay as well.
    if result.is_ok() || is_left_to_next || journal.remove().is_err() {
        staged.into_iter().for_each(SealedFile::keep);
    }
    result
}

/// What a run, this one or one before, has promised to do.
#[derive(Debug)]
struct Journal<'r> {
    storage: &'r Arc<dyn Storage>,
    exclusion: &'r Exclusion,
    text: String,
}

impl Journal<'_> {
    fn write(&self) -> Result<(), Error> {
        let file = SealedFile::write(self.storage, name::JOURNAL, self.text.as_bytes())?;
        if self.exclusion.is_lock() {
            return file.rename(name::JOURNAL);
        }
        // Whoever has the journal replaces the set; all others come too late.
        if file.switch(name::JOURNAL, None)? { Ok(()) } else { Err(self.overtaken()) }
    }

    /// Whether the set is still the one that stood when the run began.
    fn check_seen(&self) -> Result<(), Error> {
        let is_same = self.exclusion.is_lock() || Seen::look(&**self.storage)? == *self.exclusion.seen();
        if is_same { Ok(()) } else { Err(self.overtaken()) }
    }

    fn overtaken(&self) -> Error {
        ErrorKind::Overtaken { path: self.storage.locate(name::ENTRY_POINT) }.into()
    }

    /// Takes every step that is left, and returns the manifest of the set that stands then.
    fn roll_forward(&self, mut next: Manifest, is_begun: &AtomicBool) -> Result<Manifest, Error> {
        let storage = self.storage;
        let (mut entrances, mut children): (Vec<&mut Row>, Vec<&mut Row>) =
            next.rows.iter_mut().partition(|row| row.is_entrance());
        // A reader that has an index must find all it lists, and the entry point is the first of them.
        entrances.reverse();
        for rows in [&mut children, &mut entrances] {
            if self.place_all(rows, is_begun)? {
                sync(storage)?;
            }
        }
        next.unlisted.retain(|name| remove(storage, name).is_err());
        write_manifest(storage, self.exclusion, &next)?;
        sync(storage)?;
        self.remove()?;
        Ok(next)
    }

    /// Gives files their names; says whether one was without.
    ///
    /// Object stores take some ten milliseconds for each step, and many steps at once.
    fn place_all(&self, rows: &mut [&mut Row], is_begun: &AtomicBool) -> Result<bool, Error> {
        const AT_ONCE: usize = 16;
        const FEW: usize = 4;

        let place = |rows: &mut [&mut Row]| {
            rows.iter_mut().try_fold(false, |is_changed, row| {
                let is_placed = self.place(row)?;
                is_begun.fetch_or(is_placed, Ordering::Relaxed);
                Ok(is_changed | is_placed)
            })
        };
        let is_index = rows.first().is_some_and(|row| row.is_entrance());
        if self.exclusion.is_lock() || is_index || rows.len() < FEW {
            return place(rows);
        }
        thread::scope(|scope| {
            let spawn = |rows| thread::Builder::new().spawn_scoped(scope, move || place(rows));
            let threads: Vec<_> = rows.chunks_mut(rows.len().div_ceil(AT_ONCE)).map(spawn).collect();
            // All are waited for, whatever comes of one.
            threads.into_iter().try_fold(false, |is_changed, thread| {
                let thread = thread.map_err(|error| Error::io("begin a thread for", None, error))?;
                Ok(is_changed | thread.join().map_err(|_| ErrorKind::Aborted)??)
            })
        })
    }

    /// Gives a file its name, unless it has it.
    fn place(&self, row: &mut Row) -> Result<bool, Error> {
        let Some(staged) = row.staged.take() else { return Ok(false) };
        let (storage, is_lock) = (self.storage, self.exclusion.is_lock());
        let placed = if is_lock || row.name != name::ENTRY_POINT {
            storage.rename(&staged, &row.name).map(|()| true)
        } else {
            storage.switch(&staged, &row.name, self.exclusion.seen().entry_point.as_ref())
        };
        let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        match placed {
            Ok(true) => {}
            Err(error) if !is_gone(&error) => return Err(io_error("replace", storage, &row.name, error)),
            _ if is_placed(storage, row)? => {}
            // Another run has finished this one's work, and a later one has replaced it.
            Ok(false) | Err(_) if !is_lock => return Err(self.overtaken()),
            Err(error) => return Err(io_error("replace", storage, &row.name, error)),
            Ok(false) => return Err(self.overtaken()),
        }
        if let Ok(Some(stat)) = storage.stat(&row.name) {
            row.stat = stat;
        }
        Ok(true)
    }

    /// Removes the journal. Without a lock: if it is still this one.
    fn remove(&self) -> Result<(), Error> {
        if !self.exclusion.is_lock() {
            let mut text = String::new();
            let read = self.storage.open(name::JOURNAL).and_then(|mut file| file.read_to_string(&mut text));
            if read.is_ok() && text != self.text {
                return Ok(());
            }
        }
        remove(self.storage, name::JOURNAL)
    }
}

/// Finishes what a run before this one was cut off from, or drops it.
///
/// Without a lock that run may still be at it. Then both take the same steps, each of which comes out
/// the same whoever takes it.
pub(super) fn recover(storage: &Arc<dyn Storage>, exclusion: &Exclusion) -> Result<(), Error> {
    let is_there =
        storage.stat(name::JOURNAL).map_err(|error| io_error("read", storage, name::JOURNAL, error))?;
    if is_there.is_none() {
        return Ok(());
    }
    if let Some(next) = Manifest::read(&**storage, name::JOURNAL)? {
        let mut is_complete = true;
        for row in &next.rows {
            is_complete &= can_be_placed(storage, row)?;
        }
        if is_complete {
            let journal = Journal { storage, exclusion, text: next.to_text() };
            return journal.roll_forward(next, &AtomicBool::new(false)).map(drop);
        }
    }
    // Its files went before one of them got its name, or somebody has changed the set since.
    remove(storage, name::JOURNAL)
}

fn can_be_placed(storage: &Arc<dyn Storage>, row: &Row) -> Result<bool, Error> {
    let Some(staged) = &row.staged else { return Ok(true) };
    let stat = storage.stat(staged).map_err(|error| io_error("read", storage, staged, error))?;
    Ok(stat.is_some() || is_placed(storage, row)?)
}

fn is_placed(storage: &Arc<dyn Storage>, row: &Row) -> Result<bool, Error> {
    match storage.open(&row.name).and_then(Digest::of_all) {
        Ok(digest) => Ok(digest == row.digest),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io_error("read", storage, &row.name, error)),
    }
}

pub(super) fn write_manifest(
    storage: &Arc<dyn Storage>,
    exclusion: &Exclusion,
    manifest: &Manifest,
) -> Result<(), Error> {
    let file = SealedFile::write(storage, name::MANIFEST, manifest.to_text().as_bytes())?;
    if exclusion.is_lock() {
        return file.rename(name::MANIFEST);
    }
    // If it is not the one that was seen, it tells of a later set, and this one has nothing to add.
    file.switch(name::MANIFEST, exclusion.seen().manifest.as_ref()).map(drop)
}

/// Removes what runs that were cut off have left. Without a lock: what is a day old, since another run
/// may be at work.
pub(super) fn remove_leftovers(storage: &dyn Storage, is_locked: bool) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    let is_old = |name: &str| {
        let stat = storage.stat(name).ok().flatten();
        stat.and_then(|stat| stat.modified.elapsed().ok()).is_some_and(|age| age > DAY)
    };
    // What cannot be removed now will be tried again; nothing depends on it.
    for name in storage.names().unwrap_or_default() {
        if name::is_temporary(&name) && (is_locked || is_old(&name)) {
            let _ = storage.remove(&name);
        }
    }
}

fn remove(storage: &Arc<dyn Storage>, name: &str) -> Result<(), Error> {
    match storage.remove(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("remove", storage, name, error))
        }
        _ => Ok(()),
    }
}

fn sync(storage: &Arc<dyn Storage>) -> Result<(), Error> {
    storage.sync().map_err(|error| io_error("sync the directory", storage, "", error))
}

fn io_error(action: &'static str, storage: &Arc<dyn Storage>, name: &str, error: io::Error) -> Error {
    Error::io(action, Some(&storage.locate(name)), error)
}
