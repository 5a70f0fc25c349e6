//! Looks up the metadata of many files.

use std::sync::Arc;

use crate::publish::error::PublishError;
use crate::publish::workers::Workers;
use crate::storage::{Metadata, Storage};

/// Returns the metadata of files, in the order of their names.
///
/// With one request for each file, a set of 400,000 shards takes minutes on an object store. So the storage is first asked
/// for many files at once, and then for each file that it did not find this way.
pub(crate) fn metadata_of(
    storage: &Arc<dyn Storage>,
    workers: &Workers,
    names: &[&str],
) -> Result<Vec<Option<Metadata>>, PublishError> {
    /// With fewer files than this, the caller's thread looks them up, because starting other threads would take longer.
    const FEW: usize = 64;
    /// The number of files that one job looks up. An object store takes about ten milliseconds for each file.
    const AT_ONCE: usize = 16;

    if names.len() < FEW {
        return names.iter().map(|name| one(&**storage, name)).collect();
    }
    let mut found = listed(storage, workers, names)?;
    let left: Vec<usize> = (0..names.len()).filter(|&at| found[at].is_none()).collect();
    let tasks: Vec<_> = left
        .chunks(AT_ONCE)
        .map(|left| {
            let names: Vec<String> = left.iter().map(|&at| names[at].to_owned()).collect();
            let storage = Arc::clone(storage);
            workers.run(move || names.iter().map(|name| one(&*storage, name)).collect::<Result<Vec<_>, _>>())
        })
        .collect();
    for (task, left) in tasks.into_iter().zip(left.chunks(AT_ONCE)) {
        let metadata = task.wait().ok_or_else(PublishError::aborted)??;
        for (&at, metadata) in left.iter().zip(metadata) {
            found[at] = metadata;
        }
    }
    Ok(found)
}

/// Returns the metadata of the files that the storage finds without a request for each.
fn listed(
    storage: &Arc<dyn Storage>,
    workers: &Workers,
    names: &[&str],
) -> Result<Vec<Option<Metadata>>, PublishError> {
    /// The least number of files that one job looks up.
    const FEWEST: usize = 64;
    /// The largest number. An object store lists a thousand files with one request.
    const MOST: usize = 1_000;
    /// The number of jobs that keep all threads busy to the end.
    const JOBS: usize = 64;

    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_unstable_by_key(|&at| names[at]);
    let at_once = (names.len() / JOBS).clamp(FEWEST, MOST);
    let tasks: Vec<_> = order
        .chunks(at_once)
        .map(|places| {
            let names: Vec<String> = places.iter().map(|&at| names[at].to_owned()).collect();
            let storage = Arc::clone(storage);
            workers.run(move || {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                storage.find_listed(&names)
            })
        })
        .collect();
    let mut found = vec![None; names.len()];
    for (task, places) in tasks.into_iter().zip(order.chunks(at_once)) {
        let metadata = task.wait().ok_or_else(PublishError::aborted)?;
        for (&at, metadata) in places.iter().zip(metadata) {
            found[at] = metadata;
        }
    }
    Ok(found)
}

fn one(storage: &dyn Storage, name: &str) -> Result<Option<Metadata>, PublishError> {
    storage.metadata(name).map_err(|error| PublishError::io("read", &storage.locate(name), error))
}
