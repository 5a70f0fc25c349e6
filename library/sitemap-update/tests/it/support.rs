//! In-memory sitemap sets, and the pages they list.

use std::collections::BTreeMap;
use std::time::Duration;

use sitemap_core::publish::files::{FEED, is_recent_file};
use sitemap_core::publish::{SetOptions, ShrinkLimit};
use sitemap_core::{Dialect, Entry, LastMod, Loc, Memory, Site, SitemapSet};
use sitemap_read::{ReadOptions, SitemapReader};
use sitemap_update::{Change, Rebucket, Update};

/// The pages of a set and their dates.
pub(crate) type Model = BTreeMap<String, Option<String>>;

/// Files contain at most seven pages, so each bucket has several files.
pub(crate) fn builder() -> SetOptions {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 7;
    let builder = SitemapSet::builder(Site::new("https://example.com").unwrap());
    builder.lower_limits(limits).max_shrink(ShrinkLimit::OFF)
}

pub(crate) fn loc(id: u64) -> String {
    format!("https://example.com/posts/{id}?a=1&b=2")
}

pub(crate) fn upsert(id: u64, date: Option<&str>) -> Change {
    let loc = Loc::parse(loc(id)).unwrap();
    Change::Upsert(Entry::new(loc).with_lastmod(date.map(|date| date.parse::<LastMod>().unwrap())))
}

pub(crate) fn remove(id: u64) -> Change {
    Change::Remove(Loc::parse(loc(id)).unwrap())
}

pub(crate) fn update(changes: impl IntoIterator<Item = Change>) -> Update {
    let mut update = Update::new(&builder().storage(Memory::new())).pause(Duration::ZERO);
    for change in changes {
        update.add(change).unwrap();
    }
    update
}

/// Publishes pages 0 to 39 without dates, in a section with this number of buckets.
pub(crate) fn start(builder: &SetOptions, buckets: u32) -> (Memory, Model) {
    let memory = Memory::new();
    let mut run = builder.clone().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add_all((0..40).map(loc)).unwrap();
    run.commit().unwrap();
    Rebucket::new(&builder.clone().storage(memory.clone()), buckets).pages_in_memory(15).commit().unwrap();
    (memory, (0..40).map(|id| (loc(id), None)).collect())
}

/// Returns the URLs in the feed, with each page's date or `None` for a removed page. The reader crate finds the pages,
/// and a text search finds the removals.
pub(crate) fn feed(memory: &Memory) -> Model {
    let bytes = memory.get(FEED).unwrap_or_default();
    if bytes.is_empty() {
        return Model::new();
    }
    let text = std::str::from_utf8(&bytes).unwrap();
    let removed = text.lines().filter_map(|line| line.strip_prefix("<at:deleted-entry ref=\""));
    let mut urls: Model =
        removed.map(|line| (line.split('"').next().unwrap().replace("&amp;", "&"), None)).collect();
    let options = ReadOptions::new().strict(true);
    for entry in SitemapReader::from_slice_with(&bytes, options).into_entries() {
        let entry = entry.unwrap();
        let date = entry.lastmod().map(|date| date.to_string());
        assert_eq!(urls.insert(entry.loc().to_string(), date), None, "{} is there twice", entry.loc());
    }
    urls
}

/// Returns the pages of the recent section. The index lists at most one file for it.
pub(crate) fn recent(memory: &Memory) -> Model {
    pages_of(memory, true)
}

/// Reads the set as a crawler does, except for the recent section: first the index, then each child sitemap.
pub(crate) fn published(memory: &Memory) -> Model {
    pages_of(memory, false)
}

fn pages_of(memory: &Memory, of_recent: bool) -> Model {
    let index = memory.get("sitemap.xml").unwrap();
    let mut reader = SitemapReader::from_slice(&index);
    let (mut pages, mut files) = (Model::new(), 0);
    while let Some(item) = reader.next().unwrap() {
        let name = item.loc().as_str().strip_prefix("https://example.com/").unwrap().to_owned();
        if is_recent_file(&name) != of_recent {
            continue;
        }
        files += 1;
        assert!(!of_recent || files == 1, "{name}");
        let bytes = memory.get(&name).unwrap_or_else(|| panic!("{name} is missing"));
        for entry in SitemapReader::from_slice(&bytes).into_entries() {
            let entry = entry.unwrap();
            let date = entry.lastmod().map(|date| date.to_string());
            let earlier = pages.insert(entry.loc().to_string(), date);
            assert_eq!(earlier, None, "{} is listed twice", entry.loc());
        }
    }
    pages
}
