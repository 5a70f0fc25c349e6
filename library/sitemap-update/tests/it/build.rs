//! Sets that are published in hash buckets.

use sitemap_core::{Entry, LastMod, Loc, Memory, Storage as _};
use sitemap_update::{Build, Rebucket};

use crate::support::{builder, loc, published, remove, update, upsert};

fn page(id: u64, date: Option<&str>) -> Entry<'static> {
    let date = date.map(|date| date.parse::<LastMod>().unwrap());
    Entry::new(Loc::parse(loc(id)).unwrap()).with_lastmod(date)
}

/// Adds the pages neither in the order of their URLs nor in the order of their buckets.
fn publish(buckets: u32, pages_in_memory: usize, threads: usize) -> Memory {
    let (memory, temporary) = (Memory::new(), Memory::new());
    let mut build =
        Build::new(builder(), buckets, temporary.clone()).pages_in_memory(pages_in_memory).threads(threads);
    for id in (0..400).map(|id| id * 7 % 400) {
        let section = if id % 3 == 0 { "posts" } else { "shop" };
        build.add(section, page(id, None)).unwrap();
    }
    let done = build.run(memory.clone()).unwrap();
    assert_eq!((done.duplicates(), done.summary().unwrap().urls()), (0, 400));
    assert_eq!(temporary.list().unwrap(), [""; 0]);
    memory
}

#[test]
fn the_files_are_those_of_a_set_that_is_moved_to_buckets() {
    for buckets in [1, 5, 64, 65, 200] {
        let moved = Memory::new();
        let mut run = builder().storage(moved.clone()).replace().unwrap();
        for (section, rest) in [("posts", vec![0]), ("shop", vec![1, 2])] {
            let ids = (0..400).filter(|id| rest.contains(&(id % 3)));
            run.section(section).unwrap().add_all(ids.map(loc)).unwrap();
        }
        run.commit().unwrap();
        for section in ["posts", "shop"] {
            Rebucket::new(&builder().storage(moved.clone()), buckets).section(section).commit().unwrap();
        }
        let expected = published(&moved);
        assert_eq!(expected.len(), 400);
        let files = |memory: &Memory| -> Vec<String> {
            let mut names = memory.list().unwrap();
            names.sort();
            // The name of a shard contains 16 digits of its digest. The moved set also keeps files of the previous set.
            names.retain(|name| name.split('-').count() == 5);
            names
        };
        for (pages_in_memory, threads) in [(1_000, 1), (1, 1), (33, 3)] {
            let built = publish(buckets, pages_in_memory, threads);
            assert_eq!(published(&built), expected, "{buckets} {pages_in_memory} {threads}");
            assert_eq!(files(&built), files(&moved), "{buckets} {pages_in_memory} {threads}");
        }
    }
}

#[test]
fn the_last_entry_of_a_repeated_page_counts() {
    for pages_in_memory in [1, 2, 100] {
        let memory = Memory::new();
        let mut build = Build::new(builder(), 3, Memory::new()).pages_in_memory(pages_in_memory);
        for (id, date) in
            [(1, "2026-01-01"), (2, "2026-01-01"), (1, "2026-01-02"), (1, "2026-01-01"), (3, "2026-01-01")]
        {
            build.add("posts", page(id, Some(date))).unwrap();
        }
        let done = build.run(memory.clone()).unwrap();
        assert_eq!(done.duplicates(), 2);
        let dates: Vec<_> = published(&memory).into_values().map(Option::unwrap).collect();
        assert_eq!(dates, ["2026-01-01"; 3]);
    }
}

#[test]
fn the_same_pages_again_write_nothing() {
    let memory = Memory::new();
    let publish = |date: &str| {
        let mut build = Build::new(builder(), 5, Memory::new());
        for id in 0..40 {
            build.add("posts", page(id, (id == 7).then_some(date))).unwrap();
        }
        let done = build.run(memory.clone()).unwrap();
        let summary = done.summary().unwrap();
        let changed = summary.files().iter().filter(|file| file.changed()).count();
        let is_said = summary.to_string().contains("\nno file has changed");
        (changed, summary.files().len(), is_said)
    };
    let (changed, files, is_said) = publish("2026-01-01");
    assert!(changed == files && files >= 5 && !is_said, "{changed} of {files}");
    let before = memory.files();
    assert_eq!(publish("2026-01-01"), (0, files, true));
    assert_eq!(memory.files(), before);
    assert_eq!(publish("2026-01-02"), (1, files, false));
    // An update counts the same files.
    let applied =
        update([upsert(7, Some("2026-01-03"))]).default_section("posts").commit_to(memory.clone()).unwrap();
    let changed = applied.summary().unwrap().files().iter().filter(|file| file.changed()).count();
    assert_eq!(changed, 1);
    let before = memory.files();
    let applied =
        update([upsert(7, Some("2026-01-03"))]).default_section("posts").commit_to(memory.clone()).unwrap();
    assert_eq!((applied.files_written(), applied.summary().is_none()), (0, true));
    assert_eq!(memory.files(), before);
}

#[test]
fn the_set_can_be_updated() {
    let memory = publish(20, 50, 2);
    let changes = [upsert(0, Some("2026-01-31")), upsert(900, None), remove(3)];
    let applied = update(changes).default_section("posts").commit_to(memory.clone()).unwrap();
    assert_eq!((applied.added(), applied.changed(), applied.removed()), (1, 1, 1));
    let pages = published(&memory);
    assert_eq!(pages.len(), 400);
    assert_eq!(pages[&loc(0)].as_deref(), Some("2026-01-31"));
    assert!(pages.contains_key(&loc(900)) && !pages.contains_key(&loc(3)));
}
