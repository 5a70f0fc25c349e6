//! Publishes the new shards of a run.

use std::sync::Arc;

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::files::JOURNAL;
use sitemap_core::publish::shards::{ShardCommit, ShardRow};
use sitemap_core::{PublishError, Storage};

use crate::applied::{Applied, Counts};
use crate::error::UpdateError;

/// Commits new shards, and returns the result of the run.
pub(crate) fn publish(
    mut commit: ShardCommit,
    rows: Vec<ShardRow>,
    mut counts: Counts,
    storage: &Arc<dyn Storage>,
) -> Result<Applied, UpdateError> {
    counts.files_written = rows.len() as u64;
    counts.bytes_written = rows.iter().map(ShardRow::stored_bytes).sum();
    rows.into_iter().try_for_each(|row| commit.add(row))?;
    let summary = Some(commit.publish(Arc::clone(storage))?);
    Ok(Applied { counts, summary, ..Applied::default() })
}

/// Returns `true` if there is a journal. It means that a run was interrupted in its commit, which the next commit
/// completes.
pub(crate) fn is_interrupted(storage: &dyn Storage) -> Result<bool, UpdateError> {
    let journal = storage.metadata(JOURNAL).map_err(|source| {
        PublishError::from(PublishErrorKind::Io { action: "read", path: storage.locate(JOURNAL), source })
    });
    Ok(journal?.is_some())
}
