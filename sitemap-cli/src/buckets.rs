//! The hash buckets that differ between two published sets, according to the manifests of the sets.
//!
//! A page is always in the hash bucket of its URL. So if the files of a bucket are the same in both sets, none of its
//! pages has changed, and the other buckets can be compared one after another.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use serde::Deserialize;
use sitemap_core::publish::{
    ENTRY_POINT, JOURNAL, MANIFEST, PublishedShard, PublishedShards, bucket_of, content_digest,
};
use sitemap_core::{Directory, Site};
use sitemap_read::{ReadOptions, SitemapReader};

/// Two sets with the same hash buckets.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The number of pages in the buckets that are the same.
    pub(crate) unchanged: u64,
    pub(crate) differing: Vec<Differing>,
}

/// The files of one hash bucket in both sets.
#[derive(Debug, Default)]
pub(crate) struct Differing {
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
}

/// Returns the buckets that differ, or `None` if the whole sets must be compared: one of them is not a folder with an
/// intact manifest, or the number of buckets differs, or another program has changed the files.
pub(crate) fn differing(old: &str, new: &str) -> Option<Pair> {
    let (old_set, new_set) = (Set::read(old)?, Set::read(new)?);
    let buckets = same_buckets(&old_set.shards, &new_set.shards).filter(|_| old_set.base == new_set.base)?;
    let (mut old_files, mut new_files) = (old_set.files()?, new_set.files()?);
    let mut pair = Pair { unchanged: 0, differing: Vec::new() };
    let keys: Vec<(String, u32)> = old_files.keys().chain(new_files.keys()).cloned().collect();
    for key in keys {
        let (old_bucket, new_bucket) =
            (old_files.remove(&key).unwrap_or_default(), new_files.remove(&key).unwrap_or_default());
        let digests = |files: &[&PublishedShard]| files.iter().map(|file| file.digest()).collect::<Vec<_>>();
        if digests(&old_bucket) == digests(&new_bucket) {
            pair.unchanged += old_bucket.iter().map(|file| file.urls()).sum::<u64>();
            continue;
        }
        let differing = Differing { old: old_set.paths(&old_bucket)?, new: new_set.paths(&new_bucket)? };
        if !differing.old.iter().chain(&differing.new).all(|path| is_of_bucket(path, key.1, buckets)) {
            return None;
        }
        pair.differing.push(differing);
    }
    Some(pair)
}

/// A published set.
struct Set<'f> {
    folder: &'f str,
    base: String,
    shards: PublishedShards,
}

impl<'f> Set<'f> {
    fn read(folder: &'f str) -> Option<Self> {
        let path = Path::new(folder);
        // While a run replaces the set, the manifest does not describe it.
        if !path.is_dir() || path.join(JOURNAL).exists() {
            return None;
        }
        let manifest = fs::read_to_string(path.join(MANIFEST)).ok()?;
        let entry_point = content_digest(&fs::read(path.join(ENTRY_POINT)).ok()?);
        let base = serde_json::from_str::<Line>(manifest.lines().next()?).ok()?.base?;
        let start = format!("{{\"file\":\"{ENTRY_POINT}\"");
        let line = manifest.lines().find(|line| line.starts_with(&start))?;
        if serde_json::from_str::<Line>(line).ok()?.digest? != entry_point {
            return None;
        }
        let site = Site::new(&base).ok()?;
        let shards = PublishedShards::read(&Directory::open(path).ok()?, &site).ok()?;
        Some(Self { folder, base, shards })
    }

    /// Returns the files of each bucket, or `None` if a file is missing or has another size.
    fn files(&self) -> Option<BTreeMap<(String, u32), Vec<&PublishedShard>>> {
        let mut files: BTreeMap<(String, u32), Vec<&PublishedShard>> = BTreeMap::new();
        for section in self.shards.sections() {
            for file in self.shards.section(section) {
                let metadata = fs::metadata(Path::new(self.folder).join(file.name())).ok()?;
                if metadata.len() != file.stored_bytes() {
                    return None;
                }
                files.entry((section.to_owned(), file.bucket()?)).or_default().push(file);
            }
        }
        Some(files)
    }

    fn paths(&self, files: &[&PublishedShard]) -> Option<Vec<String>> {
        files
            .iter()
            .map(|file| Path::new(self.folder).join(file.name()).to_str().map(str::to_owned))
            .collect()
    }
}

/// A line of a manifest. The first line has the base URL.
#[derive(Deserialize)]
struct Line {
    base: Option<String>,
    digest: Option<String>,
}

/// Returns the number of hash buckets if both sets have the same number. A page may be in several sections, so both sets
/// must have the same only section.
fn same_buckets(old: &PublishedShards, new: &PublishedShards) -> Option<u32> {
    let sections = old.sections();
    let [section] = sections[..] else { return None };
    let buckets = old.buckets(section)?;
    (sections == new.sections() && new.buckets(section) == Some(buckets)).then_some(buckets)
}

/// Returns `true` if each page of a file is in the hash bucket of its URL. Programs that write shards may sort their pages
/// into buckets in another way.
fn is_of_bucket(path: &str, bucket: u32, buckets: u32) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let options = ReadOptions::new().strict(true);
    let mut pages = SitemapReader::from_reader_with(file, options).into_entries();
    pages.all(|page| page.is_ok_and(|page| bucket_of(page.loc().as_str(), buckets) == bucket))
}
