//! Writes the pages of a hash bucket.

use std::collections::BTreeMap;
use std::sync::Arc;

use sitemap_core::publish::SetOptions;
use sitemap_core::publish::shards::{ShardRow, ShardWriter};
use sitemap_core::{Entry, Storage};

use crate::error::UpdateError;
use crate::namespaces::declare;
use crate::place::Place;

/// A bucket's pages by URL. Files list the pages in this order, so the same pages always produce the same bytes.
pub(crate) type Pages = BTreeMap<String, Entry<'static>>;

/// Writes a bucket's shards, and returns their rows. A bucket without pages has no shard.
pub(crate) fn write(
    builder: &SetOptions,
    storage: &Arc<dyn Storage>,
    place: &Place<'_>,
    pages: &Pages,
) -> Result<Vec<ShardRow>, UpdateError> {
    write_all(builder, storage, place, pages.values())
}

/// Writes pages in the given order.
pub(crate) fn write_all<'p>(
    builder: &SetOptions,
    storage: &Arc<dyn Storage>,
    place: &Place<'_>,
    pages: impl Iterator<Item = &'p Entry<'static>> + Clone,
) -> Result<Vec<ShardRow>, UpdateError> {
    let builder = settings(builder, place, pages.clone());
    fill(builder.write_shards(Arc::clone(storage), place.section, place.buckets)?, place.bucket, pages)
}

/// Writes the recent section in the format of `place`. Entries that don't fit into one file continue in the next.
pub(crate) fn write_recent<'p>(
    builder: &SetOptions,
    storage: impl Storage + 'static,
    place: &Place<'_>,
    entries: impl Iterator<Item = &'p Entry<'static>> + Clone,
) -> Result<Vec<ShardRow>, UpdateError> {
    fill(settings(builder, place, entries.clone()).write_recent(storage), 0, entries)
}

/// Returns the settings for writing the pages of `place`. Deprecated elements are allowed, because an existing page may
/// already contain them.
fn settings<'p>(
    builder: &SetOptions,
    place: &Place<'_>,
    pages: impl Iterator<Item = &'p Entry<'static>>,
) -> SetOptions {
    declare(place.apply(builder.clone()).deprecated(true), pages)
}

fn fill<'p>(
    mut shards: ShardWriter,
    bucket: u32,
    mut pages: impl Iterator<Item = &'p Entry<'static>>,
) -> Result<Vec<ShardRow>, UpdateError> {
    pages.try_for_each(|page| shards.add(bucket, page))?;
    Ok(shards.finish()?.into_rows())
}
