//! Keeps the files of earlier sets compressed in memory, because few clients still request them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;

use super::file::{File, is_compressible};
use super::report;
use sitemap_core::Memory;
use sitemap_core::publish::files::kept_files;

/// Decompresses kept files that the set lists again.
pub(super) fn decompress_listed(memory: &Memory) {
    let kept = names(memory);
    for file in memory.files() {
        if file.compressed().is_some() && !kept.contains(&**file.name()) {
            memory.decompress(file.name());
        }
    }
}

/// Compresses the files that the set no longer lists. Works on one file at a time, so each frees its memory before the
/// next one is compressed.
pub(super) fn compress(memory: &Memory, files: &HashMap<Arc<str>, Arc<File>>) {
    for name in names(memory) {
        let Some(file) = files.get(&*name).filter(|file| !file.is_compressed()) else { continue };
        if !memory.get(&name).is_some_and(|bytes| is_compressible(&name, &bytes)) {
            continue;
        }
        match memory.compress(&name) {
            Ok(Some(compressed)) => file.keep_compressed(Bytes::from_owner(compressed)),
            Ok(None) => {}
            // The file is served uncompressed.
            Err(error) => report::storage_failed("compress", &name, &error),
        }
    }
}

fn names(memory: &Memory) -> HashSet<String> {
    // A set with an unreadable manifest could not have been published.
    kept_files(memory).unwrap_or_default().into_iter().collect()
}
