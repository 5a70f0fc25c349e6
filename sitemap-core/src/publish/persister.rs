//! Waiting for the disk while the rest of a set is made.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::staged::SealedFile;
use super::storage::Storage;
use crate::error::{Error, ErrorKind};

/// Smaller files are sooner synced at the end, many at once.
const LEAST_BYTES: u64 = 1 << 20;

/// How many files are synced at once at the end: file systems do many such waits in one.
const AT_ONCE: usize = 8;

/// Fewer files are sooner done than threads begun.
const FEW: usize = 4;

/// Has large files synced by a thread of its own as soon as they are whole, and the others at the end.
#[derive(Debug)]
pub(super) struct Persister {
    storage: Arc<dyn Storage>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// By their temporary names.
    waiting: VecDeque<String>,
    done: HashSet<String>,
    failed: HashMap<String, io::Error>,
    thread: Option<JoinHandle<()>>,
    is_working: bool,
}

impl Persister {
    pub(super) fn new(storage: &Arc<dyn Storage>) -> Self {
        Self { storage: Arc::clone(storage), state: Arc::default() }
    }

    /// Begins to sync a file that is whole, if it is worth it.
    pub(super) fn begin(&self, file: &SealedFile) {
        if file.stat.len < LEAST_BYTES {
            return;
        }
        let mut state = lock(&self.state);
        state.waiting.push_back(file.name().to_owned());
        if !state.is_working {
            let (storage, shared) = (Arc::clone(&self.storage), Arc::clone(&self.state));
            let thread = thread::Builder::new().name("sitemap-sync".to_owned());
            // Without a thread the files wait until the end.
            state.thread = thread.spawn(move || work(&*storage, &shared)).ok();
            state.is_working = state.thread.is_some();
        }
    }

    /// Syncs what is not yet.
    pub(super) fn finish(&self, files: &[SealedFile]) -> Result<(), Error> {
        let thread = self.stop();
        let is_done = |file: &&SealedFile| lock(&self.state).done.contains(file.name());
        let left: Vec<_> = files.iter().filter(|file| !is_done(file)).collect();
        // Meanwhile the thread ends with the file that it is at.
        persist_all(&left)?;
        if let Some(thread) = thread {
            thread.join().map_err(|_| ErrorKind::Aborted)?;
        }
        let State { mut failed, .. } = std::mem::take(&mut *lock(&self.state));
        files.iter().try_for_each(|file| match failed.remove(file.name()) {
            Some(error) => Err(file.sync_error(error)),
            None => Ok(()),
        })
    }

    fn stop(&self) -> Option<JoinHandle<()>> {
        let mut state = lock(&self.state);
        state.waiting.clear();
        state.thread.take()
    }
}

impl Drop for Persister {
    fn drop(&mut self) {
        if let Some(thread) = self.stop() {
            let _ = thread.join();
        }
    }
}

fn work(storage: &dyn Storage, state: &Mutex<State>) {
    loop {
        let name = {
            let mut state = lock(state);
            let next = state.waiting.pop_front();
            state.is_working = next.is_some();
            next
        };
        let Some(name) = name else { return };
        let result = storage.persist(&name);
        let mut state = lock(state);
        if let Err(error) = result {
            state.failed.insert(name.clone(), error);
        }
        state.done.insert(name);
    }
}

fn persist_all(files: &[&SealedFile]) -> Result<(), Error> {
    let persist = |files: &[&SealedFile]| files.iter().try_for_each(|file| file.persist());
    if files.len() < FEW {
        return persist(files);
    }
    thread::scope(|scope| {
        let spawn = |files| thread::Builder::new().spawn_scoped(scope, move || persist(files));
        let threads: Vec<_> = files.chunks(files.len().div_ceil(AT_ONCE)).map(spawn).collect();
        for thread in threads {
            let thread = thread.map_err(|error| Error::io("begin a thread for", None, error))?;
            thread.join().map_err(|_| ErrorKind::Aborted)??;
        }
        Ok(())
    })
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
