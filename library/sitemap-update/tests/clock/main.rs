//! Updates at other times. The clock is shared by the whole process, so these tests run in their own.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use sitemap_core::publish::SetOptions;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::{Entry, LastMod, Loc, Memory, Site, SitemapSet, clock};
use sitemap_read::SitemapReader;
use sitemap_update::{Applied, Build, Change, Recent, Update};

/// The time, in seconds since 1970.
static NOW: AtomicU64 = AtomicU64::new(1_800_000_000);

fn builder() -> SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap())
}

fn page(id: u32) -> Entry<'static> {
    let date: LastMod = "2026-01-31".parse().unwrap();
    Entry::new(Loc::parse(format!("https://example.com/{id}")).unwrap()).with_lastmod(date)
}

fn apply(memory: &Memory, id: u32, age: Option<Duration>) -> Applied {
    let mut update = Update::new(&builder().storage(Memory::new())).recent(Recent::new().max_age(age));
    update.add(Change::Upsert(page(id))).unwrap();
    update.commit_to(memory.clone()).unwrap()
}

/// Returns the pages of the recent section.
fn recent(memory: &Memory) -> Vec<String> {
    let published = PublishedShards::read(memory, builder().site()).unwrap();
    let bytes = memory.get(published.recent().unwrap().name()).unwrap();
    let entries = SitemapReader::from_slice(&bytes).into_entries();
    let path = |loc: &str| loc.trim_start_matches("https://example.com/").to_owned();
    entries.map(|entry| path(entry.unwrap().loc().as_str())).collect()
}

#[test]
fn the_recent_section_is_folded_by_age() {
    clock::set(|| UNIX_EPOCH + Duration::from_secs(NOW.load(Ordering::SeqCst))).unwrap();
    let start = || {
        let memory = Memory::new();
        // The buckets are so large that bytes alone never fold the section here.
        let mut build = Build::new(builder(), 1, Memory::new());
        for id in 1000..4000 {
            build.add("posts", page(id)).unwrap();
        }
        build.run(memory.clone()).unwrap();
        memory
    };
    let hour = Duration::from_secs(60 * 60);
    let (aged, other) = (start(), start());
    for (id, minutes, pages, folded) in [
        (1, 0, &["1"][..], 0),
        (2, 50, &["1", "2"], 0),
        // The first fold drops nothing, because no entry is from before an earlier fold.
        (3, 10, &["1", "2", "3"], 0),
        (4, 59, &["1", "2", "3", "4"], 0),
        (5, 1, &["3", "4", "5"], 2),
        (6, 600, &["5", "6"], 2),
    ] {
        NOW.fetch_add(minutes * 60, Ordering::SeqCst);
        let applied = apply(&aged, id, Some(hour));
        assert_eq!(
            (recent(&aged), applied.recent().unwrap().folded()),
            (pages.iter().map(|page| (*page).to_owned()).collect(), folded),
            "{id}"
        );
        assert_eq!(apply(&other, id, None).recent().unwrap().folded(), 0, "{id}");
    }
    assert_eq!(recent(&other), ["1", "2", "3", "4", "5", "6"]);
}
