//! Storage that calls a function before each operation. Use it to log operations or to make them fail.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use sitemap_core::Storage;
use sitemap_core::storage::{FileBytes, LockGuard, Metadata, NewFile, StorageError};

/// Wraps storage, and calls a function before each operation on it.
///
/// ```
/// use std::io;
///
/// use sitemap_core::{Memory, Site, SitemapSet};
/// use sitemap_tests::{Hooked, OperationKind};
///
/// let memory = Memory::new();
/// let full = Hooked::new(memory.clone(), |operation| match operation.kind {
///     OperationKind::Write => Err(io::ErrorKind::StorageFull.into()),
///     _ => Ok(()),
/// });
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(full).replace()?;
/// run.section("pages")?.add("/")?;
/// assert!(run.commit().is_err());
/// assert!(memory.get("sitemap.xml").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Hooked<S> {
    storage: S,
    hook: Hook,
    has_lock: bool,
}

type Hook = Arc<dyn Fn(&Operation<'_>) -> io::Result<()> + Send + Sync>;

/// An operation on a [`Hooked`] storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation<'o> {
    /// The method that was called.
    pub kind: OperationKind,
    /// The file name. For `rename` and `rename_if`, the new name. Empty for methods without a file, such as `list`.
    pub name: &'o str,
    /// The number of bytes passed to `write`, or 0 for other methods.
    pub len: usize,
}

/// The method of an [`Operation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationKind {
    /// [`Storage::lock`].
    Lock,
    /// [`Storage::create`].
    Create,
    /// [`Write::write`] on a new file.
    Write,
    /// [`NewFile::finish`].
    Finish,
    /// [`Storage::put`].
    Put,
    /// [`Storage::rename`].
    Rename,
    /// [`Storage::rename_if`].
    RenameIf,
    /// [`Storage::remove`].
    Remove,
    /// [`Storage::metadata`].
    Metadata,
    /// [`Storage::open`], or [`Storage::bytes`].
    Open,
    /// [`Storage::check_replaceable`].
    CheckReplaceable,
    /// [`Storage::list`].
    List,
    /// [`Storage::sync_file`].
    SyncFile,
    /// [`Storage::sync_names`].
    SyncNames,
}

impl<S: Storage> Hooked<S> {
    /// Creates storage that calls `hook` before each operation. If `hook` returns an error, the operation fails with
    /// that error.
    pub fn new(storage: S, hook: impl Fn(&Operation<'_>) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self { storage, hook: Arc::new(hook), has_lock: true }
    }

    /// Makes the storage behave like an object store, which has no lock and keeps no bytes in memory. By default, it
    /// behaves like the wrapped storage.
    #[must_use]
    pub fn without_lock(mut self) -> Self {
        self.has_lock = false;
        self
    }

    fn call(&self, kind: OperationKind, name: &str) -> io::Result<&S> {
        (self.hook)(&Operation { kind, name, len: 0 })?;
        Ok(&self.storage)
    }
}

impl<S: Storage> Storage for Hooked<S> {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        let called = self.call(OperationKind::Lock, "");
        let storage = called.map_err(|error| StorageError::io("lock", &self.locate(""), error))?;
        if self.has_lock { storage.lock() } else { Ok(None) }
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        let file = self.call(OperationKind::Create, name)?.create(name)?;
        Ok(Box::new(HookedFile { file, hook: Arc::clone(&self.hook), name: name.to_owned() }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.call(OperationKind::Rename, to)?.rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        self.call(OperationKind::RenameIf, to)?.rename_if(from, to, seen)
    }

    fn check_replaceable(&self, name: &str) -> io::Result<()> {
        self.call(OperationKind::CheckReplaceable, name)?.check_replaceable(name)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.call(OperationKind::Remove, name)?.remove(name)
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        self.call(OperationKind::Metadata, name)?.metadata(name)
    }

    /// Calls the hook for each file that is found, as [`metadata`](Storage::metadata) does. If the hook fails, the file
    /// is reported as missing, so that the caller asks for it again and gets the error.
    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        let found = self.storage.find_listed(names).into_iter().zip(names);
        found
            .map(|(found, name)| found.filter(|_| self.call(OperationKind::Metadata, name).is_ok()))
            .collect()
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        self.call(OperationKind::Open, name)?.open(name)
    }

    fn bytes(&self, name: &str) -> Option<FileBytes> {
        // If the hook fails, the caller opens the file and gets the error then.
        if self.has_lock { self.call(OperationKind::Open, name).ok()?.bytes(name) } else { None }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.call(OperationKind::Put, name)?.put(name, bytes)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.call(OperationKind::List, "")?.list()
    }

    fn list_temporary(&self) -> io::Result<Vec<String>> {
        self.call(OperationKind::List, "")?.list_temporary()
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        self.call(OperationKind::SyncFile, name)?.sync_file(name)
    }

    fn sync_names(&self) -> io::Result<()> {
        self.call(OperationKind::SyncNames, "")?.sync_names()
    }

    fn retries(&self) -> u64 {
        self.storage.retries()
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.storage.locate(name)
    }
}

struct HookedFile {
    file: Box<dyn NewFile>,
    hook: Hook,
    name: String,
}

impl HookedFile {
    fn call(&self, kind: OperationKind, len: usize) -> io::Result<()> {
        (self.hook)(&Operation { kind, name: &self.name, len })
    }
}

impl Write for HookedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.call(OperationKind::Write, bytes.len())?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl NewFile for HookedFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        self.call(OperationKind::Finish, 0)?;
        self.file.finish()
    }
}

impl<S: fmt::Debug> fmt::Debug for Hooked<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooked").field("storage", &self.storage).finish_non_exhaustive()
    }
}

impl fmt::Debug for HookedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookedFile").field("file", &self.file).finish_non_exhaustive()
    }
}
