//! The journal: once it is written, the next set will stand, by this run or by a later one.
//!
//! It is written when every file of the set is whole under its temporary name. Each step of
//! [`roll_forward`] can be taken again, so a run that was cut off anywhere is finished by taking all
//! steps from the first.

use std::io;
use std::sync::Arc;

use super::digest::Digest;
use super::manifest::{Manifest, Row};
use super::name;
use super::staged::SealedFile;
use super::storage::Storage;
use crate::error::Error;

/// Puts the set in place whose files are staged.
///
/// On an error before the first file has its name, the old set stands and nothing is left over; on a
/// later one, the next run goes on.
pub(super) fn carry_out(
    storage: &Arc<dyn Storage>,
    next: Manifest,
    staged: Vec<SealedFile>,
) -> Result<Manifest, Error> {
    let journal = SealedFile::write(storage, name::JOURNAL, next.to_text().as_bytes())?;
    journal.rename(name::JOURNAL)?;
    if let Err(error) = sync(storage) {
        // If it cannot be removed, its files must stay as well.
        if remove(storage, name::JOURNAL).is_err() {
            staged.into_iter().for_each(SealedFile::keep);
        }
        return Err(error);
    }
    let mut is_begun = false;
    let result = roll_forward(storage, next, &mut is_begun);
    if result.is_ok() || is_begun || remove(storage, name::JOURNAL).is_err() {
        staged.into_iter().for_each(SealedFile::keep);
    }
    result
}

/// Finishes what a run before this one was cut off from, or drops it.
pub(super) fn recover(storage: &Arc<dyn Storage>) -> Result<(), Error> {
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
            return roll_forward(storage, next, &mut false).map(drop);
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

/// Takes every step that is left, and returns the manifest of the set that stands then.
fn roll_forward(
    storage: &Arc<dyn Storage>,
    mut next: Manifest,
    is_begun: &mut bool,
) -> Result<Manifest, Error> {
    let (mut entrances, mut children): (Vec<&mut Row>, Vec<&mut Row>) =
        next.rows.iter_mut().partition(|row| row.is_entrance());
    // A reader that has an index must find all it lists, and the entry point is the first of them.
    entrances.reverse();
    for rows in [&mut children, &mut entrances] {
        let mut is_changed = false;
        for row in rows {
            is_changed |= place(storage, row)?;
            *is_begun |= is_changed;
        }
        if is_changed {
            sync(storage)?;
        }
    }
    next.unlisted.retain(|name| remove(storage, name).is_err());
    write_manifest(storage, &next)?;
    sync(storage)?;
    remove(storage, name::JOURNAL)?;
    Ok(next)
}

/// Gives a file its name, unless it has it.
fn place(storage: &Arc<dyn Storage>, row: &mut Row) -> Result<bool, Error> {
    let Some(staged) = row.staged.take() else { return Ok(false) };
    match storage.rename(&staged, &row.name) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_placed(storage, row)? => {}
        Err(error) => return Err(io_error("replace", storage, &row.name, error)),
    }
    if let Ok(Some(stat)) = storage.stat(&row.name) {
        row.stat = stat;
    }
    Ok(true)
}

pub(super) fn write_manifest(storage: &Arc<dyn Storage>, manifest: &Manifest) -> Result<(), Error> {
    SealedFile::write(storage, name::MANIFEST, manifest.to_text().as_bytes())?.rename(name::MANIFEST)
}

/// Removes what runs that were cut off have left. To be called with the lock held.
pub(super) fn remove_leftovers(storage: &Arc<dyn Storage>) {
    // What cannot be removed now will be tried again; nothing depends on it.
    for name in storage.names().unwrap_or_default() {
        if name::is_temporary(&name) {
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
