//! The states that are open, so that several scans of a session share one.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use datafusion::common::exec_datafusion_err;
use datafusion::error::Result;
use sitemap_pages::state::State;

/// The states that scans of a session read. Only one process can open a state, and only once.
#[derive(Clone, Debug, Default)]
pub(super) struct Opened(Arc<Mutex<HashMap<PathBuf, Arc<Mutex<State>>>>>);

impl Opened {
    /// Opens a state, or shares it with the scans that have opened it before. The last of them closes it.
    pub(super) fn open(&self, path: &Path) -> Result<SharedState> {
        // The same file may have several paths. If it has none, opening it reports that.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut states = self.states();
        let state = if let Some(state) = states.get(&path) {
            Arc::clone(state)
        } else {
            let state = State::open(&path).map_err(|error| exec_datafusion_err!("{error}"))?;
            let state = Arc::new(Mutex::new(state));
            states.insert(path.clone(), Arc::clone(&state));
            state
        };
        Ok(SharedState { opened: self.clone(), path, state: Some(state) })
    }

    fn states(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Mutex<State>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open state.
#[derive(Debug)]
pub(super) struct SharedState {
    opened: Opened,
    path: PathBuf,
    /// `None` only while this value is dropped.
    state: Option<Arc<Mutex<State>>>,
}

impl SharedState {
    /// Passes the state to a function. No other scan reads it meanwhile.
    pub(super) fn read<R>(&self, read: impl FnOnce(&State) -> R) -> Option<R> {
        let state = self.state.as_ref()?;
        Some(read(&state.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Drop for SharedState {
    /// Closes the state if no other scan reads it. A scan that begins meanwhile waits, because it could not open the state
    /// before it is closed.
    fn drop(&mut self) {
        let mut states = self.opened.states();
        self.state = None;
        if states.get(&self.path).is_some_and(|state| Arc::strong_count(state) == 1) {
            states.remove(&self.path);
        }
    }
}
