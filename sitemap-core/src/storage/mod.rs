//! Where a set is stored: a directory, memory, or any other implementation of [`Storage`].
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

/// The maximum number of requests to send to storage at once. A disk or object store handles many requests in about the
/// time of one.
pub(crate) const REQUESTS_AT_ONCE: usize = 16;

/// Stores files by name, without directories.
///
/// An implementation only provides the operations. A [`Replacement`](crate::Replacement) calls them in an order that keeps
/// the published set complete at all times. All names are ASCII without slashes. References, `Box`es and `Arc`s of a
/// type that implements this trait implement it too.
///
/// ```
/// use std::sync::Arc;
///
/// use sitemap_core::{Memory, Site, SitemapSet, Storage};
///
/// let storage: Arc<dyn Storage> = Arc::new(Memory::new());
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Arc::clone(&storage)).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
/// assert!(storage.metadata("sitemap.xml")?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Storage: fmt::Debug + Send + Sync {
    /// Locks the storage until the guard is dropped or the process ends. Doesn't wait if another run holds the lock.
    ///
    /// Returns `None` if this storage has no locks. In that case, [`rename_if`](Self::rename_if) prevents two runs from
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
    /// [`io::ErrorKind::AlreadyExists`] if a file of that name exists.
    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>>;

    /// Renames a finished file. Atomically replaces an existing file with the new name, so a reader always gets either
    /// the old bytes or the new ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be renamed. Both files then stay as they were.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Renames a finished file to `to`, but only if the existing file `to` still has the metadata `seen`, or doesn't
    /// exist if `seen` is `None`. Returns `true` if the file was renamed.
    ///
    /// The comparison and the renaming must be atomic: if several processes call this method at the same time with the
    /// same `seen`, only one of them gets `true`. On storage without locks, this prevents two runs from replacing each
    /// other's set. A [`Directory`] can do this only on a file system with locks.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be renamed. Both files then stay as they were.
    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool>;

    /// Checks whether [`rename`](Self::rename) can give a file this name. Before a commit renames the first file, it
    /// calls this for every new file, so that an obstacle leaves the old set untouched.
    ///
    /// The default implementation finds no obstacle.
    ///
    /// # Errors
    ///
    /// Returns an error if this name belongs to something that a file can't replace, such as a directory.
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
    /// Returns an error if the metadata can't be read.
    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>>;

    /// Returns the metadata of many files at once. The names are sorted. `None` doesn't mean that a file is missing:
    /// the caller then calls [`metadata`](Self::metadata) for that file.
    ///
    /// A commit passes up to a thousand files per call. Implement this method if single requests are slow but one
    /// request can list many files. If the files can't be listed, return `None` for all of them; `metadata` then
    /// reports the reason. The default implementation returns `None` for all files.
    fn find_listed(&self, names: &[&str]) -> Vec<Option<Metadata>> {
        vec![None; names.len()]
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such file, or if it can't be read.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>>;

    /// Returns the bytes of a file without copying them, if the storage has them in memory. The default implementation
    /// returns `None`, so that the caller [opens](Self::open) the file.
    fn bytes(&self, name: &str) -> Option<FileBytes> {
        let _ = name;
        None
    }

    /// Returns the names of all files, including those that don't belong to a set.
    ///
    /// # Errors
    ///
    /// Returns an error if the files can't be listed.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Returns the names of all files that have [temporary names](temporary_name). Each run calls this, so if listing
    /// all files of a large set is slow, list only these. The result may be incomplete; the missing files then stay
    /// until a later run finds them. The default implementation filters [`list`](Self::list).
    ///
    /// # Errors
    ///
    /// Returns an error if the files can't be listed.
    fn list_temporary(&self) -> io::Result<Vec<String>> {
        let mut names = self.list()?;
        names.retain(|name| final_name(name).is_some());
        Ok(names)
    }

    /// Writes a whole file, atomically replacing an existing file of this name: a reader always gets either the old
    /// bytes or the new ones. The new bytes survive a power failure.
    ///
    /// The default implementation creates the file under a temporary name and renames it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written, synced or renamed.
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
            // If this fails, the next run removes the file, because its name is temporary.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Makes sure that the bytes of a finished file survive a power failure. To make the file's name survive too, call
    /// [`sync_names`](Self::sync_names).
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be synced.
    fn sync_file(&self, name: &str) -> io::Result<()>;

    /// Makes sure that all changes of names so far (created, renamed and removed files) survive a power failure.
    ///
    /// # Errors
    ///
    /// Returns an error if the names can't be synced.
    fn sync_names(&self) -> io::Result<()>;

    /// Returns the number of requests that the storage has retried so far because an earlier attempt failed. The
    /// default implementation returns 0.
    fn retries(&self) -> u64 {
        0
    }

    /// Returns the path or URL of a file, for error messages. Default: the name of the file.
    fn locate(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// A file that is being written. Created by [`Storage::create`].
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
    /// Returns an error if some of the bytes could not be stored.
    fn finish(&mut self) -> io::Result<Metadata>;
}

/// The guard of a locked [`Storage`]. Releases the lock when dropped.
pub type LockGuard = Box<dyn Any + Send + Sync>;

/// The properties of a file that a storage can return without reading the file. If they are the same as before, the
/// file is taken to be unchanged.
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
    /// A property that changes whenever the content of the file changes, such as an object store's `ETag`.
    pub tag: Option<String>,
}

impl Metadata {
    /// Creates the metadata of a file from its size in bytes and the time of its last write.
    #[must_use]
    pub fn new(len: u64, modified: SystemTime) -> Self {
        Self { len, modified, tag: None }
    }

    /// Sets the [`tag`](Self::tag), such as an object store's `ETag`. See the [example](Self). Default: none.
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
