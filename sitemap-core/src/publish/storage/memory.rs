//! A storage that is a part of memory.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{Guard, NewFile, Stat, Storage};
use crate::error::{Error, ErrorKind};
use crate::publish::name;

/// Files in memory: for tests, and for servers that answer from it. Clones share them.
///
/// ```
/// use sitemap_core::{Memory, Publisher, Site};
///
/// let memory = Memory::new();
/// let mut publisher = Publisher::builder(Site::new("https://example.com")?).to_storage(memory.clone())?;
/// publisher.section("pages")?.add("/")?;
/// publisher.finish()?;
/// assert!(memory.get("sitemap.xml").is_some_and(|bytes| bytes.starts_with(b"<?xml")));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<String, Stored>,
    is_locked: bool,
}

#[derive(Clone, Debug)]
struct Stored {
    bytes: Arc<[u8]>,
    modified: SystemTime,
}

impl Memory {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A file's bytes.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<[u8]>> {
        self.state().files.get(name).map(|file| Arc::clone(&file.bytes))
    }

    /// The files as they are now, in a memory of their own: what happens to one does not show in the
    /// other. The bytes are shared, not copied.
    ///
    /// ```
    /// use sitemap_core::{Memory, Publisher, Site, Storage};
    ///
    /// let memory = Memory::new();
    /// let mut publisher = Publisher::builder(Site::new("https://example.com")?).to_storage(memory.clone())?;
    /// publisher.section("pages")?.add("/")?;
    /// publisher.finish()?;
    ///
    /// let before = memory.snapshot();
    /// memory.remove("sitemap.xml")?;
    /// assert!(memory.get("sitemap.xml").is_none());
    /// assert!(before.get("sitemap.xml").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let files = self.state().files.clone();
        Self { state: Arc::new(Mutex::new(State { files, is_locked: false })) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No step leaves the map half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for Memory {
    fn lock(&self) -> Result<Option<Guard>, Error> {
        if std::mem::replace(&mut self.state().is_locked, true) {
            let (path, pid) = (PathBuf::from(name::LOCK), Some(std::process::id()));
            return Err(ErrorKind::Locked { path, pid }.into());
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
        let files = &mut self.state().files;
        let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.state().files.remove(name).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn stat(&self, name: &str) -> io::Result<Option<Stat>> {
        Ok(self.state().files.get(name).map(Stored::stat))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        let bytes = self.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn in_memory(&self, name: &str) -> Option<Arc<[u8]>> {
        self.get(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.state().files.keys().cloned().collect())
    }

    fn persist(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Stored {
    fn stat(&self) -> Stat {
        Stat::new(self.bytes.len() as u64, self.modified)
    }
}

struct Unlock(Memory);

impl Drop for Unlock {
    fn drop(&mut self) {
        self.0.state().is_locked = false;
    }
}

/// A file that the map does not have yet.
#[derive(Debug)]
struct MemoryFile {
    memory: Memory,
    name: String,
    bytes: Vec<u8>,
}

impl NewFile for MemoryFile {
    fn finish(&mut self) -> io::Result<Stat> {
        let file = Stored { bytes: std::mem::take(&mut self.bytes).into(), modified: SystemTime::now() };
        let stat = file.stat();
        self.memory.state().files.insert(self.name.clone(), file);
        Ok(stat)
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
