//! Committing shards: what one process does when all others are done.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use super::super::commit::Commit;
use super::super::manifest::{Kind, Row};
use super::super::name;
use super::super::options::{Names, PublisherBuilder};
use super::super::run::Run;
use super::super::standing::Settled;
use super::super::storage::Storage;
use super::super::summary::{SkippedRecords, Summary};
use super::error::ShardError;
use super::row::ShardRow;
use crate::error::{Error, ErrorKind};

/// Makes a set of the shards whose rows it is given.
///
/// Rows may come in any order, and more than once. The old set stands until the last step, which puts
/// `sitemap.xml` in place; of two commits at once, one wins and the other is told so. The shards of the
/// set before stay until the next commit, for crawlers that still hold its index. A shard that was never
/// committed stays, too, as it may belong to a run that is at work; see
/// [`remove_uncommitted`](Self::remove_uncommitted).
///
/// Of a committed shard the name and the size are checked, not its bytes.
///
/// For an example see [`ShardWriter`](super::ShardWriter).
#[derive(Debug)]
#[must_use = "nothing is published before `publish`"]
pub struct ShardCommit {
    options: PublisherBuilder,
    rows: Vec<ShardRow>,
    /// Where each shard is among the rows.
    by_identity: HashMap<Box<str>, usize>,
    /// Where the first shard of each section is.
    by_section: HashMap<Box<str>, usize>,
    expected_urls: Option<u64>,
    uncommitted_for: Option<Duration>,
}

impl ShardCommit {
    /// A commit with the settings that the shards were written with.
    pub fn new(options: PublisherBuilder) -> Self {
        let options = options.names(Names::Digest);
        let (by_identity, by_section) = Default::default();
        Self {
            options,
            rows: Vec::new(),
            by_identity,
            by_section,
            expected_urls: None,
            uncommitted_for: None,
        }
    }

    /// Sets how many pages all shards together must have. Default: any number.
    pub fn expect_urls(mut self, urls: u64) -> Self {
        self.expected_urls = Some(urls);
        self
    }

    /// Removes shards that were written so long ago and never committed, when the set is in place.
    /// Default: they stay.
    ///
    /// Only shards of the sections that are committed. Let it be longer than any run takes: a shard that
    /// is removed under a run that would still commit it makes that commit fail as
    /// [`ShardError::Missing`].
    pub fn remove_uncommitted(mut self, age: Duration) -> Self {
        self.uncommitted_for = Some(age);
        self
    }

    /// Adds a row; a row that was there already counts once.
    ///
    /// # Errors
    ///
    /// [`ShardError::Site`] if the shard was written for another site, [`ShardError::Buckets`] if others
    /// of its section were written with another number of buckets, and [`ShardError::Conflict`] if
    /// another row tells of the same shard with other content.
    pub fn add(&mut self, row: ShardRow) -> Result<(), Error> {
        self.check_settings(&row)?;
        if let Some(&at) = self.by_identity.get(row.identity()) {
            let one = &self.rows[at];
            if *one == row {
                return Ok(());
            }
            let (one, other) = (one.to_string().into(), row.to_string().into());
            return Err(ShardError::Conflict { one, other }.into());
        }
        self.by_identity.insert(row.identity().into(), self.rows.len());
        self.rows.push(row);
        Ok(())
    }

    fn check_settings(&mut self, row: &ShardRow) -> Result<(), ShardError> {
        let base = self.options.site.base();
        if *row.base != *base {
            let (expected, found) = (base.into(), row.base.clone());
            return Err(ShardError::Site { name: row.name.as_str().into(), expected, found });
        }
        let Some(&first) = self.by_section.get(row.section()) else {
            self.by_section.insert(row.section().into(), self.rows.len());
            return Ok(());
        };
        let first = &self.rows[first];
        if first.buckets != row.buckets {
            let [one, other] = [first, row].map(|row| (row.name.as_str().into(), row.buckets));
            return Err(ShardError::Buckets { one, other });
        }
        Ok(())
    }

    /// Publishes all shards as the new set.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptySet`] without a row, [`ErrorKind::Shard`] if a shard is missing or all have not
    /// as many pages as expected, [`ErrorKind::Overtaken`] or [`ErrorKind::Locked`] if another commit is
    /// at work or was faster, and [`ErrorKind::Io`] if the storage fails. The old set stands then.
    pub fn publish(mut self, storage: impl Storage + 'static) -> Result<Summary, Error> {
        if self.rows.is_empty() {
            return Err(ErrorKind::EmptySet { skipped: 0 }.into());
        }
        let found = self.rows.iter().map(|row| row.urls).sum();
        if let Some(expected) = self.expected_urls.filter(|expected| *expected != found) {
            return Err(ShardError::Total { expected, found }.into());
        }
        self.rows.sort_by(ShardRow::order);
        let run = Run::begin(self.options, Arc::new(storage), None)?;
        let shards = find_all(&run, &self.rows)?;
        let stray = match self.uncommitted_for {
            Some(age) => find_uncommitted(&run, &self.rows, age)?,
            None => Vec::new(),
        };
        Commit::new(&run).and_remove(stray).publish_listed(shards, SkippedRecords::default())
    }
}

/// Shards of these sections, of that age at least, that neither the next set has nor one before.
fn find_uncommitted(run: &Run, rows: &[ShardRow], age: Duration) -> Result<Vec<String>, Error> {
    let storage = run.storage();
    let Some(latest) = SystemTime::now().checked_sub(age) else { return Ok(Vec::new()) };
    let sections: HashSet<&str> = rows.iter().map(ShardRow::section).collect();
    let of_sets: HashSet<&str> =
        rows.iter().map(|row| &row.name).chain(run.standing.manifest.names()).map(String::as_str).collect();
    let mut uncommitted = storage.names().map_err(|error| Error::io("list the files of", None, error))?;
    uncommitted.retain(|name| {
        name::section_of_shard(name).is_some_and(|section| sections.contains(section))
            && !of_sets.contains(name.as_str())
    });
    let mut old = Vec::new();
    for name in uncommitted {
        let stat = storage.stat(&name);
        let stat = stat.map_err(|error| Error::io("read", Some(&storage.locate(&name)), error))?;
        if stat.is_some_and(|stat| stat.modified <= latest) {
            old.push(name);
        }
    }
    Ok(old)
}

/// Looks for each shard where its row says it is.
fn find_all(run: &Run, rows: &[ShardRow]) -> Result<Vec<Settled>, Error> {
    /// Object stores take some ten milliseconds to answer, and answer many at once.
    const AT_ONCE: usize = 16;
    const FEW: usize = 64;

    let find = |rows: &[ShardRow]| rows.iter().map(|row| find(run, row)).collect::<Result<Vec<_>, _>>();
    if rows.len() < FEW {
        return find(rows);
    }
    thread::scope(|scope| {
        let spawn = |rows| thread::Builder::new().spawn_scoped(scope, move || find(rows));
        let threads: Vec<_> = rows.chunks(rows.len().div_ceil(AT_ONCE)).map(spawn).collect();
        let mut found = Vec::with_capacity(rows.len());
        for thread in threads {
            let thread = thread.map_err(|error| Error::io("begin a thread for", None, error))?;
            found.append(&mut thread.join().map_err(|_| ErrorKind::Aborted)??);
        }
        Ok(found)
    })
}

fn find(run: &Run, row: &ShardRow) -> Result<Settled, Error> {
    let storage = run.storage();
    let stat = storage.stat(&row.name);
    let stat = stat.map_err(|error| Error::io("read", Some(&storage.locate(&row.name)), error))?;
    let missing = |found| ShardError::Missing { name: row.name.as_str().into(), expected: row.stored, found };
    let stat = stat.ok_or_else(|| missing(None))?;
    if stat.len != row.stored {
        return Err(missing(Some(stat.len)).into());
    }
    let row = Row {
        name: row.name.clone(),
        kind: Kind::Pages,
        items: row.urls,
        bytes: row.bytes,
        digest: row.digest,
        newest: row.newest,
        changed: stat.modified,
        stat,
        staged: None,
    };
    Ok(Settled { row, staged: None })
}
