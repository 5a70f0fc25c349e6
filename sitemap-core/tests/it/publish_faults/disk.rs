//! An in-memory disk that can fail at any operation, as real disks do.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sitemap_core::storage::{LockGuard, Metadata, NewFile, Storage, StorageError};

/// What goes wrong at one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The operation fails and has no effect.
    Error,
    /// A write accepts half of the bytes and returns their number. Other operations fail as with `Error`.
    ShortWrite,
    /// The disk is full: from this operation on, no file can be created or written.
    DiskFull,
    /// The process dies before the operation. Nothing happens after that, not even in destructors.
    CrashBefore,
    /// The process dies after the operation, or halfway through a write.
    CrashAfter,
    /// The power fails after the operation, or halfway through a write. Data that was not synced is lost. Each bit of
    /// the number stands for one change to the directory since the last sync: the change survives if the bit is 1.
    PowerCut(u32),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    state: Arc<Mutex<State>>,
}

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<File>,
    live: BTreeMap<String, usize>,
    durable: BTreeMap<String, usize>,
    pending: Vec<Change>,
    clock: u64,
    is_locked: bool,
    is_full: bool,
    is_dead: bool,
    log: Vec<String>,
    planned: Option<(usize, Fault)>,
}

#[derive(Clone, Debug)]
struct File {
    bytes: Vec<u8>,
    synced: Vec<u8>,
    modified: SystemTime,
}

#[derive(Clone, Debug)]
enum Change {
    Create(String, usize),
    Rename(String, String, usize),
    Remove(String),
}

/// How much of an operation is carried out, and whether the process dies after it.
#[derive(PartialEq, Eq)]
enum Go {
    All,
    Half,
    AllThenDie,
    HalfThenDie,
}

impl Disk {
    /// Returns an independent copy of the disk.
    pub(crate) fn fork(&self) -> Self {
        Self { state: Arc::new(Mutex::new(self.state.lock().unwrap().clone())) }
    }

    /// Plans a fault for operation number `at`, where the next operation is number 0.
    pub(crate) fn plan(&self, at: usize, fault: Fault) {
        let mut state = self.state.lock().unwrap();
        state.log.clear();
        state.planned = Some((at, fault));
    }

    /// Returns the operations since the last [`plan`](Self::plan).
    pub(crate) fn log(&self) -> Vec<String> {
        self.state.lock().unwrap().log.clone()
    }

    /// Restarts the machine, which releases the lock and frees space on a full disk.
    pub(crate) fn restart(&self) {
        let mut state = self.state.lock().unwrap();
        state.is_locked = false;
        state.is_dead = false;
        state.is_full = false;
        state.planned = None;
        state.log.clear();
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let mut state = self.state.lock().unwrap();
        let file = state.new_file();
        state.files[file].bytes = bytes.to_vec();
        state.files[file].synced = bytes.to_vec();
        state.live.insert(name.to_owned(), file);
        state.durable.insert(name.to_owned(), file);
    }

    /// Returns all files as a reader sees them.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.state.lock().unwrap();
        state.live.iter().map(|(name, &file)| (name.clone(), state.files[file].bytes.clone())).collect()
    }

    fn begin(&self, operation: &str, name: &str) -> io::Result<Go> {
        self.state.lock().unwrap().begin(operation, name)
    }
}

impl State {
    fn new_file(&mut self) -> usize {
        self.clock += 1;
        let modified = UNIX_EPOCH + Duration::from_secs(1_700_000_000 + self.clock);
        self.files.push(File { bytes: Vec::new(), synced: Vec::new(), modified });
        self.files.len() - 1
    }

    fn begin(&mut self, operation: &str, name: &str) -> io::Result<Go> {
        if self.is_dead {
            return Err(io::Error::other("the process has ended"));
        }
        let number = self.log.len();
        self.log.push(format!("{operation} {}", kind_of(name)));
        let writes = matches!(operation, "create" | "write");
        if self.is_full && writes {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let Some((_, fault)) = self.planned.filter(|(at, _)| *at == number) else { return Ok(Go::All) };
        match fault {
            Fault::ShortWrite if operation == "write" => Ok(Go::Half),
            Fault::Error | Fault::ShortWrite => Err(io::Error::other("planned fault")),
            Fault::DiskFull => {
                self.is_full = true;
                if writes { Err(io::ErrorKind::StorageFull.into()) } else { Ok(Go::All) }
            }
            Fault::CrashBefore => {
                self.is_dead = true;
                Err(io::Error::other("the process has ended"))
            }
            Fault::CrashAfter | Fault::PowerCut(_) if operation == "write" => Ok(Go::HalfThenDie),
            Fault::CrashAfter | Fault::PowerCut(_) => Ok(Go::AllThenDie),
        }
    }

    /// Kills the process or cuts the power after an operation, if that is planned.
    fn end(&mut self, go: &Go) -> io::Result<()> {
        if matches!(go, Go::All | Go::Half) {
            return Ok(());
        }
        self.is_dead = true;
        if let Some((_, Fault::PowerCut(survivors))) = self.planned {
            for (n, change) in std::mem::take(&mut self.pending).into_iter().enumerate() {
                if survivors >> (n % 32) & 1 == 1 {
                    apply(&mut self.durable, change);
                }
            }
            self.live = self.durable.clone();
            for file in &mut self.files {
                file.bytes.clone_from(&file.synced);
            }
        }
        Err(io::Error::other("the process has ended"))
    }

    fn change(&mut self, change: Change) {
        apply(&mut self.live, change.clone());
        self.pending.push(change);
    }
}

fn apply(directory: &mut BTreeMap<String, usize>, change: Change) {
    match change {
        Change::Create(name, file) => drop(directory.insert(name, file)),
        Change::Rename(from, to, file) => {
            directory.remove(&from);
            directory.insert(to, file);
        }
        Change::Remove(name) => drop(directory.remove(&name)),
    }
}

/// Returns the role of a file in the set.
fn kind_of(name: &str) -> &'static str {
    match name {
        "" => "directory",
        _ if name.contains("sitemap-journal") => "journal",
        _ if name.contains("sitemap-manifest") => "manifest",
        _ if name.contains("sitemap.xml") => "sitemap.xml",
        _ => "child",
    }
}

impl Storage for Disk {
    fn lock(&self) -> Result<Option<LockGuard>, StorageError> {
        let go = self.begin("lock", "").map_err(locking)?;
        let mut state = self.state.lock().unwrap();
        state.end(&go).map_err(locking)?;
        if std::mem::replace(&mut state.is_locked, true) {
            return Err(StorageError::Locked { path: "lock".into(), pid: None });
        }
        Ok(Some(Box::new(Unlock(self.clone()))))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn NewFile>> {
        let go = self.begin("create", name)?;
        let mut state = self.state.lock().unwrap();
        if state.live.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = state.new_file();
        state.change(Change::Create(name.to_owned(), file));
        state.end(&go)?;
        Ok(Box::new(OpenFile { disk: self.clone(), name: name.to_owned(), file }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let go = self.begin("rename", to)?;
        let mut state = self.state.lock().unwrap();
        let file = *state.live.get(from).ok_or(io::ErrorKind::NotFound)?;
        state.change(Change::Rename(from.to_owned(), to.to_owned(), file));
        state.end(&go)
    }

    fn rename_if(&self, from: &str, to: &str, seen: Option<&Metadata>) -> io::Result<bool> {
        if self.metadata(to)?.as_ref() != seen {
            return Ok(false);
        }
        self.rename(from, to).map(|()| true)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let go = self.begin("remove", name)?;
        let mut state = self.state.lock().unwrap();
        if !state.live.contains_key(name) {
            return Err(io::ErrorKind::NotFound.into());
        }
        state.change(Change::Remove(name.to_owned()));
        state.end(&go)
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        let go = self.begin("stat", name)?;
        let mut state = self.state.lock().unwrap();
        state.end(&go)?;
        let file = state.live.get(name).map(|&file| &state.files[file]);
        Ok(file.map(|file| Metadata::new(file.bytes.len() as u64, file.modified)))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        let go = self.begin("read", name)?;
        let mut state = self.state.lock().unwrap();
        state.end(&go)?;
        let file = *state.live.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(state.files[file].bytes.clone())))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let go = self.begin("list", "")?;
        let mut state = self.state.lock().unwrap();
        state.end(&go)?;
        Ok(state.live.keys().cloned().collect())
    }

    fn sync_file(&self, name: &str) -> io::Result<()> {
        let go = self.begin("sync", name)?;
        let mut state = self.state.lock().unwrap();
        let file = *state.live.get(name).ok_or(io::ErrorKind::NotFound)?;
        if go == Go::All {
            let bytes = state.files[file].bytes.clone();
            state.files[file].synced = bytes;
        }
        state.end(&go)
    }

    fn sync_names(&self) -> io::Result<()> {
        let go = self.begin("sync", "")?;
        let mut state = self.state.lock().unwrap();
        if go == Go::All {
            state.pending.clear();
            state.durable = state.live.clone();
        }
        state.end(&go)
    }
}

fn locking(error: io::Error) -> StorageError {
    StorageError::io("lock", "disk".as_ref(), error)
}

struct Unlock(Disk);

impl Drop for Unlock {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap();
        // A dead process can't release its lock; `restart` does.
        if !state.is_dead {
            state.is_locked = false;
        }
    }
}

#[derive(Debug)]
struct OpenFile {
    disk: Disk,
    name: String,
    file: usize,
}

impl NewFile for OpenFile {
    fn finish(&mut self) -> io::Result<Metadata> {
        let go = self.disk.begin("finish", &self.name)?;
        let mut state = self.disk.state.lock().unwrap();
        let file = &state.files[self.file];
        let metadata = Metadata::new(file.bytes.len() as u64, file.modified);
        state.end(&go)?;
        Ok(metadata)
    }
}

impl Write for OpenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let go = self.disk.begin("write", &self.name)?;
        let len = if go == Go::All { bytes.len() } else { bytes.len().div_ceil(2) };
        let mut state = self.disk.state.lock().unwrap();
        state.files[self.file].bytes.extend_from_slice(&bytes[..len]);
        state.end(&go)?;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
