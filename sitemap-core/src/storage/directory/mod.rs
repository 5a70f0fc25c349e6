//! Stores files in a directory of the file system.

mod lock;
#[cfg(unix)]
mod mode;
mod regular;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

pub use lock::LockFile;

use super::{LockGuard, Metadata, NewFile, Storage, StorageError};

/// The name of the lock file.
const LOCK: &str = ".sitemap.lock";

/// The name of the lock file that exists while a file is compared and renamed.
const RENAME_LOCK: &str = ".sitemap-rename.lock";

/// Storage in a directory of the file system, as used by
/// [`SitemapSet::open`](crate::SitemapSet::open).
///
/// A lock on the file `.sitemap.lock` prevents two runs from publishing at the same time. The system releases the lock
/// when the process ends, even after a crash. On a file system without locks, make sure that runs don't overlap.
///
/// Only regular files are opened, and symbolic links are not followed. So someone who can write to the directory can't
/// trick a run with more privileges into writing to a file elsewhere. The directory itself may be a link.
///
/// ```
/// use sitemap_core::{Directory, Site, SitemapSet};
///
/// # let dir = tempfile::tempdir()?;
/// # let out = dir.path().join("public");
/// let directory = Directory::open(&out)?.durable(false);
/// let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(directory).replace()?;
/// run.section("pages")?.add("/")?;
/// run.commit()?;
/// assert!(out.join("sitemap.xml").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Directory {
    path: PathBuf,
    durable: bool,
    /// The mode of new files. Unix only.
    #[cfg_attr(not(unix), allow(dead_code))]
    mode: Option<u32>,
}

impl Directory {
    /// Opens a directory, and creates it if it is missing.
    ///
    /// # Errors
    ///
    /// [`StorageError::Io`] if the directory can't be created, or the path is a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StorageError> {
        let path = path.as_ref();
        create(path).map_err(|error| StorageError::io("create the directory", path, error))?;
        Ok(Self { path: path.to_path_buf(), durable: true, mode: None })
    }

    /// Sets whether files must survive a power failure. With `true`, a run waits until its files are on disk. Default:
    /// `true`.
    ///
    /// With `false`, a set still survives any other interruption, such as a killed process.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// use sitemap_core::{Directory, Storage};
    ///
    /// let directory = Directory::open(dir.path())?.durable(false);
    /// directory.put("sitemap.xml", b"<urlset/>")?;
    /// assert_eq!(std::fs::read(dir.path().join("sitemap.xml"))?, b"<urlset/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// Sets the permissions of the files, such as `0o640`, instead of the default.
    ///
    /// By default, a file keeps the permissions, group and owner of the file that it replaces, as far as the user of
    /// the run is allowed to set them. A new file is readable by everyone who can read the directory: in a directory of
    /// mode 755, it gets mode 644, whatever the `umask` is. The setting has no effect on Windows.
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// # let dir = tempfile::tempdir()?;
    /// use std::os::unix::fs::PermissionsExt as _;
    ///
    /// use sitemap_core::{Directory, Storage};
    ///
    /// let directory = Directory::open(dir.path())?.mode(0o640);
    /// directory.put("sitemap.xml", b"<urlset/>")?;
    /// let permissions = std::fs::metadata(dir.path().join("sitemap.xml"))?.permissions();
    /// assert_eq!(permissions.mode() & 0o777, 0o640);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = Some(mode & 0o777);
        self
    }
}

impl Storage for Directory {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        let lock = LockFile::lock(self.locate(LOCK))?;
        Ok(lock.map(|lock| -> LockGuard { Box::new(lock) }))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        // `create_new` also refuses a symbolic link that an attacker put there.
        let file = OpenOptions::new().write(true).create_new(true).open(self.locate(name))?;
        Ok(Box::new(DirectoryFile(file)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.locate(from), self.locate(to));
        #[cfg(unix)]
        mode::prepare(&from, &to, &self.path, self.mode)?;
        fs::rename(from, to)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        // This isn't the lock of the set, which a run may hold for minutes.
        let _lock = self.lock_renames()?;
        if self.metadata(to)?.as_ref() != seen {
            return Ok(false);
        }
        self.rename(from, to).map(|()| true)
    }

    fn check_replaceable(&self, name: &str) -> io::Result<()> {
        regular::check_replaceable(&self.locate(name))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.locate(name))
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        regular::metadata(&self.locate(name))?.as_ref().map(metadata_of).transpose()
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(regular::open(&self.locate(name), OpenOptions::new().read(true))?))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            // A name that isn't UTF-8 can't belong to a set, so it is skipped.
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        // Windows syncs only files that are open for writing.
        if self.durable {
            regular::open(&self.locate(name), OpenOptions::new().write(true))?.sync_all()
        } else {
            Ok(())
        }
    }

    fn sync_names(&self) -> io::Result<()> {
        if self.durable { sync_names_of(&self.path) } else { Ok(()) }
    }

    fn locate(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Directory {
    /// Waits while another process compares and renames a file, and keeps other processes from doing so until the guard
    /// is dropped. Returns `None` if the file system doesn't support locks.
    fn lock_renames(&self) -> io::Result<Option<LockFile>> {
        const PAUSE: Duration = Duration::from_millis(1);
        /// Comparing and renaming takes less than a millisecond, unless the other process is suspended.
        const ATTEMPTS: u32 = 2_000;

        let mut attempts = 0;
        loop {
            attempts += 1;
            match LockFile::lock(self.locate(RENAME_LOCK)) {
                Ok(lock) => return Ok(lock),
                Err(StorageError::Locked { .. }) if attempts < ATTEMPTS => thread::sleep(PAUSE),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

/// Creates a directory and its missing parents, so that they survive a power failure.
fn create(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        create(parent)?;
    }
    match fs::create_dir(path) {
        // Another process has just created the directory.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_names_of(parent.unwrap_or(Path::new("."))),
    }
}

/// Syncs the names in a directory. Only Unix can open a directory to sync it; other systems sync names by themselves.
fn sync_names_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

#[derive(Debug)]
struct DirectoryFile(File);

impl NewFile for DirectoryFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        metadata_of(&self.0.metadata()?)
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

fn metadata_of(metadata: &fs::Metadata) -> io::Result<Metadata> {
    Ok(Metadata::new(metadata.len(), metadata.modified()?))
}
