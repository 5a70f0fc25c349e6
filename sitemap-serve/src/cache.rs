//! The files of a storage, as many of them in memory as there is room for.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::file::File;
use super::report;
use super::source::{Found, Source};
use sitemap_core::Storage;
use sitemap_core::publish::ENTRY_POINT;
use sitemap_core::storage::Metadata;

#[derive(Debug)]
pub(super) struct Cache {
    storage: Arc<dyn Storage>,
    /// In bytes; a file that is larger is not kept.
    room: u64,
    /// For how long a file is taken for unchanged without another look.
    trust: Duration,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    files: HashMap<String, Entry>,
    /// Counts the uses, so that the last one of each file has a number.
    uses: u64,
}

#[derive(Debug)]
struct Entry {
    file: Arc<File>,
    stat: Metadata,
    seen: Instant,
    used: u64,
}

impl Cache {
    pub(super) fn new(storage: Arc<dyn Storage>, room: u64, trust: Duration) -> Self {
        Self { storage, room, trust, kept: Mutex::default() }
    }

    /// The same storage, kept otherwise.
    pub(super) fn with(&self, room: Option<u64>, trust: Option<Duration>) -> Self {
        let storage = Arc::clone(&self.storage);
        Self::new(storage, room.unwrap_or(self.room), trust.unwrap_or(self.trust))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A map of finished files is whole at any moment.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file, read again if it is not the one that is kept.
    fn look(&self, name: &str) -> io::Result<Option<Arc<File>>> {
        let Some(stat) = self.storage.metadata(name)? else {
            self.kept().files.remove(name);
            return Ok(None);
        };
        if let Some(file) = self.kept().confirm(name, &stat) {
            return Ok(Some(file));
        }
        let Some((file, stat)) = self.load(name, stat)? else { return Ok(None) };
        let file = Arc::new(file);
        if file.weight() <= self.room {
            self.kept().insert(name, Arc::clone(&file), stat, self.room);
        }
        Ok(Some(file))
    }

    /// The bytes with the size and date that belong to them: a file may be replaced between the looks at
    /// both.
    fn load(&self, name: &str, mut stat: Metadata) -> io::Result<Option<(File, Metadata)>> {
        const TRIES: usize = 4;

        let mut tries = TRIES;
        loop {
            let bytes = match self.storage.bytes(name) {
                Some(bytes) => Bytes::from_owner(bytes),
                None => match self.read(name, stat.len) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    read => read?,
                },
            };
            let Some(after) = self.storage.metadata(name)? else { return Ok(None) };
            tries -= 1;
            if after == stat && bytes.len() as u64 == stat.len {
                let modified = stat.modified;
                return Ok(Some((File::new(name, bytes, Some(modified)), stat)));
            }
            if tries == 0 {
                return Err(io::Error::other("the file changes faster than it is read"));
            }
            stat = after;
        }
    }

    fn read(&self, name: &str, len: u64) -> io::Result<Bytes> {
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or_default());
        // No more than it says, whatever is read from.
        self.storage.open(name)?.take(len.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}

impl Source for Cache {
    fn at_hand(&self, name: &str) -> Option<Found> {
        let mut kept = self.kept();
        if kept.files.get(name)?.seen.elapsed() >= self.trust {
            return None;
        }
        kept.take(name).map(Found::File)
    }

    fn find(&self, name: &str) -> Found {
        if let Some(found) = self.at_hand(name) {
            return found;
        }
        let looked = match self.look(name) {
            Ok(None) if name != ENTRY_POINT => self.storage.metadata(ENTRY_POINT).map(|stat| match stat {
                Some(_) => Found::Missing,
                None => Found::NoSet,
            }),
            Ok(None) => Ok(Found::NoSet),
            Ok(Some(file)) => Ok(Found::File(file)),
            Err(error) => Err(error),
        };
        looked.unwrap_or_else(|error| {
            report::unreadable(name, &error);
            // An old file is better than none, and the next look may succeed.
            self.kept().take(name).map_or(Found::Failed, Found::File)
        })
    }
}

impl Kept {
    fn take(&mut self, name: &str) -> Option<Arc<File>> {
        self.uses += 1;
        let entry = self.files.get_mut(name)?;
        entry.used = self.uses;
        Some(Arc::clone(&entry.file))
    }

    /// Takes a file that has not changed, and trusts it anew.
    fn confirm(&mut self, name: &str, stat: &Metadata) -> Option<Arc<File>> {
        let entry = self.files.get_mut(name).filter(|entry| entry.stat == *stat)?;
        entry.seen = Instant::now();
        self.take(name)
    }

    /// Keeps a file; those that were not asked for longest make room.
    fn insert(&mut self, name: &str, file: Arc<File>, stat: Metadata, room: u64) {
        self.uses += 1;
        let entry = Entry { file, stat, seen: Instant::now(), used: self.uses };
        self.files.insert(name.to_owned(), entry);
        let mut weight: u64 = self.files.values().map(|entry| entry.file.weight()).sum();
        while weight > room {
            let Some(oldest) = self.files.iter().min_by_key(|(_, entry)| entry.used).map(|(name, _)| name)
            else {
                return;
            };
            let oldest = oldest.clone();
            if let Some(gone) = self.files.remove(&oldest) {
                weight -= gone.file.weight().min(weight);
            }
        }
    }
}
