//! Keeps finished files in memory. They are uploaded only if they differ from the published ones.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use sitemap_core::storage::Metadata;

/// The maximum total size of the files in memory, in bytes.
const MAX_BYTES: usize = 64 << 20;

#[derive(Debug, Default)]
pub(super) struct Unsent {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<String, (Bytes, Metadata)>,
    bytes: usize,
}

impl Unsent {
    /// Keeps a file in memory if there is room for it. Returns `false` if there is not.
    pub(super) fn keep(&self, name: &str, bytes: &Bytes, metadata: &Metadata) -> bool {
        let mut state = self.state();
        if state.bytes + bytes.len() > MAX_BYTES {
            return false;
        }
        state.bytes += bytes.len();
        state.files.insert(name.to_owned(), (bytes.clone(), metadata.clone()));
        true
    }

    pub(super) fn get(&self, name: &str) -> Option<Bytes> {
        self.state().files.get(name).map(|(bytes, _)| bytes.clone())
    }

    pub(super) fn metadata(&self, name: &str) -> Option<Metadata> {
        self.state().files.get(name).map(|(_, metadata)| metadata.clone())
    }

    /// Drops a file from memory. Returns `false` if there is no such file in memory.
    pub(super) fn remove(&self, name: &str) -> bool {
        let mut state = self.state();
        let removed = state.files.remove(name);
        state.bytes -= removed.as_ref().map_or(0, |(bytes, _)| bytes.len());
        removed.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the state half changed, so the lock can be used even if it is poisoned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
