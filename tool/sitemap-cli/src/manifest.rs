//! The manifest of a published set in a folder.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use sitemap_core::publish::files::MANIFEST;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::{Directory, Site};

use crate::error::{Outcome, Stop};

/// Returns the set's base URL from the first line of the manifest.
pub(crate) fn base_of(manifest: &[u8]) -> Option<String> {
    /// The first line.
    #[derive(Deserialize)]
    struct Head {
        base: String,
    }

    let line = manifest.split(|byte| *byte == b'\n').next()?;
    Some(serde_json::from_slice::<Head>(line).ok()?.base)
}

/// Reads the manifest in a folder. Returns `None` if it is damaged or has a different version.
pub(crate) fn read(folder: &Path) -> Outcome<Option<PublishedShards>> {
    let path = folder.join(MANIFEST);
    let manifest = fs::read(&path).map_err(|error| Stop::io("read", &path, &error))?;
    let published = || {
        let site = Site::new(&base_of(&manifest)?).ok()?;
        PublishedShards::read(&Directory::open(folder).ok()?, &site).ok()
    };
    Ok(published())
}
