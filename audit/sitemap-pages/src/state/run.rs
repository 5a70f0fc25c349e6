//! Runs, which can be started, interrupted, resumed and finished.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::changes::ContentChanges;
use super::error::StateError;
use super::gap::{Gap, GapReason};
use super::open_state::State;
use super::table::{Table, TableId};

pub(super) const RUNS: Table<RunRecord> = Table::new(TableId::Runs);

/// What a run does.
///
/// ```
/// use sitemap_pages::state::RunKind;
///
/// assert_eq!(RunKind::Crawl.as_str(), "crawl");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RunKind {
    /// Fetches the pages in a listing.
    Check,
    /// Follows links.
    Crawl,
    /// Reads a folder of generated pages.
    Build,
}

impl RunKind {
    /// Returns the name, such as `crawl`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Crawl => "crawl",
            Self::Build => "build",
        }
    }
}

/// An unfinished run.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use sitemap_pages::state::{RunKind, State};
///
/// let state = State::in_memory()?;
/// let run = state.begin_run(RunKind::Crawl, UNIX_EPOCH)?;
/// assert!(!run.is_resumed());
///
/// // After an interruption, the run goes on, and its time is still that of its beginning.
/// let run = state.begin_run(RunKind::Crawl, UNIX_EPOCH + Duration::from_secs(60))?;
/// assert!(run.is_resumed());
/// assert_eq!((run.number(), run.time()), (1, UNIX_EPOCH));
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    number: u64,
    kind: RunKind,
    time: SystemTime,
    is_resumed: bool,
}

impl Run {
    /// Returns the run's number, counted from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns what the run does.
    pub const fn kind(&self) -> RunKind {
        self.kind
    }

    /// Returns the time that was passed when the run was first started.
    pub const fn time(&self) -> SystemTime {
        self.time
    }

    /// Returns `true` if the run was started earlier and interrupted.
    pub const fn is_resumed(&self) -> bool {
        self.is_resumed
    }
}

/// Everything that is stored about a run.
///
/// ```
/// use std::time::UNIX_EPOCH;
/// use sitemap_pages::state::{GapReason, RunKind, State};
///
/// let state = State::in_memory()?;
/// let run = state.begin_run(RunKind::Crawl, UNIX_EPOCH)?;
/// state.leave_out(&run, GapReason::MaxDepth, 2)?;
/// state.finish_run(&run)?;
///
/// let record = state.runs().next().unwrap()?;
/// assert!(record.is_finished && !record.is_complete());
/// assert_eq!(record.gaps[0].to_string(), "2 pages are deeper than the limit");
/// # Ok::<(), sitemap_pages::state::StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// The run's number, counted from 1.
    pub number: u64,
    /// What the run does.
    pub kind: RunKind,
    /// The time that was passed when the run was first started.
    #[serde(with = "crate::stamp")]
    pub time: SystemTime,
    /// Whether the run is finished.
    pub is_finished: bool,
    /// Why the run is incomplete, ordered by [`GapReason`].
    pub gaps: Vec<Gap>,
    /// The changes that the run found, once it is finished.
    pub changes: ContentChanges,
}

impl RunRecord {
    /// Returns `true` if the run is finished and skipped nothing.
    pub fn is_complete(&self) -> bool {
        self.is_finished && self.gaps.is_empty()
    }
}

impl State {
    /// Starts a run. If the last run of this kind was interrupted, continues it instead. A continued run keeps its
    /// original start time, and each visit has its own time.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read or written.
    pub fn begin_run(&self, kind: RunKind, now: SystemTime) -> Result<Run, StateError> {
        for number in self.db.head(|head| head.open.clone()) {
            let record = self.record(number)?;
            if record.kind == kind {
                return Ok(Run { number, kind, time: record.time, is_resumed: true });
            }
        }
        self.db.transaction(|| {
            let number = self.db.head(|head| head.runs) + 1;
            let (gaps, changes) = (Vec::new(), ContentChanges::default());
            let record = RunRecord { number, kind, time: now, is_finished: false, gaps, changes };
            self.db.put(&RUNS, &key(number), &record)?;
            if kind == RunKind::Crawl {
                self.clear_frontier()?;
            }
            self.db.change_head(|head| {
                head.runs = number;
                head.open.push(number);
            });
            Ok(Run { number, kind, time: now, is_resumed: false })
        })
    }

    /// Records that a run skipped something. The counts of several calls add up.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the run is finished, or if the file can't be written.
    pub fn leave_out(&self, run: &Run, reason: GapReason, count: u64) -> Result<(), StateError> {
        self.check_open(run)?;
        if count == 0 {
            return Ok(());
        }
        self.db.write(|| {
            let mut record = self.record(run.number)?;
            match record.gaps.binary_search_by_key(&reason, |gap| gap.reason) {
                Ok(at) => record.gaps[at].count = record.gaps[at].count.saturating_add(count),
                Err(at) => record.gaps.insert(at, Gap { reason, count }),
            }
            self.db.put(&RUNS, &key(run.number), &record)
        })
    }

    /// Returns all runs, ordered by number.
    pub fn runs(&self) -> impl Iterator<Item = Result<RunRecord, StateError>> {
        self.db.all(RUNS).map(|row| row.map(|(_, record)| record))
    }

    /// Returns a run by its number.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn run(&self, number: u64) -> Result<Option<RunRecord>, StateError> {
        self.db.get(&RUNS, &key(number))
    }

    /// Returns the last finished run of a kind, or of any kind.
    ///
    /// # Errors
    ///
    /// Returns a [`StateError`] if the file can't be read.
    pub fn last_run(&self, kind: Option<RunKind>) -> Result<Option<RunRecord>, StateError> {
        let mut last = None;
        for record in self.runs() {
            let record = record?;
            if record.is_finished && kind.is_none_or(|kind| kind == record.kind) {
                last = Some(record);
            }
        }
        Ok(last)
    }

    pub(super) fn record(&self, number: u64) -> Result<RunRecord, StateError> {
        let place = || RUNS.id.place(&key(number));
        self.run(number)?.ok_or_else(|| self.db.damaged(place(), "is missing".to_owned()))
    }

    pub(super) fn check_open(&self, run: &Run) -> Result<(), StateError> {
        if self.db.head(|head| head.open.contains(&run.number)) {
            return Ok(());
        }
        Err(StateError::NoSuchRun { path: self.path().to_owned(), number: run.number })
    }
}

pub(super) fn key(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}
