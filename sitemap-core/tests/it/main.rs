//! Tests of the public API: writers, publishing and storages. Each module covers one topic.

#![allow(clippy::unwrap_used)]

mod disk;
mod extensions;
mod publish_case;
mod publish_faults;
mod publish_html_page;
mod publish_incremental;
mod publish_keep;
mod publish_kill;
mod publish_links;
mod publish_listed;
mod publish_lock;
mod publish_modes;
mod publish_places;
mod publish_shards;
mod publish_shrink;
mod publish_source;
#[cfg(feature = "async")]
mod publish_stream;
mod publish_threads;
mod publish_unlocked;
mod publish_update;
mod replacement;
mod robots;
#[cfg(feature = "serde")]
mod serde;
#[cfg(target_os = "linux")]
mod skip;
mod writer;

/// Returns `true` if a writer rejected a record because its file is full.
fn is_full(added: Result<(), sitemap_core::Error>) -> bool {
    matches!(added.map_err(sitemap_core::Error::into_kind), Err(sitemap_core::ErrorKind::Full { .. }))
}
