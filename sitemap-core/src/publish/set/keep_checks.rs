//! Checks whether a run can keep sections of the published set.

use super::current::CurrentSet;
use super::names;
use crate::publish::error::{PublishError, PublishErrorKind};
use crate::storage::Storage;
use crate::value::Site;

/// Checks that the manifest describes the published files. Only then can a run keep all other sections.
///
/// A run may also start a set: without an entry point, no set is published, so no section can be lost.
pub(super) fn check_manifest(
    current: &CurrentSet,
    storage: &dyn Storage,
    site: &Site,
) -> Result<(), PublishError> {
    let problem = if current.is_unreadable {
        "is damaged or of another version"
    } else if current.has_no_manifest {
        let entry_point = storage.metadata(names::ENTRY_POINT);
        match entry_point
            .map_err(|error| PublishError::io("read", &storage.locate(names::ENTRY_POINT), error))?
        {
            Some(_) => "is missing",
            None => return Ok(()),
        }
    } else if current.other_base(site).is_some() {
        "is of another site"
    } else {
        return Ok(());
    };
    Err(cannot_keep(storage, names::MANIFEST, problem))
}

/// Checks that the manifest describes the published entry point. On storage without locks, an overtaken run may have
/// left the manifest of another set, which would bring back old files.
pub(super) fn check_entry_point(current: &CurrentSet, storage: &dyn Storage) -> Result<(), PublishError> {
    if current.has_no_manifest || current.describes_entry_point(storage)? {
        return Ok(());
    }
    Err(cannot_keep(storage, names::MANIFEST, "does not describe the published `sitemap.xml`"))
}

/// Checks that no published section has a name that differs from this name only in case. On some file systems, both
/// sections would use the same files.
pub(super) fn check_section(current: &CurrentSet, name: &str) -> Result<(), PublishError> {
    let sections = current.manifest().rows.iter().filter_map(|row| row.section.as_deref());
    match sections.into_iter().find(|other| *other != name && other.eq_ignore_ascii_case(name)) {
        Some(other) => Err(PublishErrorKind::NameInUse { name: name.into(), other: other.into() }.into()),
        None => Ok(()),
    }
}

pub(super) fn cannot_keep(storage: &dyn Storage, name: &str, problem: &'static str) -> PublishError {
    PublishErrorKind::CannotKeep { path: storage.locate(name), problem }.into()
}
