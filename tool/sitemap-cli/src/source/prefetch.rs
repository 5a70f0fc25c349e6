//! Downloads documents before they are read.
//!
//! Documents are read in the order of their index. While one is read, the next ones are downloaded to temporary files.
//! So they may arrive in any order, and memory usage doesn't depend on their size.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::vec;

use url::Url;

use super::Place;
use super::client::{Client, Started};
use super::spool::Spool;

/// The maximum number of downloaded but unread documents per index. While the reader waits for a slow host, this many
/// documents can arrive from other hosts. Each one costs a few kilobytes of memory.
const MAX_DOCUMENTS: usize = 4_096;

/// The maximum total length of the downloaded but unread documents; beyond it, no further download starts. If the
/// server hasn't stated a document's length yet, the mean length of the other documents is used, or else [`GUESS`].
const MAX_BYTES: u64 = 256 << 20;

/// The assumed length of a document while no length is known.
const GUESS: u64 = 1 << 20;

/// The upcoming documents, and those already downloaded.
#[derive(Debug, Default)]
pub(super) struct Prefetch {
    /// The indexes being read, the innermost one last.
    levels: Vec<Level>,
    started: HashMap<Url, Download>,
    /// The digests of all URLs that were announced or read. If two URLs have the same digest, the second one isn't
    /// downloaded in advance.
    known: HashSet<u64>,
    levels_so_far: u64,
    /// The number of documents that were read, and their total length.
    taken: u64,
    taken_bytes: u64,
}

#[derive(Debug)]
struct Level {
    number: u64,
    coming: vec::IntoIter<Url>,
    /// The number of documents that are downloaded but not yet read.
    open: usize,
}

#[derive(Debug)]
struct Download {
    level: u64,
    started: Started,
}

impl Prefetch {
    /// Announces the documents to read next, in order. Stops once `max_files` documents have been announced or read.
    pub(super) fn expect<'p>(&mut self, places: impl IntoIterator<Item = &'p Place>, max_files: usize) {
        let mut coming = Vec::new();
        for place in places {
            if self.known.len() >= max_files {
                break;
            }
            if let Place::Url(url) = place
                && self.known.insert(digest(url))
            {
                coming.push(url.clone());
            }
        }
        if !coming.is_empty() {
            self.levels_so_far += 1;
            self.levels.push(Level { number: self.levels_so_far, coming: coming.into_iter(), open: 0 });
        }
    }

    /// Returns the download of the document that is being read, if it was started, and starts more downloads.
    pub(super) fn take(&mut self, url: &Url, client: &Client, spool: &Spool) -> Option<Started> {
        self.known.insert(digest(url));
        self.start_more(client, spool);
        let Some(Download { level, started }) = self.started.remove(url) else {
            // The limits prevented this download, so the caller has to start it.
            for level in &mut self.levels {
                if level.coming.as_slice().first() == Some(url) {
                    level.coming.next();
                }
            }
            return None;
        };
        if let Some(level) = self.levels.iter_mut().find(|one| one.number == level) {
            level.open -= 1;
        }
        if let Some(length) = started.length() {
            self.taken += 1;
            self.taken_bytes += length;
        }
        Some(started)
    }

    /// Returns two estimates: the total size of the downloaded but unread documents once all of them have arrived, and
    /// the mean length of a document.
    fn expected(&self) -> (u64, u64) {
        let (mut known, mut bytes) = (0, 0);
        for length in self.started.values().filter_map(|download| download.started.length()) {
            known += 1;
            bytes += length;
        }
        let mean = (self.taken_bytes + bytes).checked_div(self.taken + known).unwrap_or(GUESS);
        (bytes + (self.started.len() as u64 - known) * mean, mean)
    }

    /// Starts downloads, up to the limits. If a download can't be started, it fails again when the document is read,
    /// with a message.
    pub(super) fn start_more(&mut self, client: &Client, spool: &Spool) {
        self.levels.retain(|level| level.open > 0 || !level.coming.as_slice().is_empty());
        let (mut expected, mean) = self.expected();
        // Once the innermost index has no more documents, the index around it continues.
        for level in self.levels.iter_mut().rev() {
            while level.open < MAX_DOCUMENTS && (expected < MAX_BYTES || self.started.is_empty()) {
                let Some(url) = level.coming.next() else { break };
                let Ok(started) = client.start(&url, spool, false) else { return };
                level.open += 1;
                expected += mean;
                self.started.insert(url, Download { level: level.number, started });
            }
            if !level.coming.as_slice().is_empty() {
                return;
            }
        }
    }
}

fn digest(url: &Url) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.as_str().hash(&mut hasher);
    hasher.finish()
}
