//! Publishes the new shards of a run.

use std::sync::Arc;

use sitemap_core::Storage;
use sitemap_core::publish::{ShardCommit, ShardRow};

use crate::applied::{Applied, Counts};
use crate::error::UpdateError;

/// Commits new shards, and returns what the run has done.
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
