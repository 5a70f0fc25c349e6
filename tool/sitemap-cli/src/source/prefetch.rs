//! Downloads of documents before they are read.
//!
//! Documents are read in the order of their index. Meanwhile, the documents that follow are downloaded to temporary
//! files, so they may arrive in any order, and memory does not depend on their sizes.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::vec;

use url::Url;

use super::Place;
use super::client::{Client, Started};
use super::spool::Spool;

/// The maximum number of documents of one index that are downloaded and not read. While the reader waits for a document
/// of a slow host, this many of other hosts can arrive. Each costs some kilobytes of memory.
const MAX_DOCUMENTS: usize = 4_096;

/// No further download is started while the documents that are downloaded and not read have this size. A length that the
/// server has not stated yet counts like that of the others, or else as [`GUESS`].
const MAX_BYTES: u64 = 256 << 20;

/// The length of a document while nothing is known about any other.
const GUESS: u64 = 1 << 20;

/// The documents to come, and those that are downloaded.
#[derive(Debug, Default)]
pub(super) struct Prefetch {
    /// The indexes that are being read, the innermost one last.
    levels: Vec<Level>,
    started: HashMap<Url, Download>,
    /// The digests of all URLs that were expected or read. Two URLs with the same digest do no harm: the second one is
    /// downloaded when it is read.
    known: HashSet<u64>,
    levels_so_far: u64,
    /// The documents that were taken, and their lengths.
    taken: u64,
    taken_bytes: u64,
}

#[derive(Debug)]
struct Level {
    number: u64,
    coming: vec::IntoIter<Url>,
    /// The number of documents that are downloaded and not read.
    open: usize,
}

#[derive(Debug)]
struct Download {
    level: u64,
    started: Started,
}

impl Prefetch {
    /// Takes the documents that will be read next, in their order, up to a number of documents in all.
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

    /// Returns the download of a document that is read now, if it has been started, and starts others.
    pub(super) fn take(&mut self, url: &Url, client: &Client, spool: &Spool) -> Option<Started> {
        self.known.insert(digest(url));
        self.start_more(client, spool);
        let Some(Download { level, started }) = self.started.remove(url) else {
            // The limits left it out, and the caller downloads it.
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

    /// Returns the bytes of the documents that are downloaded and not read, once all have arrived, and the mean length of a
    /// document.
    fn expected(&self) -> (u64, u64) {
        let (mut known, mut bytes) = (0, 0);
        for length in self.started.values().filter_map(|download| download.started.length()) {
            known += 1;
            bytes += length;
        }
        let mean = (self.taken_bytes + bytes).checked_div(self.taken + known).unwrap_or(GUESS);
        (bytes + (self.started.len() as u64 - known) * mean, mean)
    }

    /// Starts downloads, up to the limits. One that cannot be started fails again, with a message, when it is read.
    pub(super) fn start_more(&mut self, client: &Client, spool: &Spool) {
        self.levels.retain(|level| level.open > 0 || !level.coming.as_slice().is_empty());
        let (mut expected, mean) = self.expected();
        // After the documents of the innermost index come those of the index around it.
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
