//! A cache of a storage's files, up to a given size.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::file::File;
use super::lock::lock;
use super::report;
use super::source::{Found, Source};
use sitemap_core::Storage;
use sitemap_core::publish::ENTRY_POINT;
use sitemap_core::storage::Metadata;

#[derive(Debug)]
pub(super) struct Cache {
    storage: Arc<dyn Storage>,
    /// The maximum total size of the cached files, in bytes. A single file that is larger is not cached.
    capacity: u64,
    /// The time after a check during which a file is not checked again.
    revalidate_after: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<String, Entry>,
    /// A counter that each use of any file increases. Each file stores the value of the counter at its last use.
    uses: u64,
}

#[derive(Debug)]
struct Entry {
    file: Arc<File>,
    metadata: Metadata,
    checked: Instant,
    last_use: u64,
}

impl Cache {
    pub(super) fn new(storage: Arc<dyn Storage>, capacity: u64, revalidate_after: Duration) -> Self {
        Self { storage, capacity, revalidate_after, state: Mutex::default() }
    }

    /// Returns an empty cache of the same storage, with other settings.
    pub(super) fn with(&self, capacity: Option<u64>, revalidate_after: Option<Duration>) -> Self {
        let storage = Arc::clone(&self.storage);
        Self::new(
            storage,
            capacity.unwrap_or(self.capacity),
            revalidate_after.unwrap_or(self.revalidate_after),
        )
    }

    /// Returns a file. Reads it again if it has changed since it was cached.
    fn fetch(&self, name: &str) -> io::Result<Option<Arc<File>>> {
        let Some(metadata) = self.storage.metadata(name)? else {
            lock(&self.state).files.remove(name);
            return Ok(None);
        };
        if let Some(file) = lock(&self.state).confirm(name, &metadata) {
            return Ok(Some(file));
        }
        let Some((file, metadata)) = self.load(name, metadata)? else { return Ok(None) };
        let file = Arc::new(file);
        if file.size() <= self.capacity {
            lock(&self.state).insert(name, Arc::clone(&file), metadata, self.capacity);
        }
        Ok(Some(file))
    }

    /// Reads a file's bytes and the metadata of the same version. The file may be replaced while it is read, so
    /// the metadata is requested again after reading and compared.
    fn load(&self, name: &str, mut metadata: Metadata) -> io::Result<Option<(File, Metadata)>> {
        const ATTEMPTS: usize = 4;

        let mut attempts = ATTEMPTS;
        loop {
            let bytes = match self.storage.bytes(name) {
                Some(bytes) => Bytes::from_owner(bytes),
                None => match self.read(name, metadata.len) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    read => read?,
                },
            };
            let Some(after) = self.storage.metadata(name)? else { return Ok(None) };
            attempts -= 1;
            if after == metadata && bytes.len() as u64 == metadata.len {
                let modified = metadata.modified;
                return Ok(Some((File::new(name, bytes, Some(modified)), metadata)));
            }
            if attempts == 0 {
                return Err(io::Error::other(format!(
                    "the file was replaced during each of {ATTEMPTS} attempts to read it"
                )));
            }
            metadata = after;
        }
    }

    fn read(&self, name: &str, len: u64) -> io::Result<Bytes> {
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or_default());
        // Reads at most one byte more than expected, which is enough to see that the file has grown.
        self.storage.open(name)?.take(len.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}

impl Source for Cache {
    fn find_ready(&self, name: &str) -> Option<Found> {
        let mut state = lock(&self.state);
        if state.files.get(name)?.checked.elapsed() >= self.revalidate_after {
            return None;
        }
        state.get(name).map(Found::File)
    }

    fn find(&self, name: &str) -> Found {
        if let Some(found) = self.find_ready(name) {
            return found;
        }
        let found = match self.fetch(name) {
            Ok(None) if name != ENTRY_POINT => {
                self.storage.metadata(ENTRY_POINT).map(|metadata| match metadata {
                    Some(_) => Found::Missing,
                    None => Found::NoSet,
                })
            }
            Ok(None) => Ok(Found::NoSet),
            Ok(Some(file)) => Ok(Found::File(file)),
            Err(error) => Err(error),
        };
        found.unwrap_or_else(|error| {
            report::unreadable(name, &error);
            // The cached file is served although it may be outdated. The next request tries the storage again.
            lock(&self.state).get(name).map_or(Found::Failed, Found::File)
        })
    }
}

impl State {
    fn get(&mut self, name: &str) -> Option<Arc<File>> {
        self.uses += 1;
        let entry = self.files.get_mut(name)?;
        entry.last_use = self.uses;
        Some(Arc::clone(&entry.file))
    }

    /// Returns the cached file if its metadata is unchanged, and restarts its revalidation period.
    fn confirm(&mut self, name: &str, metadata: &Metadata) -> Option<Arc<File>> {
        let entry = self.files.get_mut(name).filter(|entry| entry.metadata == *metadata)?;
        entry.checked = Instant::now();
        self.get(name)
    }

    /// Adds a file, and removes the least recently used files until the total size is at most `capacity`.
    fn insert(&mut self, name: &str, file: Arc<File>, metadata: Metadata, capacity: u64) {
        self.uses += 1;
        let entry = Entry { file, metadata, checked: Instant::now(), last_use: self.uses };
        self.files.insert(name.to_owned(), entry);
        let mut size: u64 = self.files.values().map(|entry| entry.file.size()).sum();
        while size > capacity {
            let Some(oldest) =
                self.files.iter().min_by_key(|(_, entry)| entry.last_use).map(|(name, _)| name)
            else {
                return;
            };
            let oldest = oldest.clone();
            if let Some(removed) = self.files.remove(&oldest) {
                size -= removed.file.size().min(size);
            }
        }
    }
}
