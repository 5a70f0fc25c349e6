//! Rewritten files have the same format as the files that are not rewritten.

use sitemap_core::publish::SetOptions;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::{Dialect, Entry, Loc, Memory, Site, SitemapSet};
use sitemap_update::{Build, Change, Rebucket, Update};

use crate::support::{loc, remove, upsert};

fn usual() -> SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap())
}

/// Publishes 40 pages in two buckets.
fn start(builder: SetOptions) -> Memory {
    let memory = Memory::new();
    let mut build = Build::new(builder, 2, Memory::new());
    for id in 0..40 {
        build.add("posts", Entry::new(Loc::parse(loc(id)).unwrap())).unwrap();
    }
    build.run(memory.clone()).unwrap();
    memory
}

fn update(memory: &Memory, change: Change) {
    let mut update = Update::new(&usual().storage(Memory::new()));
    update.add(change).unwrap();
    update.commit_to(memory.clone()).unwrap();
}

/// Returns the contents of the index and of all files with pages, and their numbers of pages.
fn files(memory: &Memory) -> (Vec<String>, Vec<u64>) {
    let published = PublishedShards::read(memory, usual().site()).unwrap();
    let files = published.section("posts");
    let names = files.iter().map(|file| file.name()).chain(["sitemap.xml"]);
    let text = |name| String::from_utf8(memory.get(name).unwrap().to_vec()).unwrap();
    (names.map(text).collect(), files.iter().map(|file| file.urls()).collect())
}

#[test]
fn a_set_of_dialect_084_stays_one() {
    let memory = start(usual().dialect(Dialect::V0_84));
    let is_084 = || {
        let (texts, _) = files(&memory);
        assert_eq!(texts.len(), 3);
        texts.iter().all(|text| text.contains("http://www.google.com/schemas/sitemap/0.84"))
    };
    assert!(is_084());
    update(&memory, remove(3));
    assert!(is_084());
    update(&memory, upsert(3, Some("2026-01-31")));
    assert!(is_084());
    Rebucket::new(&usual().storage(memory.clone()), 2).commit().unwrap();
    assert!(is_084());
    // A full publication chooses the format again.
    let mut build = Build::new(usual(), 2, Memory::new());
    build.add("posts", Entry::new(Loc::parse(loc(1)).unwrap())).unwrap();
    build.run(memory.clone()).unwrap();
    update(&memory, remove(3));
    update(&memory, upsert(4, None));
    let (texts, _) = files(&memory);
    assert!(!texts.concat().contains("0.84"));
}

#[test]
fn files_stay_as_small_as_they_were() {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 7;
    let memory = start(usual().lower_limits(limits));
    for run in [
        &|| update(&memory, upsert(100, None)),
        &|| drop(Rebucket::new(&usual().storage(memory.clone()), 3).commit().unwrap()),
        &|| update(&memory, upsert(101, None)),
    ] as [&dyn Fn(); 3]
    {
        run();
        let (_, pages) = files(&memory);
        assert!(pages.iter().all(|pages| *pages <= 7), "{pages:?}");
    }
    assert_eq!(files(&memory).1.iter().sum::<u64>(), 42);
}
