//! A storage in memory.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{LockGuard, Metadata, NewFile, Storage, StorageError};
use crate::clock;

/// A storage in memory, for tests and for servers that answer from memory. Clones share their files.
///
/// ```
/// use sitemap_core::{Memory, Publisher, Site};
///
/// let memory = Memory::new();
/// let mut publisher = Publisher::builder(Site::new("https://example.com")?).to_storage(memory.clone())?;
/// publisher.section("pages")?.add("/")?;
/// publisher.finish()?;
/// assert!(memory.get("sitemap.xml").is_some_and(|bytes| bytes.starts_with(b"<?xml")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<Arc<str>, Stored>,
    is_locked: bool,
}

#[derive(Clone, Debug)]
struct Stored {
    bytes: Arc<[u8]>,
    modified: SystemTime,
}

impl Memory {
    /// Creates a storage without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes of a file, or `None` if there is no such file.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<[u8]>> {
        self.state().files.get(name).map(|file| Arc::clone(&file.bytes))
    }

    /// Returns a separate storage with the current files. Later changes to one of the storages do not affect the
    /// other. The bytes are shared, not copied.
    ///
    /// ```
    /// use sitemap_core::{Memory, Storage};
    ///
    /// let memory = Memory::new();
    /// memory.put("sitemap.xml", b"<urlset/>")?;
    ///
    /// let before = memory.snapshot();
    /// memory.remove("sitemap.xml")?;
    /// assert!(memory.get("sitemap.xml").is_none());
    /// assert!(before.get("sitemap.xml").is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let files = self.state().files.clone();
        Self { state: Arc::new(Mutex::new(State { files, is_locked: false })) }
    }

    /// Returns all files at one moment, in the order of their names: the name, the bytes and the time of the last change.
    /// The names and bytes are shared, not copied.
    ///
    /// ```
    /// use sitemap_core::{Memory, Storage};
    ///
    /// let memory = Memory::new();
    /// memory.put("sitemap.xml", b"<urlset/>")?;
    /// let files = memory.files();
    /// assert_eq!((&*files[0].0, &*files[0].1), ("sitemap.xml", &b"<urlset/>"[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn files(&self) -> Vec<(Arc<str>, Arc<[u8]>, SystemTime)> {
        let state = self.state();
        let files = state.files.iter();
        files.map(|(name, file)| (Arc::clone(name), Arc::clone(&file.bytes), file.modified)).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No operation can panic while it changes the map, so the map is complete even if the lock is poisoned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for Memory {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        if std::mem::replace(&mut self.state().is_locked, true) {
            // WebAssembly has no processes.
            let pid = (!cfg!(target_family = "wasm")).then(std::process::id);
            return Err(StorageError::Locked { path: "memory".into(), pid });
        }
        Ok(Some(Box::new(Unlock(self.clone()))))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        if self.state().files.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Box::new(MemoryFile { memory: self.clone(), name: name.to_owned(), bytes: Vec::new() }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.state().rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        let mut state = self.state();
        if state.files.get(to).map(Stored::metadata).as_ref() != seen {
            return Ok(false);
        }
        state.rename(from, to).map(|()| true)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.state().files.remove(name).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        Ok(self.state().files.get(name).map(Stored::metadata))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        let bytes = self.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn bytes(&self, name: &str) -> Option<Arc<[u8]>> {
        self.get(name)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.state().files.keys().map(ToString::to_string).collect())
    }

    fn sync_file(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    fn locate(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

impl State {
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let file = self.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        self.files.insert(to.into(), file);
        Ok(())
    }
}

impl Stored {
    fn metadata(&self) -> Metadata {
        Metadata::new(self.bytes.len() as u64, self.modified)
    }
}

struct Unlock(Memory);

impl Drop for Unlock {
    fn drop(&mut self) {
        self.0.state().is_locked = false;
    }
}

/// A file that is being written and is not in the map yet.
#[derive(Debug)]
struct MemoryFile {
    memory: Memory,
    name: String,
    bytes: Vec<u8>,
}

impl NewFile for MemoryFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        let modified = clock::now()?;
        let file = Stored { bytes: std::mem::take(&mut self.bytes).into(), modified };
        let metadata = file.metadata();
        self.memory.state().files.insert(self.name.as_str().into(), file);
        Ok(metadata)
    }
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
