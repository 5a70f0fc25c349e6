//! Finds the files of shards in the storage.

use std::collections::HashSet;
use std::time::Duration;

use super::error::ShardError;
use super::row::ShardRow;
use crate::clock;
use crate::publish::error::PublishError;
use crate::publish::set::{Kind, NextSet, Row, SetFile, metadata_of, names, not_later_than_now};
use crate::storage::Metadata;

/// Finds uncommitted shards that are at least this old and belong to a section of the commit. A shard is uncommitted if
/// it belongs to neither the next set nor an earlier one.
pub(super) fn find_uncommitted<'r>(
    set: &NextSet,
    rows: impl Iterator<Item = &'r ShardRow> + Clone,
    age: Duration,
) -> Result<Vec<String>, PublishError> {
    let storage = set.storage();
    let Some(latest) = clock::now()?.checked_sub(age) else { return Ok(Vec::new()) };
    let sections: HashSet<&str> = rows.clone().map(ShardRow::section).collect();
    let of_sets: HashSet<&str> = rows.map(|row| row.name.as_str()).chain(set.current_names()).collect();
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

/// Checks that each shard exists and has the size recorded in its row.
pub(super) fn find_all(set: &NextSet, rows: Vec<ShardRow>) -> Result<Vec<SetFile>, PublishError> {
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let found = metadata_of(&**set.storage(), &names)?;
    rows.into_iter().zip(found).map(|(row, found)| Ok(find(row, found)?)).collect()
}

fn find(row: ShardRow, found: Option<Metadata>) -> Result<SetFile, ShardError> {
    let missing = |found| ShardError::Missing { name: row.name.as_str().into(), expected: row.stored, found };
    let metadata = found.ok_or_else(|| missing(None))?;
    if metadata.len != row.stored {
        return Err(missing(Some(metadata.len)));
    }
    let row = Row {
        section: Some(row.section().into()),
        buckets: Some(row.buckets),
        name: row.name.into(),
        kind: Kind::Pages,
        entries: row.urls,
        bytes: row.bytes,
        digest: row.digest,
        newest: row.newest,
        by_url: row.by_url,
        source: row.source.map(|source| source.0),
        changed: not_later_than_now(metadata.modified),
        metadata,
        staged: None,
    };
    Ok(SetFile { row, staged: None })
}
