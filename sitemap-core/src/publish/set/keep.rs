//! Keeps the sections of the published set that a run doesn't write.

use std::collections::{HashMap, HashSet};

use super::copy::plain_copy;
use super::keep_checks::{cannot_keep, check_section};
use super::lookup::metadata_of;
use super::names;
use super::next::{NextSet, SetFile};
use super::row::{Kind, Row};
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::write::{Content, DocumentSize};

/// The files of the next set: those that the run wrote, and those of the kept sections.
#[derive(Debug)]
pub(super) struct WithKept {
    pub(super) files: Vec<SetFile>,
    /// The names of the kept sections, in the order of the index.
    pub(super) kept: Vec<String>,
}

/// Adds the published files of all sections that the run didn't write. Sections stay in the order of the published set;
/// new sections come last.
pub(super) fn with_kept(
    set: &NextSet,
    written: &[&str],
    new: Vec<SetFile>,
) -> Result<WithKept, PublishError> {
    written.iter().try_for_each(|name| check_section(&set.current, name))?;
    let written: HashSet<&str> = written.iter().copied().collect();
    let published = || set.current.manifest().rows.iter().filter(|row| row.kind == Kind::Pages);
    let is_kept = |row: &&Row| row.section.as_deref().is_some_and(|section| !written.contains(section));

    check_files(set, &published().filter(is_kept).collect::<Vec<_>>())?;
    let mut sections = Sections::default();
    let mut kept: Vec<String> = Vec::new();
    for row in published() {
        let of_section = sections.get(row.section.as_deref().unwrap_or_default());
        if is_kept(&row) {
            of_section.push(keep(set, row)?);
            if let Some(section) =
                row.section.as_deref().filter(|section| kept.last().is_none_or(|last| last != section))
            {
                kept.push(section.to_owned());
            }
        }
    }
    for file in new {
        let section = file.row.section.clone().unwrap_or_default();
        sections.get(&section).push(file);
    }
    let files: Vec<SetFile> = sections.files.into_iter().flatten().collect();
    check_names(&files)?;
    Ok(WithKept { files, kept })
}

/// The files of each section, in the order in which the sections were first requested.
#[derive(Default)]
struct Sections {
    places: HashMap<String, usize>,
    files: Vec<Vec<SetFile>>,
}

impl Sections {
    fn get(&mut self, section: &str) -> &mut Vec<SetFile> {
        let next = self.files.len();
        let place = *self.places.entry(section.to_owned()).or_insert(next);
        if place == next {
            self.files.push(Vec::new());
        }
        &mut self.files[place]
    }
}

/// Checks that the kept files exist and have the size recorded in the manifest. Their bytes are not read.
fn check_files(set: &NextSet, rows: &[&Row]) -> Result<(), PublishError> {
    let names: Vec<&str> = rows.iter().map(|row| &*row.name).collect();
    let found = metadata_of(&*set.storage, &names)?;
    for (row, found) in rows.iter().zip(found) {
        let problem = match found {
            None => "is missing",
            Some(found) if found.len != row.metadata.len => "was changed by another program",
            Some(_) => continue,
        };
        return Err(cannot_keep(&*set.storage, &row.name, problem));
    }
    Ok(())
}

fn keep(set: &NextSet, row: &Row) -> Result<SetFile, PublishError> {
    if *row.name == *names::ENTRY_POINT {
        return from_entry_point(set, row);
    }
    Ok(SetFile { row: row.clone(), staged: None })
}

/// Copies the entry point to a child sitemap. The entry point was the only sitemap of its set, and becomes the index of
/// the next set.
fn from_entry_point(set: &NextSet, row: &Row) -> Result<SetFile, PublishError> {
    let name = names::file_name(row.section.as_deref().unwrap_or_default(), 1, ".xml");
    let copy = plain_copy(&set.storage, names::ENTRY_POINT, false, &name)?;
    if copy.digest != row.digest {
        return Err(cannot_keep(&*set.storage, names::ENTRY_POINT, "was changed by another program"));
    }
    let name = set.final_name(&name, copy.digest);
    let size = DocumentSize { entries: row.entries, bytes: row.bytes };
    let file = set.accept(name, Kind::Pages, Content::new(size, row.newest), copy);
    let mut file = file.of_section(row.section.clone().unwrap_or_default());
    // The file has a new name, but its pages last changed at this time.
    file.row.changed = row.changed;
    Ok(file)
}

/// Checks that all files have different names, even on file systems that ignore case. For example, a hash bucket of
/// `posts` has the same file names as a section named `posts-000`.
fn check_names(files: &[SetFile]) -> Result<(), PublishError> {
    let mut names: HashMap<String, &str> = HashMap::with_capacity(files.len());
    for SetFile { row, .. } in files {
        if let Some(other) = names.insert(row.name.to_ascii_lowercase(), &row.name) {
            let (name, other) = ((*row.name).into(), other.into());
            return Err(PublishErrorKind::NameInUse { name, other }.into());
        }
    }
    Ok(())
}
