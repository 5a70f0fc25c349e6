//! Finds files that are the same in two sets, according to their manifests.

use std::collections::HashMap;
use std::path::Path;

use sitemap_core::publish::files::MANIFEST;
use sitemap_core::publish::shards::{PublishedShard, PublishedShards};

use super::changes::Unchanged;
use crate::error::{Outcome, Stop};
use crate::manifest;

/// Returns the files with pages that have the same digest in the manifests of both folders.
pub(super) fn unchanged(old: &str, new: &str) -> Outcome<Unchanged> {
    let (old, new) = (read(old)?, read(new)?);
    let digests = |published: &PublishedShards| -> Vec<(String, String)> {
        let files = published.sections().into_iter().flat_map(|section| published.section(section));
        files.map(|file: &PublishedShard| (file.name().to_owned(), file.digest())).collect()
    };
    let before: HashMap<_, _> = digests(&old).into_iter().collect();
    let is_same = |(file, digest): (String, String)| (before.get(&file) == Some(&digest)).then_some(file);
    Ok(digests(&new).into_iter().filter_map(is_same).collect())
}

fn read(folder: &str) -> Outcome<PublishedShards> {
    let folder = Path::new(folder);
    manifest::read(folder)?.ok_or_else(|| {
        Stop::new(format!(
            "`{}` is damaged or of another version; compare the whole sets by leaving out `--since-manifest`",
            folder.join(MANIFEST).display()
        ))
    })
}
