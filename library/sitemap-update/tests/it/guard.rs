//! Updates that would lose too many pages.

use std::sync::{Arc, Mutex};

use crate::support::{loc, published, remove, upsert};
use sitemap_core::publish::{AllowShrink, PublishErrorKind, SetOptions, ShrinkLimit};
use sitemap_core::{Entry, Loc, Memory, Site, SitemapSet, Storage as _};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::{Build, Change, OnUnknown, Rebucket, Update, UpdateError};

fn builder() -> SetOptions {
    let builder = SitemapSet::builder(Site::new("https://example.com").unwrap());
    builder.max_shrink(ShrinkLimit::percent(30).floor(10))
}

/// Publishes the pages 0 to 99 in eight buckets.
fn start() -> Memory {
    let memory = Memory::new();
    let mut run = builder().storage(memory.clone()).replace().unwrap();
    run.section("posts").unwrap().add_all((0..100).map(loc)).unwrap();
    run.commit().unwrap();
    Rebucket::new(&builder().storage(memory.clone()), 8).commit().unwrap();
    memory
}

fn update(changes: impl IntoIterator<Item = Change>) -> Update {
    let mut update = Update::new(&builder().storage(Memory::new()));
    changes.into_iter().try_for_each(|change| update.add(change)).unwrap();
    update
}

#[test]
fn a_refused_update_writes_nothing() {
    let memory = start();
    let operations = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&operations);
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        seen.lock().unwrap().push(operation.kind);
        Ok(())
    });
    let error = update((0..31).map(remove)).commit_to(storage).unwrap_err();
    let UpdateError::Publish(error) = error else { panic!("{error}") };
    let PublishErrorKind::Shrunk { losses, .. } = error.kind() else { panic!("{error}") };
    assert_eq!((losses[0].before(), losses[0].after()), (100, 69));
    let mut kinds = operations.lock().unwrap().clone();
    kinds.sort();
    kinds.dedup();
    // The update reads, and checks for an interrupted commit.
    assert_eq!(kinds, [OperationKind::Metadata, OperationKind::Open]);
    assert_eq!(published(&memory).len(), 100);
}

#[test]
fn a_refused_full_publication_writes_nothing() {
    let memory = start();
    let build = |pages: u64| {
        let mut build = Build::new(builder(), 8, Memory::new());
        for id in 0..pages {
            build.add("posts", Entry::new(Loc::parse(loc(id)).unwrap())).unwrap();
        }
        build
    };
    let before = memory.files();
    let error = build(69).run(memory.clone()).unwrap_err();
    assert!(error.to_string().contains("would fall from 100 pages to 69"), "{error}");
    assert_eq!(memory.files(), before);
    // A build with only another section removes the whole section `posts`.
    let mut of_shop = Build::new(builder(), 8, Memory::new());
    of_shop.add("shop", Entry::new(Loc::parse(loc(1)).unwrap())).unwrap();
    let error = of_shop.run(memory.clone()).unwrap_err();
    assert!(error.to_string().contains("section `posts` would fall from 100 pages to none"), "{error}");
    assert_eq!(memory.files(), before);
    assert_eq!(build(70).run(memory).unwrap().summary().unwrap().urls(), 70);
}

#[test]
fn pages_that_are_replaced_by_others_can_be_too_many() {
    let changes = || (0..100).flat_map(|id| [remove(id), upsert(1000 + id, None)]);
    let limit = ShrinkLimit::percent(30).floor(10);
    let memory = start();
    let names = memory.list().unwrap();
    let error = update(changes()).max_removed(limit).commit_to(memory.clone()).unwrap_err();
    let UpdateError::Publish(error) = error else { panic!("{error}") };
    let PublishErrorKind::Shrunk { losses, .. } = error.kind() else { panic!("{error}") };
    assert_eq!((losses.len(), losses[0].before(), losses[0].after()), (1, 100, 100));
    assert_eq!(losses[0].removed(), Some(100));
    assert_eq!(memory.list().unwrap(), names);
    // Removals without an effect don't count.
    let unknown = (0..30).chain(500..600).map(remove);
    assert_eq!(update(unknown).max_removed(limit).commit_to(start()).unwrap().removed(), 30);
    // The permission applies to a single run.
    let allowed = update(changes()).max_removed(limit).allow_shrink(AllowShrink::Smaller);
    assert_eq!(allowed.commit_to(memory.clone()).unwrap().removed(), 100);
    assert_eq!(published(&memory).len(), 100);
    assert_eq!(update(changes()).commit_to(start()).unwrap().removed(), 100);
}

#[test]
fn a_full_publication_can_remove_too_many_pages() {
    let limit = ShrinkLimit::percent(30).floor(10);
    let build = |buckets, ids: std::ops::Range<u64>| {
        let mut build = Build::new(builder(), buckets, Memory::new()).max_removed(limit);
        for id in ids {
            build.add("posts", Entry::new(Loc::parse(loc(id)).unwrap())).unwrap();
        }
        build
    };
    // Most buckets are empty afterwards.
    for (buckets, removed) in [(8, 31), (2000, 31)] {
        let memory = Memory::new();
        build(buckets, 0..100).run(memory.clone()).unwrap();
        let error = build(buckets, removed..100 + removed).run(memory.clone()).unwrap_err();
        let UpdateError::Publish(error) = error else { panic!("{error}") };
        let PublishErrorKind::Shrunk { losses, .. } = error.kind() else { panic!("{error}") };
        assert_eq!((losses[0].removed(), losses[0].before(), losses[0].after()), (Some(31), 100, 100));
        let applied = build(buckets, 30..130).run(memory.clone()).unwrap();
        assert_eq!((applied.removed(), published(&memory).len()), (30, 100));
    }
    let memory = start();
    let error = build(9, 0..100).run(memory.clone()).unwrap_err();
    assert!(matches!(error, UpdateError::CannotCount { buckets: Some(8), .. }), "{error}");
    build(9, 200..300).allow_shrink(AllowShrink::Smaller).run(memory.clone()).unwrap();
    // A section that the run removes.
    let mut other = Build::new(builder().max_shrink(ShrinkLimit::OFF), 9, Memory::new()).max_removed(limit);
    other.add("shop", Entry::new(Loc::parse(loc(1)).unwrap())).unwrap();
    let error = other.run(memory).unwrap_err().to_string();
    assert!(error.starts_with("section `posts` would lose 100 of 100 pages"), "{error}");
}

#[test]
fn an_update_can_stop_for_unknown_removals() {
    let memory = start();
    let before = memory.files();
    let changes = || (90..130).map(remove);
    let error = update(changes()).on_unknown(OnUnknown::Stop).commit_to(memory.clone()).unwrap_err();
    let UpdateError::Unknown { count, first } = &error else { panic!("{error}") };
    assert_eq!((*count, first.len()), (30, 20));
    assert!(error.to_string().contains("` and 10 more pages, which are to be removed"), "{error}");
    assert_eq!(memory.files(), before);
    let applied = update(changes()).commit_to(memory.clone()).unwrap();
    assert_eq!((applied.unknown_removals(), applied.unknown().len(), applied.removed()), (30, 20, 10));
    let known = (80..90).map(remove).chain([upsert(500, None)]);
    assert_eq!(update(known).on_unknown(OnUnknown::Stop).commit_to(memory).unwrap().removed(), 10);
}

#[test]
fn pages_that_remain_are_counted_only_if_all_removals_together_are_too_many() {
    // Thirty removals are allowed even if all of these pages exist, so each bucket is read only once.
    let applied = update((0..30).map(remove)).commit_to(start()).unwrap();
    assert_eq!((applied.removed(), applied.files_read()), (30, 8));
    // Of these removals, twenty have no effect.
    let applied = update((80..120).map(remove)).commit_to(start()).unwrap();
    assert_eq!((applied.removed(), applied.unknown_removals(), applied.files_read()), (20, 20, 16));
    // New pages compensate for removed ones.
    let changes = (0..50).map(remove).chain((200..220).map(|id| upsert(id, None)));
    let applied = update(changes).commit_to(start()).unwrap();
    assert_eq!((applied.removed(), applied.added()), (50, 20));
}
