//! A storage that is a directory.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::{Guard, NewFile, Stat, Storage};
use crate::error::{Error, ErrorKind};
use crate::publish::name;

/// A directory of the file system; what [`PublisherBuilder::to_dir`](crate::PublisherBuilder::to_dir)
/// publishes to.
///
/// Two runs are kept apart by a lock on the file `.sitemap.lock`, which the system releases when a
/// process ends, however it ends. Where the file system has no locks, nothing keeps them apart.
#[derive(Clone, Debug)]
pub struct Directory {
    path: PathBuf,
    durable: bool,
}

impl Directory {
    /// A directory, which is made if it is missing.
    ///
    /// # Errors
    ///
    /// If it cannot be made or is none.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        fs::create_dir_all(path).map_err(|error| Error::io("create the directory", Some(path), error))?;
        Ok(Self { path: path.to_path_buf(), durable: true })
    }

    /// Whether files are to outlive a power cut, which takes a wait for the disk. Default: `true`.
    ///
    /// Without it a set is still safe from everything but that.
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }
}

impl Storage for Directory {
    fn lock(&self) -> Result<Option<Guard>, Error> {
        let path = self.locate(name::LOCK);
        loop {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(|error| Error::io("create", Some(&path), error))?;
            match file.try_lock() {
                Ok(()) if is_still_at(&file, &path) => {
                    // For the message of whoever is kept out; the lock holds without it.
                    let _ = file.set_len(0).and_then(|()| write!(file, "{}", process::id()));
                    return Ok(Some(Box::new(LockFile { path, _locked: file })));
                }
                // Its holder removed it between the two steps.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let pid = fs::read_to_string(&path).ok().and_then(|pid| pid.parse().ok());
                    return Err(ErrorKind::Locked { path, pid }.into());
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    let _ = fs::remove_file(&path);
                    return Ok(None);
                }
                Err(TryLockError::Error(error)) => return Err(Error::io("lock", Some(&path), error)),
            }
        }
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        // `create_new`, so that a link planted under that name is not followed.
        let file = OpenOptions::new().write(true).create_new(true).open(self.locate(name))?;
        Ok(Box::new(DirectoryFile(file)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.locate(from), self.locate(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.locate(name))
    }

    fn stat(&self, name: &str) -> io::Result<Option<Stat>> {
        match fs::metadata(self.locate(name)) {
            Ok(metadata) if metadata.is_file() => stat(&metadata).map(Some),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(File::open(self.locate(name))?))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            // None of ours is anything but ASCII.
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    fn persist(&self, name: &str) -> io::Result<()> {
        // Writable, as Windows wants it.
        if self.durable { File::options().write(true).open(self.locate(name))?.sync_all() } else { Ok(()) }
    }

    fn sync(&self) -> io::Result<()> {
        // Only Unix can open a directory to sync it; elsewhere the file system does so by itself.
        if cfg!(unix) && self.durable { File::open(&self.path)?.sync_all() } else { Ok(()) }
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

#[derive(Debug)]
struct DirectoryFile(File);

impl NewFile for DirectoryFile {
    fn finish(&mut self) -> io::Result<Stat> {
        stat(&self.0.metadata()?)
    }
}

impl Write for DirectoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn stat(metadata: &Metadata) -> io::Result<Stat> {
    Ok(Stat::new(metadata.len(), metadata.modified()?))
}

#[derive(Debug)]
struct LockFile {
    path: PathBuf,
    _locked: File,
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Elsewhere there is no telling whether a file one has opened was removed since.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the path leads to the file that was opened by it.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(opened), Ok(there)) => identity(opened) == identity(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still_at(_: &File, _: &Path) -> bool {
    true
}
