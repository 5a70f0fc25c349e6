//! Where the files of a set live: a directory, memory, or what else implements [`Storage`].

mod directory;
mod memory;

use std::any::Any;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

pub use directory::Directory;
pub use memory::Memory;

use super::name;
use crate::error::Error;

/// A flat place for files, by name.
///
/// A [`Publisher`](crate::Publisher) brings the order of operations that makes a set safe; a storage
/// only has to make each operation do what it says. All names are plain ASCII without slashes.
pub trait Storage: fmt::Debug + Send + Sync {
    /// Keeps other runs out until the guard is dropped, or the process ends in whatever way. `None`
    /// if this storage cannot; runs must then not overlap.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Locked`](crate::ErrorKind::Locked) if another run is at work, without waiting
    /// for it.
    fn lock(&self) -> Result<Option<Guard>, Error>;

    /// Begins a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if there is one of that name.
    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>>;

    /// Gives a finished file another name, in place of the file that had it, in one step: at any
    /// moment a reader finds the old bytes or the new ones.
    ///
    /// # Errors
    ///
    /// If it cannot, and then both names stand for what they stood for.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// As [`rename`](Self::rename), but only while the file that has the name is still the one that
    /// was `seen`; `None`: while there is none. Says whether it was.
    ///
    /// It is what keeps two runs apart on a storage without a lock, which should do it in one step. By
    /// default it looks, then renames.
    ///
    /// # Errors
    ///
    /// If it cannot, and then both names stand for what they stood for.
    fn switch(&self, from: &str, to: &str, seen: Option<&Stat>) -> io::Result<bool> {
        if self.stat(to)?.as_ref() != seen {
            return Ok(false);
        }
        self.rename(from, to).map(|()| true)
    }

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is none.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Size and date of a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If that cannot be found out.
    fn stat(&self, name: &str) -> io::Result<Option<Stat>>;

    /// Reads a file from its beginning.
    ///
    /// # Errors
    ///
    /// If there is none or it cannot be read.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>>;

    /// The bytes of a file that is in memory already, shared and not copied. Default: `None`, so that
    /// the file is [opened](Self::open).
    fn in_memory(&self, name: &str) -> Option<Arc<[u8]>> {
        let _ = name;
        None
    }

    /// The names of all files; others' among them, if they live in the same place.
    ///
    /// # Errors
    ///
    /// If they cannot be listed.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Writes a whole file in one step, in place of the file that had the name: at any moment a reader
    /// finds the old bytes or the new ones. It outlives a power cut.
    ///
    /// By default it is created under another name, then renamed.
    ///
    /// # Errors
    ///
    /// If not all of it is certain to be there.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let temporary = name::unique_temporary(name);
        let mut file = self.create(&temporary)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| file.finish())
            .and_then(|_| self.persist(&temporary))
            .and_then(|()| self.rename(&temporary, name))
            .and_then(|()| self.sync());
        if written.is_err() {
            drop(file);
            // Its name shows the next run that it is a leftover.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Makes a finished file's bytes outlive a power cut. Its name may need [`sync`](Self::sync).
    ///
    /// # Errors
    ///
    /// If that is not certain.
    fn persist(&self, name: &str) -> io::Result<()>;

    /// Makes all that was created, renamed and removed so far outlive a power cut.
    ///
    /// # Errors
    ///
    /// If that is not certain.
    fn sync(&self) -> io::Result<()>;

    /// Where a file is, for messages.
    fn locate(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// A file that is being written.
pub trait NewFile: Write + fmt::Debug + Send {
    /// Ends the file.
    ///
    /// # Errors
    ///
    /// If not all of it was written.
    fn finish(&mut self) -> io::Result<Stat>;
}

/// Holds a [`Storage`]'s lock; releases it when it is dropped.
pub type Guard = Box<dyn Any + Send + Sync>;

/// What a storage says of a file without reading it. Files with equal ones count as the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stat {
    /// How many bytes it has.
    pub len: u64,
    /// When they were written.
    pub modified: SystemTime,
    /// What else tells the file from another, such as an object store's entity tag.
    pub tag: Option<String>,
}

impl Stat {
    /// Of so many bytes, written then.
    #[must_use]
    pub fn new(len: u64, modified: SystemTime) -> Self {
        Self { len, modified, tag: None }
    }

    /// With something else that tells the file from another.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<Option<String>>) -> Self {
        self.tag = tag.into();
        self
    }
}
