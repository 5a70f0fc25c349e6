//! Finished files that wait in memory until it is known whether they are new.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use sitemap_core::storage::Metadata;

/// Bytes of all files that wait at most.
const MOST: usize = 64 << 20;

#[derive(Debug, Default)]
pub(super) struct Waiting {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<String, (Bytes, Metadata)>,
    bytes: usize,
}

impl Waiting {
    /// Keeps a file, unless there is no room for it.
    pub(super) fn keep(&self, name: &str, bytes: &Bytes, stat: &Metadata) -> bool {
        let mut state = self.state();
        if state.bytes + bytes.len() > MOST {
            return false;
        }
        state.bytes += bytes.len();
        state.files.insert(name.to_owned(), (bytes.clone(), stat.clone()));
        true
    }

    pub(super) fn get(&self, name: &str) -> Option<Bytes> {
        self.state().files.get(name).map(|(bytes, _)| bytes.clone())
    }

    pub(super) fn metadata(&self, name: &str) -> Option<Metadata> {
        self.state().files.get(name).map(|(_, stat)| stat.clone())
    }

    /// Whether there was such a file.
    pub(super) fn remove(&self, name: &str) -> bool {
        let mut state = self.state();
        let removed = state.files.remove(name);
        state.bytes -= removed.as_ref().map_or(0, |(bytes, _)| bytes.len());
        removed.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No step leaves it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
