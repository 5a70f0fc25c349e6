//! What all parts of a run share, on whatever thread they are.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::journal;
use super::name;
use super::options::PublisherBuilder;
use super::persister::Persister;
use super::sink::PIECE;
use super::spare::Spare;
use super::staged::SealedFile;
use super::standing::{Content, Settled, Standing};
use super::storage::{Guard, Stat, Storage};
use super::workers::Queue;
use crate::error::{Error, ErrorKind};

/// A run from its lock to its end.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) options: PublisherBuilder,
    storage: Arc<dyn Storage>,
    pub(super) standing: Standing,
    /// Where jobs go, if there are threads for them.
    pub(super) queue: Option<Arc<Queue>>,
    persister: Persister,
    /// Room for pieces of text.
    pub(super) texts: Spare,
    /// Room for what they are compressed to.
    #[cfg(feature = "gzip")]
    pub(super) compressed: Spare,
    /// What files' names are made of, by their lower-case form.
    names: Mutex<BTreeMap<String, String>>,
    is_aborted: AtomicBool,
    pub(super) exclusion: Exclusion,
}

/// What keeps other runs from replacing the set at the same time.
pub(super) struct Exclusion {
    guard: Option<Guard>,
    /// Without a lock: what stood when the run began, and must still stand when its set is put in place.
    seen: Seen,
}

/// The two files of which at least one is replaced with every set.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) entry_point: Option<Stat>,
    pub(super) manifest: Option<Stat>,
}

impl Run {
    pub(super) fn begin(
        options: PublisherBuilder,
        storage: Arc<dyn Storage>,
        queue: Option<Arc<Queue>>,
    ) -> Result<Self, Error> {
        let exclusion = Exclusion::begin(&storage)?;
        Ok(Self {
            standing: Standing::read(&*storage)?,
            options,
            persister: Persister::new(&storage),
            storage,
            queue,
            texts: Spare::new(PIECE + PIECE / 2),
            #[cfg(feature = "gzip")]
            compressed: Spare::new(super::gzip::ROOM),
            names: Mutex::default(),
            is_aborted: AtomicBool::new(false),
            exclusion,
        })
    }

    pub(super) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    /// Makes a file that is whole one of the next set, unless the set that stands has it.
    pub(super) fn settle(&self, name: &str, content: Content, file: SealedFile) -> Settled {
        let name = self.standing.name_of(name, self.options.names, file.digest);
        let settled = self.standing.settle(&*self.storage, name, content, file);
        if let Some(staged) = &settled.staged {
            self.persister.begin(staged);
        }
        settled
    }

    /// Makes the bytes of all these files outlive a power cut.
    pub(super) fn persist(&self, files: &[SealedFile]) -> Result<(), Error> {
        self.persister.finish(files)
    }

    /// Keeps two parts of a set from taking the same file names.
    pub(super) fn claim(&self, name: &str) -> Result<(), Error> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        match names.insert(name.to_ascii_lowercase(), name.to_owned()) {
            None => Ok(()),
            Some(other) => {
                let error = ErrorKind::SectionCase { name: name.into(), other: other.as_str().into() };
                names.insert(name.to_ascii_lowercase(), other);
                Err(error.into())
            }
        }
    }

    /// Notes that the set lacks something and must not be finished.
    pub(super) fn abort(&self, error: Error) -> Error {
        self.is_aborted.store(true, Ordering::Relaxed);
        error
    }

    /// Leaves the old set as it is, if it still stands.
    #[cfg(feature = "async")]
    pub(super) fn give_up(&self) {
        self.is_aborted.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn is_aborted(&self) -> bool {
        self.is_aborted.load(Ordering::Relaxed)
    }
}

impl Exclusion {
    /// Locks the set, and finishes what a run before this one was cut off from.
    pub(super) fn begin(storage: &Arc<dyn Storage>) -> Result<Self, Error> {
        let mut exclusion = Self { guard: storage.lock()?, seen: Seen::default() };
        exclusion.look(storage)?;
        journal::recover(storage, &exclusion)?;
        journal::remove_leftovers(&**storage, exclusion.is_lock());
        exclusion.look(storage)?;
        Ok(exclusion)
    }

    fn look(&mut self, storage: &Arc<dyn Storage>) -> Result<(), Error> {
        if !self.is_lock() {
            self.seen = Seen::look(&**storage)?;
        }
        Ok(())
    }

    pub(super) fn is_lock(&self) -> bool {
        self.guard.is_some()
    }

    pub(super) fn seen(&self) -> &Seen {
        &self.seen
    }
}

impl Seen {
    pub(super) fn look(storage: &dyn Storage) -> Result<Self, Error> {
        let stat =
            |name| storage.stat(name).map_err(|error| Error::io("read", Some(&storage.locate(name)), error));
        Ok(Self { entry_point: stat(name::ENTRY_POINT)?, manifest: stat(name::MANIFEST)? })
    }
}

impl fmt::Debug for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exclusion")
            .field("is_lock", &self.is_lock())
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}
