//! The folder of a cache: its version, its size, and its files. A file appears in the folder only when it is complete.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, TempDir};

use crate::error::system_message;
use crate::interrupt;

/// The version of the format.
const VERSION: &str = "1\n";

/// The file that contains the version.
const MARK: &str = "sitemap-cache";

/// The suffix of document names.
const SUFFIX: &str = ".document";

/// The prefix of folders for incomplete files.
const UNFINISHED: &str = ".unfinished-";

/// The age at which such a folder is assumed to belong to a run that was killed.
const DAY: Duration = Duration::from_secs(86_400);

/// The folder of a cache. Several runs can use it at the same time, because files are only ever replaced or removed.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    unfinished: TempDir,
    max_bytes: u64,
    /// The size of the folder in bytes. Other runs may have changed the size since this run measured it.
    bytes: Cell<u64>,
    removed: Cell<u64>,
}

impl Folder {
    /// Opens a cache folder. Turns an empty or missing folder into a cache.
    pub(super) fn open(path: &Path, max_bytes: u64) -> Result<Self, String> {
        let shown = path.display();
        let failed = |error: &io::Error| {
            format!("cannot write the cache `{shown}`: {}; name another folder", system_message(error))
        };
        fs::create_dir_all(path).map_err(|error| failed(&error))?;
        let is_marked = check(path)?;
        remove_left(path);
        let unfinished = interrupt::temporary_folder(|| TempDir::with_prefix_in(UNFINISHED, path));
        let unfinished = unfinished.map_err(|error| failed(&error))?;
        let folder = Self {
            path: path.to_owned(),
            unfinished,
            max_bytes,
            bytes: Cell::new(documents(path).iter().map(|document| document.bytes).sum()),
            removed: Cell::default(),
        };
        if !is_marked {
            let mark = folder.create().and_then(|file| {
                fs::write(file.path(), VERSION)?;
                file.persist(path.join(MARK)).map_err(|error| error.error)
            });
            mark.map_err(|error| failed(&error))?;
        }
        Ok(folder)
    }

    pub(super) fn entry(&self, key: &str) -> PathBuf {
        self.path.join(format!("{key}{SUFFIX}"))
    }

    /// Creates a file that doesn't belong to the cache yet.
    pub(super) fn create(&self) -> io::Result<NamedTempFile> {
        NamedTempFile::new_in(self.unfinished.path())
    }

    /// Stores a complete file as the document for a key. If the folder is too large, removes the least recently used
    /// documents.
    pub(super) fn put(&self, file: NamedTempFile, key: &str) -> io::Result<()> {
        let bytes = file.as_file().metadata()?.len();
        if bytes > self.max_bytes {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        file.persist(self.entry(key)).map_err(|error| error.error)?;
        self.bytes.set(self.bytes.get() + bytes);
        if self.bytes.get() > self.max_bytes {
            self.shrink();
        }
        Ok(())
    }

    /// Marks a document as just used. Errors don't matter, because this only affects which documents are removed first.
    pub(super) fn used(&self, key: &str) {
        let _ = File::options()
            .append(true)
            .open(self.entry(key))
            .and_then(|file| file.set_modified(SystemTime::now()));
    }

    /// Removes a document. Returns `false` if it still exists.
    pub(super) fn remove(&self, key: &str) -> bool {
        is_gone(&fs::remove_file(self.entry(key)))
    }

    pub(super) fn removed(&self) -> u64 {
        self.removed.get()
    }

    pub(super) const fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Removes documents until a tenth of the limit is free, so that not every new document triggers a search.
    fn shrink(&self) {
        let mut documents = documents(&self.path);
        documents.sort_by_key(|document| document.used);
        let mut bytes: u64 = documents.iter().map(|document| document.bytes).sum();
        if bytes > self.max_bytes {
            for document in documents {
                if bytes <= self.max_bytes / 10 * 9 {
                    break;
                }
                if is_gone(&fs::remove_file(&document.path)) {
                    bytes -= document.bytes;
                    self.removed.set(self.removed.get() + 1);
                }
            }
        }
        self.bytes.set(bytes);
    }
}

/// Returns `true` if a folder is a cache of this version, and `false` if it is empty. Any other folder is an error.
fn check(path: &Path) -> Result<bool, String> {
    let shown = path.display();
    let remedy = "remove the folder, or name another one";
    match fs::read_to_string(path.join(MARK)) {
        Ok(version) if version == VERSION => return Ok(true),
        Ok(version) => {
            let number = version.trim().parse::<u64>();
            return Err(match number {
                Ok(number) => format!(
                    "the cache `{shown}` has version {number}, and this program reads version {}; {remedy}",
                    VERSION.trim()
                ),
                Err(_) => {
                    format!("the cache `{shown}` is damaged: its file `{MARK}` has no version; {remedy}")
                }
            });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            return Err(format!("cannot read the cache `{shown}`: {}; {remedy}", system_message(&error)));
        }
    }
    let names = fs::read_dir(path)
        .map_err(|error| format!("cannot read the cache `{shown}`: {}; {remedy}", system_message(&error)))?;
    let names: Vec<_> =
        names.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // Another run has just created the cache.
    if names.iter().any(|name| name == MARK) {
        return check(path);
    }
    if names.iter().all(|name| name.starts_with(UNFINISHED)) {
        return Ok(false);
    }
    Err(format!("the folder `{shown}` is not a cache and not empty; name another folder"))
}

/// Removes files left behind by killed runs.
fn remove_left(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let age =
            || -> io::Result<Duration> { entry.metadata()?.modified()?.elapsed().map_err(io::Error::other) };
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) && age().is_ok_and(|age| age > DAY) {
            // If that fails, the next run tries again.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

struct Found {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn documents(path: &Path) -> Vec<Found> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let found = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        let is_document = entry.file_name().to_str()?.ends_with(SUFFIX);
        is_document.then_some(())?;
        Some(Found { path: entry.path(), bytes: metadata.len(), used: metadata.modified().ok()? })
    };
    entries.filter_map(found).collect()
}

fn is_gone(removed: &io::Result<()>) -> bool {
    removed.as_ref().map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |()| true)
}
