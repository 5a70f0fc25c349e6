//! Stores files in memory.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{FileBytes, LockGuard, Metadata, NewFile, Storage, StorageError};
use crate::clock;

/// Storage in memory, for tests and for servers that respond from memory. Clones share their files.
///
/// ```
/// use sitemap_core::{Memory, Site, SitemapSet};
///
/// let memory = Memory::new();
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(memory.clone()).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
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

#[derive(Clone, Debug, PartialEq, Eq)]
struct Stored {
    content: Content,
    modified: SystemTime,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Plain(FileBytes),
    #[cfg(feature = "gzip")]
    Gzip {
        compressed: FileBytes,
        /// The number of bytes before compression.
        len: u64,
    },
}

/// A file of a [`Memory`]. Returned by [`Memory::files`].
///
/// ```
/// use sitemap_core::{Memory, Storage};
///
/// let memory = Memory::new();
/// memory.put("sitemap.xml", b"<urlset/>")?;
/// let file = &memory.files()[0];
/// assert_eq!((&**file.name(), file.bytes().len()), ("sitemap.xml", 9));
/// assert!(file.compressed().is_none() && Some(file.modified()) == memory.metadata("sitemap.xml")?.map(|found| found.modified));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFile {
    name: Arc<str>,
    stored: Stored,
}

impl MemoryFile {
    /// Returns the file name.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the bytes of the file without copying them. For a [compressed](Memory::compress) file, decompresses
    /// them.
    #[must_use]
    pub fn bytes(&self) -> FileBytes {
        self.stored.content.bytes()
    }

    /// Returns the bytes of a [compressed](Memory::compress) file in gzip format, or `None` if the file isn't
    /// compressed.
    #[must_use]
    pub fn compressed(&self) -> Option<&FileBytes> {
        match &self.stored.content {
            Content::Plain(_) => None,
            #[cfg(feature = "gzip")]
            Content::Gzip { compressed, .. } => Some(compressed),
        }
    }

    /// Returns the time of the last change.
    #[must_use]
    pub fn modified(&self) -> SystemTime {
        self.stored.modified
    }
}

impl Content {
    fn len(&self) -> u64 {
        match self {
            Self::Plain(bytes) => bytes.len() as u64,
            #[cfg(feature = "gzip")]
            Self::Gzip { len, .. } => *len,
        }
    }

    fn bytes(&self) -> FileBytes {
        match self {
            Self::Plain(bytes) => bytes.clone(),
            #[cfg(feature = "gzip")]
            Self::Gzip { compressed, len } => decompress(compressed, *len),
        }
    }
}

/// Decompresses the output of [`Memory::compress`].
#[cfg(feature = "gzip")]
fn decompress(compressed: &[u8], len: u64) -> FileBytes {
    let mut bytes = FileBytes::buffer(usize::try_from(len).unwrap_or_default());
    let read = flate2::read::GzDecoder::new(compressed).read_to_end(&mut bytes);
    debug_assert_eq!(read.ok().map(|read| read as u64), Some(len));
    bytes.into()
}

impl Memory {
    /// Creates a `Memory` without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes of a file, or `None` if there is no such file. Decompresses a [compressed](Self::compress)
    /// file.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<FileBytes> {
        self.content(name).map(|content| content.bytes())
    }

    /// Returns a separate `Memory` with the current files. Later changes to one don't affect the other. The bytes are
    /// shared, not copied.
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

    /// Returns a snapshot of all files, sorted by name. Names and bytes are shared, not copied.
    #[must_use]
    pub fn files(&self) -> Vec<MemoryFile> {
        let state = self.state();
        let files = state.files.iter();
        files.map(|(name, stored)| MemoryFile { name: Arc::clone(name), stored: stored.clone() }).collect()
    }

    /// Compresses a file in memory with gzip level 6, for servers that keep rarely read files. All methods still behave
    /// as if the file were uncompressed, and decompress it on each read. Returns the compressed bytes, or `None` if the
    /// file doesn't exist or wouldn't become smaller. In the latter case, it stays uncompressed.
    ///
    /// ```
    /// use sitemap_core::{Memory, Storage};
    ///
    /// let memory = Memory::new();
    /// memory.put("sitemap.xml", "<url/>".repeat(1000).as_bytes())?;
    /// assert!(memory.compress("sitemap.xml")?.is_some_and(|compressed| compressed.len() < 100));
    /// assert_eq!(memory.metadata("sitemap.xml")?.map(|metadata| metadata.len), Some(6000));
    /// assert!(memory.get("sitemap.xml").is_some_and(|bytes| bytes.len() == 6000));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the encoder fails.
    #[cfg(feature = "gzip")]
    pub fn compress(&self, name: &str) -> io::Result<Option<FileBytes>> {
        let content = match self.content(name) {
            None => return Ok(None),
            Some(Content::Gzip { compressed, .. }) => return Ok(Some(compressed)),
            Some(content) => content,
        };
        let plain = content.bytes();
        let out = FileBytes::buffer(plain.len());
        let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::new(6));
        encoder.write_all(&plain)?;
        let (compressed, len) = (FileBytes::from(encoder.finish()?), content.len());
        let is_smaller = (compressed.len() as u64) < len;
        let new = Content::Gzip { compressed: compressed.clone(), len };
        Ok((is_smaller && self.exchange(name, &content, new)).then_some(compressed))
    }

    /// Decompresses a file, for example because it is now read more often. Does nothing if the file doesn't exist or
    /// isn't [compressed](Self::compress).
    ///
    /// ```
    /// use sitemap_core::{Memory, Storage};
    ///
    /// let memory = Memory::new();
    /// memory.put("sitemap.xml", "<url/>".repeat(1000).as_bytes())?;
    /// memory.compress("sitemap.xml")?;
    /// assert!(memory.files()[0].compressed().is_some());
    /// memory.decompress("sitemap.xml");
    /// assert!(memory.files()[0].compressed().is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "gzip")]
    pub fn decompress(&self, name: &str) {
        let Some(content @ Content::Gzip { .. }) = self.content(name) else { return };
        self.exchange(name, &content, Content::Plain(content.bytes()));
    }

    /// Swaps the content of a file between its compressed and uncompressed form. Returns `false` if the file has been
    /// replaced in the meantime.
    #[cfg(feature = "gzip")]
    fn exchange(&self, name: &str, old: &Content, new: Content) -> bool {
        let mut state = self.state();
        let file = state.files.get_mut(name).filter(|file| file.content == *old);
        file.map(|file| file.content = new).is_some()
    }

    fn content(&self, name: &str) -> Option<Content> {
        self.state().files.get(name).map(|stored| stored.content.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No operation can panic while it changes the map, so the map is intact even if the lock is poisoned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for Memory {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        if std::mem::replace(&mut self.state().is_locked, true) {
            // WebAssembly doesn't have processes.
            let pid = (!cfg!(target_family = "wasm")).then(std::process::id);
            return Err(StorageError::Locked { path: "memory".into(), pid });
        }
        Ok(Some(Box::new(Unlock(self.clone()))))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        if self.state().files.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Box::new(NewMemoryFile { memory: self.clone(), name: name.to_owned(), bytes: Vec::new() }))
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

    fn bytes(&self, name: &str) -> Option<FileBytes> {
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
        Metadata::new(self.content.len(), self.modified)
    }
}

struct Unlock(Memory);

impl Drop for Unlock {
    fn drop(&mut self) {
        self.0.state().is_locked = false;
    }
}

/// A file that is still being written and isn't in the map yet.
#[derive(Debug)]
struct NewMemoryFile {
    memory: Memory,
    name: String,
    bytes: Vec<u8>,
}

impl NewFile for NewMemoryFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        let modified = clock::now()?;
        let content = Content::Plain(std::mem::take(&mut self.bytes).into());
        let file = Stored { content, modified };
        let metadata = file.metadata();
        self.memory.state().files.insert(self.name.as_str().into(), file);
        Ok(metadata)
    }
}

impl Write for NewMemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        FileBytes::reserve(&mut self.bytes, bytes.len());
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
