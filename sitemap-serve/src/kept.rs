//! Keeps the files of earlier sets compressed in memory.

use std::collections::HashSet;

use super::file::is_compressible;
use super::report;
use sitemap_core::Memory;
use sitemap_core::publish::kept_files;

/// Compresses the files that the set no longer lists, because few clients still ask for them, and decompresses those that
/// it lists again.
pub(super) fn compress(memory: &Memory) {
    // A set whose manifest cannot be read could not have been published.
    let kept: HashSet<String> = kept_files(memory).unwrap_or_default().into_iter().collect();
    for file in memory.files() {
        let name = &**file.name();
        match (kept.contains(name), file.compressed()) {
            (true, None) if is_compressible(name, &file.bytes()) => memory
                .compress(name)
                // The file is served as it is.
                .unwrap_or_else(|error| report::storage_failed("compress", name, &error)),
            (false, Some(_)) => memory.decompress(name),
            _ => {}
        }
    }
}
