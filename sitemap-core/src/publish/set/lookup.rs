//! Looks up the metadata of many files.

use std::sync::Arc;

use crate::publish::error::PublishError;
use crate::publish::workers::Workers;
use crate::storage::{Metadata, Storage};

/// Returns the metadata of files, in the order of their names.
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
    let tasks: Vec<_> = names
        .chunks(AT_ONCE)
        .map(|names| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let storage = Arc::clone(storage);
            workers.run(move || names.iter().map(|name| one(&*storage, name)).collect::<Result<Vec<_>, _>>())
        })
        .collect();
    let mut found = Vec::with_capacity(names.len());
    for task in tasks {
        found.append(&mut task.wait().ok_or_else(PublishError::aborted)??);
    }
    Ok(found)
}

fn one(storage: &dyn Storage, name: &str) -> Result<Option<Metadata>, PublishError> {
    storage.metadata(name).map_err(|error| PublishError::io("read", &storage.locate(name), error))
}
