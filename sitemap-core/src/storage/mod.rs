//! Places for the files of a set: a directory, memory, or any other implementation of [`Storage`].
//!
//! | storage | for |
//! |---|---|
//! | [`Directory`] | a directory that a web server serves |
//! | [`Memory`] | tests, and servers that answer from memory |
//! | [`Hooked`] | logging operations, and testing what happens if one fails |
//! | `ObjectStorage` of the crate `sitemap-object-store` | buckets of S3, Google Cloud Storage, Azure |

mod directory;
mod error;
mod hooked;
mod memory;
mod temporary;

use std::any::Any;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

pub use directory::Directory;
pub use error::StorageError;
pub use hooked::{Hooked, Operation, OperationKind};
pub use memory::Memory;
pub use temporary::{final_name, temporary_name};

/// A flat place for files, by name.
///
/// A [`Publisher`](crate::Publisher) brings the order of operations that makes a set safe. A storage only has
/// to do what each method says. All names are plain ASCII without slashes. A reference, `Box` or `Arc` of a
/// storage is a storage, too.
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
    /// Locks the storage until the guard is dropped or the process ends. Does not wait.
    ///
    /// Returns `None` if this storage has no locks. Two runs are then kept apart by
    /// [`rename_if`](Self::rename_if).
    ///
    /// # Errors
    ///
    /// [`StorageError::Locked`] if another run holds the lock.
    fn lock(&self) -> Result<Option<LockGuard>, StorageError>;

    /// Creates a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if there is one of that name.
    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>>;

    /// Renames a finished file, replacing the file that has the new name, in one step: at any moment a reader
    /// finds the old bytes or the new ones.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. Both names are then left as they were.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Renames a finished file if the file that has the new name is still the one that was `seen`; with `None`,
    /// if there is no such file. Returns whether it was renamed.
    ///
    /// On a storage without locks this is what keeps two runs apart, so that the comparison and the renaming
    /// must be one step. A storage with locks may compare first and rename then.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. Both names are then left as they were.
    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool>;

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

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// If there is no such file or it cannot be read.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>>;

    /// Returns the bytes of a file that is in memory already, shared and not copied. Default: `None`, so that
    /// the file is [opened](Self::open).
    fn bytes(&self, name: &str) -> Option<Arc<[u8]>> {
        let _ = name;
        None
    }

    /// Returns the names of all files, including files of others in the same place.
    ///
    /// # Errors
    ///
    /// If the files cannot be listed.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Writes a whole file in one step, replacing the file that has the name: at any moment a reader finds the
    /// old bytes or the new ones. The new bytes outlive a power cut.
    ///
    /// The default creates the file under a temporary name and renames it.
    ///
    /// # Errors
    ///
    /// If not all of these steps succeed.
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
            // If this fails, the next run removes it: its name shows that it is a leftover.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Makes the bytes of a finished file outlive a power cut. Its name may also need
    /// [`sync_names`](Self::sync_names).
    ///
    /// # Errors
    ///
    /// If that is not certain.
    fn sync_file(&self, name: &str) -> io::Result<()>;

    /// Makes all names that were created, renamed or removed so far outlive a power cut.
    ///
    /// # Errors
    ///
    /// If that is not certain.
    fn sync_names(&self) -> io::Result<()>;

    /// Returns the path or URL of a file, for messages. Default: its name.
    fn locate(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// A file that is being written; made by [`Storage::create`].
pub trait NewFile: Write + fmt::Debug + Send {
    /// Finishes the file and returns its metadata.
    ///
    /// # Errors
    ///
    /// If not all of it was written.
    fn finish(&mut self) -> io::Result<Metadata>;
}

/// A held lock of a [`Storage`], which is released when the guard is dropped.
pub type LockGuard = Box<dyn Any + Send + Sync>;

/// What a storage knows about a file without reading it. Two files with equal metadata count as the same file.
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
    /// Another property that tells the file from others, such as the entity tag of an object store.
    pub tag: Option<String>,
}

impl Metadata {
    /// Creates the metadata of a file by its size in bytes and the time of its last write.
    #[must_use]
    pub fn new(len: u64, modified: SystemTime) -> Self {
        Self { len, modified, tag: None }
    }

    /// Sets another property that tells the file from others. Default: none.
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

            fn remove(&self, name: &str) -> io::Result<()> {
                (**self).remove(name)
            }

            fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
                (**self).metadata(name)
            }

            fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
                (**self).open(name)
            }

            fn bytes(&self, name: &str) -> Option<Arc<[u8]>> {
                (**self).bytes(name)
            }

            fn list(&self) -> io::Result<Vec<String>> {
                (**self).list()
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

            fn locate(&self, name: &str) -> PathBuf {
                (**self).locate(name)
            }
        }
    )+};
}

through_pointer!(&S, Box<S>, Arc<S>);
