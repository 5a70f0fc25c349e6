//! An update, which replaces some hash buckets of the published set.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::error::ShardError;
use super::published::{PublishedShard, PublishedShards};
use super::row::ShardRow;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::publish::options::{HtmlPageAction, SetOptions};
use crate::publish::set::{Digest, Kind, NextSet, Positions, SetFile, names};
use crate::value::Site;

/// The minimum time for which replaced shards stay, because an update that started earlier may still read them.
const READ_FOR: Duration = Duration::from_secs(15 * 60);

/// The part of a section that a commit replaces.
#[derive(Debug)]
pub(super) struct Update {
    section: String,
    /// The number of pages that the update changes, if the caller counts them.
    changes: Option<u64>,
    /// The number of hash buckets; `None` if the whole section is replaced.
    buckets: Option<u32>,
    /// The names of the files that the caller read, by bucket. If the whole section is replaced, they have the key
    /// `None`.
    replaced: BTreeMap<Option<u32>, BTreeSet<String>>,
    /// The names of the files that the caller read but doesn't replace, by bucket.
    checked: BTreeMap<Option<u32>, BTreeSet<String>>,
    /// The positions up to which the set that the caller read contains the changes from other systems.
    positions: Positions,
}

impl Update {
    pub(super) fn new(
        published: &PublishedShards,
        section: &str,
        replaced: impl IntoIterator<Item = u32>,
    ) -> Result<Self, ShardError> {
        let section = section.to_owned();
        let Some(buckets) = published.buckets(&section) else {
            return Err(ShardError::NoBuckets { section: section.into() });
        };
        let replaced = names_of(published, &section, buckets, replaced)?;
        let positions = published.positions().clone();
        let (buckets, changes, checked) = (Some(buckets), None, BTreeMap::new());
        Ok(Self { section, changes, buckets, replaced, checked, positions })
    }

    /// Replaces a whole section.
    pub(super) fn of_section(published: &PublishedShards, section: &str) -> Self {
        let names = published.section(section).into_iter().map(|file| file.name().to_owned()).collect();
        let (section, replaced) = (section.to_owned(), [(None, names)].into());
        let positions = published.positions().clone();
        Self { section, changes: None, buckets: None, replaced, checked: BTreeMap::new(), positions }
    }

    /// Adds buckets that the update read and that must not have changed since.
    pub(super) fn check_buckets(
        &mut self,
        published: &PublishedShards,
        checked: impl IntoIterator<Item = u32>,
    ) -> Result<(), ShardError> {
        let buckets = self.buckets.unwrap_or_default();
        self.checked.append(&mut names_of(published, &self.section, buckets, checked)?);
        Ok(())
    }

    pub(super) fn count_changes(&mut self, pages: u64) {
        self.changes = Some(pages);
    }

    pub(super) fn section(&self) -> &str {
        &self.section
    }

    /// Returns the number of pages that the update changes, if the caller counts them.
    pub(super) fn changes(&self) -> Option<u64> {
        self.changes
    }

    /// Returns the settings of the run. Like a run that keeps sections, an update needs an intact manifest.
    pub(super) fn options(options: SetOptions) -> SetOptions {
        let time = options.keep_for.max(READ_FOR);
        let html_page = match options.html_page {
            HtmlPageAction::Unset => HtmlPageAction::Keep,
            ref action => action.clone(),
        };
        SetOptions { needed_for: READ_FOR, html_page, ..options.keep_sections(true).keep_for(time) }
    }

    /// Checks that no other run has moved a position that this update moves.
    pub(super) fn check_positions(&self, set: &NextSet, moved: &Positions) -> Result<(), PublishError> {
        let is_same = moved.iter().all(|(section, source, _)| {
            set.current_positions().get(section, source) == self.positions.get(section, source)
        });
        if is_same { Ok(()) } else { Err(overtaken(set)) }
    }

    /// Returns `true` if the row belongs to a bucket that the update replaces.
    fn replaces(&self, row: &ShardRow) -> bool {
        let is_of_bucket = self.buckets.is_none_or(|buckets| {
            row.buckets == buckets && self.replaced.contains_key(&names::bucket_of_shard(&row.name))
        });
        row.section() == self.section && is_of_bucket
    }

    /// Returns these files of a set, but with new shards in place of the replaced ones.
    fn merge(
        &self,
        set: &NextSet,
        files: Vec<SetFile>,
        new: &mut Vec<SetFile>,
    ) -> Result<Vec<SetFile>, PublishError> {
        let none = |names: &BTreeMap<Option<u32>, _>| -> BTreeMap<Option<u32>, BTreeSet<String>> {
            names.keys().map(|key| (*key, BTreeSet::new())).collect()
        };
        let (mut found, mut unchanged) = (none(&self.replaced), none(&self.checked));
        let mut merged = Vec::with_capacity(files.len());
        let mut of_section = Vec::with_capacity(files.len());
        let mut place = None;
        for file in files {
            let row = &file.row;
            if row.section() != Some(&self.section) {
                merged.push(file);
                continue;
            }
            place.get_or_insert(merged.len());
            let bucket = match self.buckets {
                None => None,
                Some(_) if row.buckets != self.buckets => return Err(overtaken(set)),
                Some(_) => names::bucket_of_shard(&row.name),
            };
            if let Some(names) = found.get_mut(&bucket) {
                names.insert(row.name.to_string());
                continue;
            }
            if let Some(names) = unchanged.get_mut(&bucket) {
                names.insert(row.name.to_string());
            }
            of_section.push((bucket, file));
        }
        let is_same = found == self.replaced && unchanged == self.checked;
        // Another run has changed a bucket since the caller read it.
        if !is_same {
            return Err(overtaken(set));
        }
        // A new section goes to the end.
        let place = place.unwrap_or(merged.len());
        let new = new.extract_if(.., |file| file.row.section() == Some(&self.section));
        of_section.extend(new.map(|file| (names::bucket_of_shard(&file.row.name), file)));
        // The files of a bucket are in order, and are either all old or all new.
        of_section.sort_by_key(|(bucket, _)| *bucket);
        merged.splice(place..place, of_section.into_iter().map(|(_, file)| file));
        Ok(merged)
    }
}

/// Checks that a row belongs to a bucket that one of the updates replaces.
pub(super) fn check(updates: &[Update], row: &ShardRow) -> Result<(), ShardError> {
    if updates.is_empty() || updates.iter().any(|update| update.replaces(row)) {
        return Ok(());
    }
    Err(ShardError::NotReplaced { name: row.name.as_str().into() })
}

/// Returns all files of the next set: the published ones outside the replaced buckets, and the new shards.
pub(super) fn merge(
    updates: &[Update],
    set: &NextSet,
    mut new: Vec<SetFile>,
) -> Result<Vec<SetFile>, PublishError> {
    let rows = set.current_rows().iter().filter(|row| row.kind == Kind::Pages);
    let mut published = Vec::with_capacity(set.current_rows().len());
    published.extend(rows.map(|row| SetFile { row: row.clone(), staged: None }));
    updates.iter().try_fold(published, |files, update| update.merge(set, files, &mut new))
}

/// Checks that these sections of the published set contain the files that the caller read. With `None`, checks all
/// sections.
pub(super) fn check_same(
    set: &NextSet,
    seen: &[PublishedShard],
    sections: Option<&[&str]>,
) -> Result<(), PublishError> {
    let is_checked = |section: &str| sections.is_none_or(|sections| sections.contains(&section));
    let seen = seen.iter().filter(|file| is_checked(file.section()));
    let seen: BTreeMap<&str, Digest> = seen.map(|file| (file.name(), file.own_digest())).collect();
    let rows = set.current_rows().iter().filter(|row| row.kind == Kind::Pages);
    let rows = rows.filter(|row| is_checked(row.section().unwrap_or_default()));
    let found: BTreeMap<&str, Digest> = rows.map(|row| (&*row.name, row.digest)).collect();
    if found == seen { Ok(()) } else { Err(overtaken(set)) }
}

/// Checks that the published set records these positions, given as section, source and position. A set of another site
/// records none of them.
pub(super) fn check_expected_positions(
    set: &NextSet,
    site: &Site,
    expected: &[(String, String, Option<String>)],
) -> Result<(), PublishError> {
    let is_of_site = set.is_of_site(site);
    let is_same = expected.iter().all(|(section, source, position)| {
        let found = set.current_positions().get(section, source);
        found.filter(|_| is_of_site) == position.as_deref()
    });
    if is_same { Ok(()) } else { Err(overtaken(set)) }
}

/// Returns the names of the published shards of some buckets.
fn names_of(
    published: &PublishedShards,
    section: &str,
    buckets: u32,
    some: impl IntoIterator<Item = u32>,
) -> Result<BTreeMap<Option<u32>, BTreeSet<String>>, ShardError> {
    let mut names = BTreeMap::new();
    for bucket in some {
        if bucket >= buckets {
            return Err(ShardError::Bucket { bucket, buckets });
        }
        let shards = published.bucket(section, bucket);
        names.insert(Some(bucket), shards.into_iter().map(|shard| shard.name().to_owned()).collect());
    }
    Ok(names)
}

pub(super) fn overtaken(set: &NextSet) -> PublishError {
    PublishErrorKind::Overtaken { path: set.storage().locate(names::ENTRY_POINT) }.into()
}
