//! The destinations of a set: a directory, memory, or any other implementation of [`Storage`].
//!
//! | storage | use |
//! |---|---|
//! | [`Directory`] | a directory that a web server serves |
//! | [`Memory`] | tests, and servers that answer from memory |
//! | `ObjectStorage` of the crate `sitemap-object-store` | S3, Google Cloud Storage and Azure Blob Storage |

mod directory;
mod error;
mod file_bytes;
mod memory;
mod temporary;

use std::any::Any;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

pub use directory::{Directory, LockFile};
pub use error::StorageError;
pub use file_bytes::FileBytes;
pub use memory::{Memory, MemoryFile};
pub use temporary::{final_name, temporary_name};

/// How many requests are made to a storage at once. A disk or object store handles many requests in about the time of one.
pub(crate) const REQUESTS_AT_ONCE: usize = 16;

/// A place that keeps files by name, without directories.
///
/// A storage only implements the operations. A [`Publisher`](crate::Publisher) calls them in an order that keeps the
/// published set complete. All names are ASCII without slashes. A reference, `Box` or `Arc` of a storage is also a
/// storage.
///
/// ```
/// use std::sync::Arc;
///
/// use sitemap_core::{Memory, Publisher, Site, Storage};
///
/// let storage: Arc<dyn Storage> = Arc::new(Memory::new());
/// let mut publisher = Publisher::builder(Site::new("https://example.com")?).to_storage(Arc::clone(&storage))?;
/// publisher.section("pages")?.add("/")?;
/// publisher.finish()?;
/// assert!(storage.metadata("sitemap.xml")?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Storage: fmt::Debug + Send + Sync {
    /// Locks the storage until the guard is dropped or the process ends. Does not wait if another run holds the lock.
    ///
    /// Returns `None` if this storage has no locks. In that case, [`rename_if`](Self::rename_if) keeps two runs from
    /// replacing each other's set.
    ///
    /// # Errors
    ///
    /// [`StorageError::Locked`] if another run holds the lock, and [`StorageError::Io`] if locking fails.
    fn lock(&self) -> Result<Option<LockGuard>, StorageError>;

    /// Creates a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if there is a file of that name.
    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>>;

    /// Renames a finished file. An existing file with the new name is replaced in the same step, so a reader always
    /// finds either the old bytes or the new ones.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. The files of both names then stay as they were.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Renames a finished file to replace the file `to`, but only if `to` still has the metadata `seen`. If `seen` is
    /// `None`, the file `to` must not exist yet. Returns `true` if the file was renamed.
    ///
    /// The comparison and the renaming must be one step: if several processes call this method at the same time with the
    /// same `seen`, one of them gets `true`. On a storage without locks, this keeps two runs from replacing each other's
    /// set. A [`Directory`] needs a file system with locks for it.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. The files of both names then stay as they were.
    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool>;

    /// Checks whether [`rename`](Self::rename) can give a file this name. A commit calls this method for every new file
    /// before it renames the first one, so that an obstacle leaves the old set as it was.
    ///
    /// The default implementation finds no obstacle.
    ///
    /// # Errors
    ///
    /// If something has this name that a file cannot replace, such as a directory.
    fn check_replaceable(&self, name: &str) -> io::Result<()> {
        let _ = name;
        Ok(())
    }

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such file.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Returns the metadata of a file, or `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If the metadata cannot be read.
    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>>;

    /// Returns the metadata of many files at once. The names are sorted. `None` does not mean that a file is missing: the
    /// caller then asks [`metadata`](Self::metadata) for it.
    ///
    /// A commit asks for up to a thousand files in one call. Implement this method for a storage with slow requests that can
    /// list many files with one request. If the files cannot be listed, return `None` for all of them; `metadata` then
    /// reports the reason. The default implementation finds no file.
    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        vec![None; names.len()]
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// If there is no such file or it cannot be read.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>>;

    /// Returns the bytes of a file, without copying them, if the storage has them in memory. The default implementation
    /// returns `None`, so that the caller [opens](Self::open) the file.
    fn bytes(&self, name: &str) -> Option<FileBytes> {
        let _ = name;
        None
    }

    /// Returns the names of all files, including files that belong to no set.
    ///
    /// # Errors
    ///
    /// If the files cannot be listed.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Returns the names of all files that have [temporary names](temporary_name). Each run asks for them, so a storage that
    /// takes long to list all files of a large set should list only these. It may leave some out, which then stay until a
    /// later run finds them. The default implementation chooses them from [`list`](Self::list).
    ///
    /// # Errors
    ///
    /// If the files cannot be listed.
    fn list_temporary(&self) -> io::Result<Vec<String>> {
        let mut names = self.list()?;
        names.retain(|name| final_name(name).is_some());
        Ok(names)
    }

    /// Writes a whole file and replaces an existing file of this name in one step: a reader always finds either the old
    /// bytes or the new ones. The new bytes survive a power cut.
    ///
    /// The default implementation creates the file under a temporary name and renames it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, synced or renamed.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let temporary = temporary_name(name);
        let mut file = self.create(&temporary)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| file.finish())
            .and_then(|_| self.sync_file(&temporary))
            .and_then(|()| self.rename(&temporary, name))
            .and_then(|()| self.sync_names());
        if written.is_err() {
            drop(file);
            // If the removal fails, the next run removes the file, because its name is a temporary one.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Makes sure that the bytes of a finished file survive a power cut. To make the name of the file survive too, call
    /// [`sync_names`](Self::sync_names).
    ///
    /// # Errors
    ///
    /// If the file cannot be synced.
    fn sync_file(&self, name: &str) -> io::Result<()>;

    /// Makes sure that all changes of names so far (created, renamed and removed files) survive a power cut.
    ///
    /// # Errors
    ///
    /// If the names cannot be synced.
    fn sync_names(&self) -> io::Result<()>;

    /// Returns the number of requests that the storage has repeated so far because an earlier attempt failed. The
    /// default implementation returns 0.
    fn retries(&self) -> u64 {
        0
    }

    /// Returns the path or URL of a file, for error messages. Default: the name of the file.
    fn locate(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// A file that is being written; made by [`Storage::create`].
///
/// ```
/// use sitemap_core::{Memory, Storage};
///
/// let memory = Memory::new();
/// let mut file = memory.create("sitemap.xml")?;
/// file.write_all(b"<urlset/>")?;
/// assert!(memory.get("sitemap.xml").is_none());
///
/// assert_eq!(file.finish()?.len, 9);
/// assert_eq!(memory.get("sitemap.xml").as_deref(), Some(&b"<urlset/>"[..]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait NewFile: Write + fmt::Debug + Send {
    /// Finishes the file and returns its metadata.
    ///
    /// # Errors
    ///
    /// If not all bytes could be stored.
    fn finish(&mut self) -> io::Result<Metadata>;
}

/// The guard of a locked [`Storage`]; dropping the guard releases the lock.
pub type LockGuard = Box<dyn Any + Send + Sync>;

/// The properties of a file that a storage can report without reading the file. If the metadata of a file is the same
/// as before, the file counts as unchanged.
///
/// ```
/// use std::time::SystemTime;
///
/// use sitemap_core::storage::Metadata;
///
/// let metadata = Metadata::new(1_024, SystemTime::UNIX_EPOCH).with_tag("5d41402a".to_owned());
/// assert_eq!((metadata.len, metadata.tag.as_deref()), (1_024, Some("5d41402a")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// The size of the file in bytes.
    pub len: u64,
    /// The time of the last write.
    pub modified: SystemTime,
    /// A property that changes with the content of the file, such as the entity tag of an object store.
    pub tag: Option<String>,
}

impl Metadata {
    /// Creates the metadata of a file from its size in bytes and the time of its last write.
    #[must_use]
    pub fn new(len: u64, modified: SystemTime) -> Self {
        Self { len, modified, tag: None }
    }

    /// Sets the [`tag`](Self::tag), such as the entity tag of an object store, as in the [example](Self). Default:
    /// none.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<Option<String>>) -> Self {
        self.tag = tag.into();
        self
    }
}

macro_rules! through_pointer {
    ($($pointer:ty),+) => {$(
        impl<S: Storage + ?Sized> Storage for $pointer {
            fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
                (**self).lock()
            }

            fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
                (**self).create(name)
            }

            fn rename(&self, from: &str, to: &str) -> io::Result<()> {
                (**self).rename(from, to)
            }

            fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
                (**self).rename_if(from, to, seen)
            }

            fn check_replaceable(&self, name: &str) -> io::Result<()> {
                (**self).check_replaceable(name)
            }

            fn remove(&self, name: &str) -> io::Result<()> {
                (**self).remove(name)
            }

            fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
                (**self).metadata(name)
            }

            fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
                (**self).find_listed(names)
            }

            fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
                (**self).open(name)
            }

            fn bytes(&self, name: &str) -> Option<FileBytes> {
                (**self).bytes(name)
            }

            fn list(&self) -> io::Result<Vec<String>> {
                (**self).list()
            }

            fn list_temporary(&self) -> io::Result<Vec<String>> {
                (**self).list_temporary()
            }

            fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
                (**self).put(name, bytes)
            }

            fn sync_file(&self, name: &str) -> io::Result<()> {
                (**self).sync_file(name)
            }

            fn sync_names(&self) -> io::Result<()> {
                (**self).sync_names()
            }

            fn retries(&self) -> u64 {
                (**self).retries()
            }

            fn locate(&self, name: &str) -> PathBuf {
                (**self).locate(name)
            }
        }
    )+};
}

through_pointer!(&S, Box<S>, Arc<S>);
