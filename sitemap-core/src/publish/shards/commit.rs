//! The commit of shards: the part of one process when all others are done.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::error::ShardError;
use super::row::ShardRow;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::{Names, PublisherBuilder};
use crate::publish::set::{Commit, Kind, NextSet, Row, SetFile, names};
use crate::publish::skipped::SkippedRecords;
use crate::publish::summary::Summary;
use crate::publish::workers::Workers;
use crate::storage::Storage;

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
    pub fn add(&mut self, row: ShardRow) -> Result<(), PublishError> {
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
    /// [`PublishErrorKind::EmptySet`] without a row, [`PublishErrorKind::Shard`] if a shard is missing or the shards do
    /// not have as many pages as expected, [`PublishErrorKind::Overtaken`] or [`PublishErrorKind::Locked`] if another
    /// commit is running or was faster, and [`PublishErrorKind::Io`] if the storage fails. The old set stays published
    /// then.
    pub fn publish(mut self, storage: impl Storage + 'static) -> Result<Summary, PublishError> {
        if self.rows.is_empty() {
            return Err(PublishErrorKind::EmptySet { skipped: 0 }.into());
        }
        let found = self.rows.iter().map(|row| row.urls).sum();
        if let Some(expected) = self.expected_urls.filter(|expected| *expected != found) {
            return Err(ShardError::Total { expected, found }.into());
        }
        self.rows.sort_by(ShardRow::order);
        let workers = Arc::new(Workers::new(0));
        let set = NextSet::start(Arc::new(storage), Names::Digest, Arc::clone(&workers))?;
        let stray = match self.uncommitted_for {
            Some(age) => find_uncommitted(&set, &self.rows, age)?,
            None => Vec::new(),
        };
        let shards = find_all(&set, &workers, self.rows)?;
        let commit = Commit::of_listed_files(&set, &self.options, shards, stray)?;
        let summary = Summary::new(commit.rows(), &self.options, SkippedRecords::default())?;
        commit.publish()?;
        Ok(summary)
    }
}

/// Finds the shards of these sections, of that age at least, that belong to neither the next set nor an earlier one.
fn find_uncommitted(set: &NextSet, rows: &[ShardRow], age: Duration) -> Result<Vec<String>, PublishError> {
    let storage = set.storage();
    let Some(latest) = SystemTime::now().checked_sub(age) else { return Ok(Vec::new()) };
    let sections: HashSet<&str> = rows.iter().map(ShardRow::section).collect();
    let of_sets: HashSet<&str> =
        rows.iter().map(|row| &row.name).chain(set.current_names()).map(String::as_str).collect();
    let mut uncommitted =
        storage.list().map_err(|error| PublishError::io("list the files of", &storage.locate(""), error))?;
    uncommitted.retain(|name| {
        names::section_of_shard(name).is_some_and(|section| sections.contains(section))
            && !of_sets.contains(name.as_str())
    });
    let mut old = Vec::new();
    for name in uncommitted {
        let metadata = storage.metadata(&name);
        let metadata = metadata.map_err(|error| PublishError::io("read", &storage.locate(&name), error))?;
        if metadata.is_some_and(|metadata| metadata.modified <= latest) {
            old.push(name);
        }
    }
    Ok(old)
}

/// Looks for each shard where its row says it is.
fn find_all(set: &NextSet, workers: &Workers, rows: Vec<ShardRow>) -> Result<Vec<SetFile>, PublishError> {
    /// Fewer shards are found sooner than threads are started.
    const FEW: usize = 64;
    /// The number of shards of one job. An object store takes some ten milliseconds for each.
    const AT_ONCE: usize = 16;

    if rows.len() < FEW {
        return rows.into_iter().map(|row| find(&**set.storage(), row)).collect();
    }
    let tasks: Vec<_> = rows
        .chunks(AT_ONCE)
        .map(|rows| {
            let (storage, rows) = (Arc::clone(set.storage()), rows.to_vec());
            workers
                .run(move || rows.into_iter().map(|row| find(&*storage, row)).collect::<Result<Vec<_>, _>>())
        })
        .collect();
    let mut found = Vec::with_capacity(rows.len());
    for task in tasks {
        found.append(&mut task.wait().ok_or(PublishErrorKind::Aborted)??);
    }
    Ok(found)
}

fn find(storage: &dyn Storage, row: ShardRow) -> Result<SetFile, PublishError> {
    let metadata = storage.metadata(&row.name);
    let metadata = metadata.map_err(|error| PublishError::io("read", &storage.locate(&row.name), error))?;
    let missing = |found| ShardError::Missing { name: row.name.as_str().into(), expected: row.stored, found };
    let metadata = metadata.ok_or_else(|| missing(None))?;
    if metadata.len != row.stored {
        return Err(missing(Some(metadata.len)).into());
    }
    let row = Row {
        name: row.name,
        kind: Kind::Pages,
        entries: row.urls,
        bytes: row.bytes,
        digest: row.digest,
        newest: row.newest,
        changed: metadata.modified,
        metadata,
        staged: None,
    };
    Ok(SetFile { row, staged: None })
}
