//! Looks up the metadata of many files.

use crate::publish::error::PublishError;
use crate::storage::{Metadata, REQUESTS_AT_ONCE, Storage};
use crate::threads;

/// Returns the metadata of files, sorted by file name.
///
/// With one request per file, a set of 400,000 shards takes minutes on an object store. So the storage is first asked
/// for many files at once. Files that it doesn't find this way are then looked up one by one.
pub(crate) fn metadata_of(
    storage: &dyn Storage,
    names: &[&str],
) -> Result<Vec<Option<Metadata>>, PublishError> {
    /// With fewer files than this, the caller's thread looks them up, because starting other threads would take longer.
    const FEW: usize = 64;
    /// The number of files that one job looks up. An object store takes about ten milliseconds per file.
    const AT_ONCE: usize = 16;

    if names.len() < FEW {
        return names.iter().map(|name| one(storage, name)).collect();
    }
    let mut found = listed(storage, names)?;
    let left: Vec<usize> = (0..names.len()).filter(|&at| found[at].is_none()).collect();
    let looked_up = threads::map(REQUESTS_AT_ONCE, left.chunks(AT_ONCE), |left| {
        left.iter().map(|&at| one(storage, names[at])).collect::<Result<Vec<_>, _>>()
    })?;
    for (at, metadata) in left.into_iter().zip(looked_up.into_iter().flatten()) {
        found[at] = metadata;
    }
    Ok(found)
}

/// Returns the metadata of the files that the storage finds without one request per file.
fn listed(storage: &dyn Storage, names: &[&str]) -> Result<Vec<Option<Metadata>>, PublishError> {
    /// The minimum number of files that one job looks up.
    const FEWEST: usize = 64;
    /// The maximum number of files that one job looks up. An object store lists a thousand files per request.
    const MOST: usize = 1_000;
    /// The number of jobs that keeps all threads busy to the end.
    const JOBS: usize = 64;

    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_unstable_by_key(|&at| names[at]);
    let at_once = (names.len() / JOBS).clamp(FEWEST, MOST);
    let listed = threads::map(REQUESTS_AT_ONCE, order.chunks(at_once), |places| {
        let names: Vec<&str> = places.iter().map(|&at| names[at]).collect();
        Ok::<_, PublishError>(storage.find_listed(&names))
    })?;
    let mut found = vec![None; names.len()];
    for (&at, metadata) in order.iter().zip(listed.into_iter().flatten()) {
        found[at] = metadata;
    }
    Ok(found)
}

fn one(storage: &dyn Storage, name: &str) -> Result<Option<Metadata>, PublishError> {
    storage.metadata(name).map_err(|error| PublishError::io("read", &storage.locate(name), error))
}
