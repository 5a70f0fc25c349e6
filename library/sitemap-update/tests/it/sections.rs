//! Updates of several sections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{builder, loc, published, remove, upsert};
use sitemap_core::publish::shards::PublishedShards;
use sitemap_core::publish::{SetOptions, ShrinkLimit};
use sitemap_core::{Entry, Loc, Memory};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::{Build, Update, UpdateError};

/// Publishes pages 0 to 39 in the section `a`, 100 to 139 in `b`, and 200 in `c`.
fn start(builder: &SetOptions) -> Memory {
    let mut build = Build::new(builder.clone(), 4, Memory::new());
    for (section, ids) in [("a", 0..40), ("b", 100..140), ("c", 200..201)] {
        for id in ids {
            build.add(section, Entry::new(Loc::parse(loc(id)).unwrap())).unwrap();
        }
    }
    let memory = Memory::new();
    build.run(memory.clone()).unwrap();
    memory
}

fn of_section(memory: &Memory, section: &str) -> Vec<String> {
    let published = PublishedShards::read(memory, builder().site()).unwrap();
    published.section(section).iter().map(|file| file.name().to_owned()).collect()
}

#[test]
fn the_changes_of_all_sections_are_published_in_one_commit() {
    let memory = start(&builder());
    let others = of_section(&memory, "c");
    let mut update = Update::new(&builder().storage(Memory::new())).default_section("a");
    update.add(upsert(50, None)).unwrap();
    update.add_to("a", remove(0)).unwrap();
    update.add_to("b", remove(100)).unwrap();
    update.add_to("b", upsert(101, Some("2026-01-31"))).unwrap();
    let switches = Arc::new(std::sync::Mutex::new(0));
    let seen = Arc::clone(&switches);
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        if operation.kind == OperationKind::Rename && operation.name == "sitemap.xml" {
            *seen.lock().unwrap() += 1;
        }
        Ok(())
    });
    let applied = update.commit_to(storage).unwrap();
    assert_eq!((applied.added(), applied.changed(), applied.removed()), (1, 1, 2));
    assert_eq!(*switches.lock().unwrap(), 1);
    let pages = published(&memory);
    assert_eq!(pages.len(), 80);
    assert!(pages.contains_key(&loc(50)) && !pages.contains_key(&loc(0)) && !pages.contains_key(&loc(100)));
    assert_eq!(pages[&loc(101)].as_deref(), Some("2026-01-31"));
    assert_eq!(of_section(&memory, "c"), others);
    // Applying the same changes again has no effect.
    assert!(update.commit_to(memory.clone()).unwrap().summary().is_none());
    let changes = PublishedShards::read(&memory, builder().site()).unwrap();
    assert_eq!(
        (changes.changes("a"), changes.changes("b"), changes.changes("c").len()),
        (&[2][..], &[2][..], 0)
    );
}

#[test]
fn a_section_that_does_not_exist_changes_none() {
    let memory = start(&builder());
    let before = published(&memory);
    let mut update = Update::new(&builder().storage(Memory::new()));
    update.add_to("a", remove(0)).unwrap();
    update.add_to("d", upsert(300, None)).unwrap();
    let error = update.commit_to(memory.clone()).unwrap_err();
    assert!(matches!(&error, UpdateError::Section { sections } if *sections == ["a", "b", "c"]), "{error}");
    assert_eq!(published(&memory), before);
}

#[test]
fn losses_of_several_sections_are_added() {
    // Each section may lose 15 pages, and so may the set.
    let builder = builder().max_shrink(ShrinkLimit::pages(15));
    let update = |each: u64| {
        let mut update = Update::new(&builder.clone().storage(Memory::new()));
        for id in 0..each {
            update.add_to("a", remove(id)).unwrap();
            update.add_to("b", remove(100 + id)).unwrap();
        }
        update
    };
    let memory = start(&builder);
    let files = || sitemap_core::Storage::list(&memory).unwrap().len();
    let before = files();
    let error = update(8).commit_to(memory.clone()).unwrap_err().to_string();
    assert!(error.contains("81") && error.contains("65"), "{error}");
    assert_eq!((published(&memory).len(), files()), (81, before));
    assert_eq!(update(7).commit_to(memory.clone()).unwrap().removed(), 14);
}

#[test]
fn an_update_of_two_sections_starts_again_if_another_run_changes_one_of_them() {
    let memory = start(&builder());
    let mut update = Update::new(&builder().storage(Memory::new())).pause(std::time::Duration::ZERO);
    update.add_to("a", remove(0)).unwrap();
    update.add_to("b", remove(100)).unwrap();
    let (is_done, other) = (AtomicBool::new(false), memory.clone());
    // Another update of the same bucket commits after this one has written its files, but before it commits.
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        let is_new_shard = operation.kind == OperationKind::Put && operation.name.contains("-b-");
        if is_new_shard && !is_done.swap(true, Ordering::SeqCst) {
            let mut quicker = Update::new(&builder().storage(Memory::new()));
            for id in 100..140 {
                quicker.add_to("b", upsert(id, Some("2026-02-28"))).unwrap();
            }
            quicker.commit_to(other.clone()).unwrap();
        }
        Ok(())
    });
    let applied = update.commit_to(storage).unwrap();
    assert_eq!((applied.restarts(), applied.removed()), (1, 2));
    let pages = published(&memory);
    assert!(!pages.contains_key(&loc(0)) && !pages.contains_key(&loc(100)));
    assert_eq!(pages[&loc(101)].as_deref(), Some("2026-02-28"));
}

#[test]
fn the_last_change_of_a_page_counts_however_its_section_is_named() {
    let only = || {
        let mut build = Build::new(builder(), 4, Memory::new());
        build.add("posts", Entry::new(Loc::parse(loc(0)).unwrap())).unwrap();
        let memory = Memory::new();
        build.run(memory.clone()).unwrap();
        memory
    };
    let run = |mut update: Update, changes: [(Option<&str>, sitemap_update::Change); 2]| {
        let memory = only();
        for (section, change) in changes {
            match section {
                Some(section) => update.add_to(section, change).unwrap(),
                None => update.add(change).unwrap(),
            }
        }
        update.commit_to(memory.clone()).unwrap();
        published(&memory).into_keys().collect::<Vec<_>>()
    };
    let posts = Some("posts");
    // The set has only this section, but the update doesn't know that until it runs.
    assert_eq!(
        run(Update::new(&builder().storage(Memory::new())), [(posts, remove(1)), (None, upsert(1, None))]),
        [loc(0), loc(1)]
    );
    assert_eq!(
        run(Update::new(&builder().storage(Memory::new())), [(None, upsert(1, None)), (posts, remove(1))]),
        [loc(0)]
    );
    assert_eq!(
        run(Update::new(&builder().storage(Memory::new())), [(None, remove(1)), (posts, upsert(1, None))]),
        [loc(0), loc(1)]
    );
    assert_eq!(
        run(Update::new(&builder().storage(Memory::new())), [(posts, upsert(1, None)), (None, remove(1))]),
        [loc(0)]
    );
}
