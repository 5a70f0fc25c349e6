//! The files of two published sets, for comparing the sets one hash bucket at a time.
//!
//! A URL always belongs to the same hash bucket. If a bucket's files are the same in both sets, none of its pages has
//! changed. So only the other buckets have to be compared, one at a time.

mod set;

use std::collections::BTreeMap;
use std::fs::File;

use sitemap_core::publish::shards::{PublishedShard, PublishedShards, bucket_of};
use sitemap_core::threads;
use sitemap_read::{ReadOptions, SitemapReader};

use self::set::{LocalFiles, Set};
use crate::build::out;
use crate::error::Outcome;

/// Two sets on disk.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The number of pages in unchanged buckets.
    pub(crate) unchanged: u64,
    pub(crate) differing: Vec<Differing>,
    /// The files fetched from object stores.
    _fetched: [LocalFiles; 2],
}

/// A set fetched from an object store.
pub(crate) struct Fetched {
    pub(crate) shards: PublishedShards,
    files: LocalFiles,
}

impl Fetched {
    /// Returns the folder with the files, which is removed when the value is dropped.
    pub(crate) fn folder(&self) -> Outcome<String> {
        self.files.folder()
    }
}

/// Returns the files of a published set, or `None` if the target is neither an object store nor a folder with an intact
/// manifest.
pub(crate) fn published(target: &str) -> Outcome<Option<PublishedShards>> {
    Ok(Set::read(target)?.map(|set| set.shards))
}

/// Fetches the index and all other files of a set in an object store. Returns `None` for other targets.
pub(crate) fn fetched(target: &str) -> Outcome<Option<Fetched>> {
    if !out::is_bucket(target) {
        return Ok(None);
    }
    let Some(set) = Set::read(target)? else { return Ok(None) };
    let files = set.fetch(&set.all())?;
    set.fetch_index(&files)?;
    Ok(Some(Fetched { shards: set.shards, files }))
}

/// The files of one hash bucket in both sets, or all files of both sets.
#[derive(Debug, Default)]
pub(crate) struct Differing {
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
}

/// The files of each hash bucket, from all sections, in the order of the index.
type Buckets<'s> = BTreeMap<u32, Vec<&'s PublishedShard>>;

/// Returns the files of the differing hash buckets. If the sets can't be compared bucket by bucket, returns all files
/// if one of the sets is in an object store. Otherwise, returns `None`, because both targets can be read as they are.
///
/// Fetches the files of object stores. Up to `threads` threads read the differing files. With `same_urls`, a page has
/// the same URL in both sets.
pub(crate) fn differing(old: &str, new: &str, same_urls: bool, threads: usize) -> Outcome<Option<Pair>> {
    let (old_set, new_set) = (Set::read(old)?, Set::read(new)?);
    if let (Some(old_set), Some(new_set), true) = (&old_set, &new_set, same_urls)
        && let Some(pair) = by_bucket(old_set, new_set, threads)?
    {
        return Ok(Some(pair));
    }
    let sets = [(old, &old_set), (new, &new_set)];
    if !sets.iter().any(|(_, set)| set.as_ref().is_some_and(Set::is_remote)) {
        return Ok(None);
    }
    let mut fetched = [LocalFiles::default(), LocalFiles::default()];
    let mut differing = Differing::default();
    let sides = [&mut differing.old, &mut differing.new];
    for (((target, set), side), fetched) in sets.into_iter().zip(sides).zip(&mut fetched) {
        *side = match set {
            Some(set) if set.is_remote() => {
                let files = set.all();
                *fetched = set.fetch(&files)?;
                fetched.paths(&files)?
            }
            _ => vec![target.to_owned()],
        };
    }
    Ok(Some(Pair { unchanged: 0, differing: vec![differing], _fetched: fetched }))
}

/// Returns the differing hash buckets. Returns `None` if the sets have different numbers of buckets, or if another
/// program has changed the files.
fn by_bucket(old_set: &Set<'_>, new_set: &Set<'_>, threads: usize) -> Outcome<Option<Pair>> {
    let same_buckets = same_buckets(&old_set.shards, &new_set.shards);
    let Some(buckets) = same_buckets.filter(|_| old_set.base == new_set.base) else { return Ok(None) };
    let (Some(old_files), Some(new_files)) = (files(old_set), files(new_set)) else { return Ok(None) };
    let mut unchanged = 0;
    let (mut old_differing, mut new_differing) = (Buckets::new(), Buckets::new());
    let none = Vec::new();
    for bucket in 0..buckets {
        let (old, new) = (old_files.get(&bucket).unwrap_or(&none), new_files.get(&bucket).unwrap_or(&none));
        // A hash bucket's file names start with its section.
        let content = |file: &&PublishedShard| (file.name().to_owned(), file.digest());
        if old.iter().map(content).eq(new.iter().map(content)) {
            unchanged += old.iter().map(|file| file.urls()).sum::<u64>();
        } else {
            old_differing.insert(bucket, old.clone());
            new_differing.insert(bucket, new.clone());
        }
    }
    let fetched = [old_set.fetch(&all(&old_differing))?, new_set.fetch(&all(&new_differing))?];
    let mut differing = Vec::new();
    for (bucket, old) in &old_differing {
        let new = new_differing.get(bucket).unwrap_or(&none);
        differing.push(Differing { old: fetched[0].paths(old)?, new: fetched[1].paths(new)? });
    }
    // All paths are built before the first file is read. Otherwise they would be allocated between the readers'
    // buffers, and the allocator couldn't reuse the memory of these buffers.
    let of_buckets = |(bucket, pair): (&u32, &Differing)| {
        pair.old.iter().chain(&pair.new).all(|path| is_of_bucket(path, *bucket, buckets))
    };
    if !all_of(&old_differing.keys().zip(&differing).collect::<Vec<_>>(), threads, of_buckets) {
        return Ok(None);
    }
    Ok(Some(Pair { unchanged, differing, _fetched: fetched }))
}

fn all<'s>(files: &Buckets<'s>) -> Vec<&'s PublishedShard> {
    files.values().flatten().copied().collect()
}

/// Checks on several threads whether `holds` returns `true` for every item.
fn all_of<T: Copy + Send + Sync>(items: &[T], threads: usize, holds: impl Fn(T) -> bool + Sync) -> bool {
    threads::map(threads, items.iter().copied(), |item| if holds(item) { Ok(()) } else { Err(()) }).is_ok()
}

/// Returns the number of hash buckets if it is the same for all sections of both sets. A page can be in several
/// sections, so a bucket covers the pages of all sections.
fn same_buckets(old: &PublishedShards, new: &PublishedShards) -> Option<u32> {
    let of_sections = |set: &PublishedShards| -> Option<Vec<u32>> {
        set.sections().into_iter().map(|section| set.buckets(section)).collect()
    };
    let all = [of_sections(old)?, of_sections(new)?].concat();
    let first = *all.first()?;
    all.iter().all(|buckets| *buckets == first).then_some(first)
}

/// Returns the files of each bucket, or `None` if a file of a folder is missing or has a different size.
fn files<'s>(set: &'s Set<'_>) -> Option<Buckets<'s>> {
    let mut buckets = Buckets::new();
    for file in set.all() {
        if !set.may_have(file) {
            return None;
        }
        buckets.entry(file.bucket()?).or_default().push(file);
    }
    Some(buckets)
}

/// Returns `true` if every page in a file is in the hash bucket of its URL. Other programs that write shards may assign
/// pages to buckets differently.
fn is_of_bucket(path: &str, bucket: u32, buckets: u32) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let options = ReadOptions::new().strict(true);
    let mut pages = SitemapReader::from_reader_with(file, options).into_entries();
    pages.all(|page| page.is_ok_and(|page| bucket_of(page.loc().as_str(), buckets) == bucket))
}
