//! Tests of runs that would shrink the published set too much.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use sitemap_core::publish::{
    AllowShrink, Names, OnInvalid, PublishErrorKind, SetOptions, ShrinkLimit, Shrinkage,
};
use sitemap_core::{
    Dialect, Directory, Extensions, Memory, PublishError, Site, SitemapSet, Storage, Stylesheet, Summary,
};
use sitemap_tests::{Hooked, Operation, OperationKind};
use tempfile::tempdir;

/// The names of sections and their page counts.
type Sections<'s> = &'s [(&'s str, u32)];

fn builder() -> SetOptions {
    SitemapSet::builder(Site::new("https://example.com").unwrap())
}

fn publish_with(
    builder: SetOptions,
    storage: impl Storage + 'static,
    allow: Option<AllowShrink>,
    sections: Sections<'_>,
) -> Result<Summary, PublishError> {
    let mut run = builder.storage(storage).replace()?;
    run.allow_shrink(allow);
    for (name, pages) in sections {
        run.section(name)?.add_all((0..*pages).map(|id| format!("/{name}/{id}")))?;
    }
    run.commit()
}

fn publish(storage: &Memory, sections: Sections<'_>) -> Result<Summary, PublishError> {
    publish_with(builder(), storage.clone(), None, sections)
}

/// Returns the losses in the error: section, page counts, and whether the loss is gradual.
fn losses(result: Result<Summary, PublishError>) -> Vec<(Option<String>, u64, u64, bool)> {
    let error = result.expect_err("the run must be refused");
    let PublishErrorKind::Shrunk { losses, .. } = error.kind() else { panic!("{error}") };
    let parts = |loss: &Shrinkage| {
        (loss.section().map(str::to_owned), loss.before(), loss.after(), loss.is_gradual())
    };
    losses.iter().map(parts).collect()
}

fn of_section(name: &str, before: u64, after: u64) -> (Option<String>, u64, u64, bool) {
    (Some(name.to_owned()), before, after, false)
}

/// Returns the files in a storage and their content.
fn files(storage: &impl Storage) -> Vec<(String, Vec<u8>)> {
    let mut names = storage.list().unwrap();
    names.sort();
    let bytes = |name: &str| {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut storage.open(name).unwrap(), &mut bytes).unwrap();
        bytes
    };
    names.into_iter().map(|name| (name.clone(), bytes(&name))).collect()
}

#[test]
fn exactly_the_limit_passes_and_one_page_more_does_not() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 1000)]).unwrap();
    assert_eq!(losses(publish(&memory, &[("posts", 699)])), [of_section("posts", 1000, 699)]);
    assert_eq!(publish(&memory, &[("posts", 700)]).unwrap().urls(), 700);
}

#[test]
fn fewer_than_a_hundred_pages_may_vanish() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 100), ("users", 99)]).unwrap();
    assert_eq!(publish(&memory, &[("posts", 100)]).unwrap().removed_sections(), ["users"]);
    let memory = Memory::new();
    publish(&memory, &[("posts", 100)]).unwrap();
    assert_eq!(publish(&memory, &[("posts", 1)]).unwrap().urls(), 1);
}

#[test]
fn the_whole_set_is_checked_too() {
    let memory = Memory::new();
    // Each section loses fewer than 100 pages, but together they lose 180 of 300.
    publish(&memory, &[("a", 100), ("b", 100), ("c", 100)]).unwrap();
    let result = publish(&memory, &[("a", 10), ("b", 10), ("c", 100)]);
    assert_eq!(losses(result), [(None, 300, 120, false)]);
    // New pages in another section offset the loss of the whole set.
    publish(&memory, &[("a", 10), ("b", 10), ("c", 100), ("d", 90)]).unwrap();
}

#[test]
fn a_section_is_refused_although_the_set_grows() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 200), ("shop", 10_000)]).unwrap();
    let result = publish(&memory, &[("posts", 50), ("shop", 11_000)]);
    assert_eq!(losses(result), [of_section("posts", 200, 50)]);
}

#[test]
fn the_error_names_the_numbers_the_limit_and_the_remedy() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 1000), ("shop", 1000), ("users", 1000), ("wiki", 1000)]).unwrap();
    let error = publish(&memory, &[("posts", 10), ("shop", 2000), ("wiki", 999)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section `posts` would fall from 1000 pages to 10, section `users` would fall from 1000 pages to none, and the \
         limit is a loss of 30 %, from 100 pages on, without empty sections; check the source of the records, or \
         allow the loss for this run with `allow_shrink(AllowShrink::Empty)`"
    );
    let error = publish(&memory, &[("posts", 10), ("shop", 10), ("users", 10), ("wiki", 10)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "section `posts` would fall from 1000 pages to 10, section `shop` would fall from 1000 pages to 10, section \
         `users` would fall from 1000 pages to 10, 2 more would fall too far, and the limit is a loss of 30 %, from \
         100 pages on; check the source of the records, or allow the loss for this run with \
         `allow_shrink(AllowShrink::Smaller)`"
    );
}

#[test]
fn skipped_records_are_named_as_a_possible_cause() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 200)]).unwrap();
    let mut run = builder().on_invalid(OnInvalid::Skip).storage(memory.clone()).replace().unwrap();
    let page = |id: u32| if id < 50 { format!("/posts/{id}") } else { format!("ftp://example.com/{id}") };
    run.section("posts").unwrap().add_all((0..200).map(page)).unwrap();
    assert_eq!(
        run.commit().unwrap_err().to_string(),
        "section `posts` would fall from 200 pages to 50, and the limit is a loss of 30 %, from 100 pages on; 150 \
         invalid records were skipped; check the source of the records, or allow the loss for this run with \
         `allow_shrink(AllowShrink::Smaller)`"
    );
}

#[test]
fn many_small_losses_count_like_a_large_one() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 10_000)]).unwrap();
    let mut pages = 10_000;
    let refused = (1..=100).find_map(|run| {
        pages -= 100;
        publish(&memory, &[("posts", pages)]).err().map(|error| (run, error))
    });
    let (run, error) = refused.unwrap();
    assert_eq!(run, 31);
    assert_eq!(
        error.to_string(),
        "section `posts` would fall from 10000 pages in the last weeks to 6900, and the limit is a loss of 30 %, from \
         100 pages on; check the source of the records, or allow the loss for this run with \
         `allow_shrink(AllowShrink::Smaller)`"
    );
    // Runs that lose nothing still succeed.
    publish(&memory, &[("posts", 7_000)]).unwrap();
    publish(&memory, &[("posts", 7_001)]).unwrap();
    assert_eq!(
        losses(publish(&memory, &[("posts", 6_999)])),
        [(Some("posts".to_owned()), 10_000, 6_999, true)]
    );
}

#[test]
fn a_section_cannot_vanish_in_small_steps() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 150), ("shop", 5_000)]).unwrap();
    publish(&memory, &[("posts", 60), ("shop", 5_000)]).unwrap();
    assert_eq!(losses(publish(&memory, &[("shop", 5_000)])), [(Some("posts".to_owned()), 150, 0, true)]);
}

#[test]
fn a_permission_holds_for_one_run() {
    let memory = Memory::new();
    let allowed = |allow, sections| publish_with(builder(), memory.clone(), Some(allow), sections);
    publish(&memory, &[("posts", 10_000)]).unwrap();
    allowed(AllowShrink::Smaller, &[("posts", 5_000)]).unwrap();
    // The accepted page count is the new baseline: equal and slightly smaller sets pass, but larger losses are rejected
    // again.
    publish(&memory, &[("posts", 5_000)]).unwrap();
    publish(&memory, &[("posts", 3_500)]).unwrap();
    assert_eq!(
        losses(publish(&memory, &[("posts", 3_499)])),
        [(Some("posts".to_owned()), 5_000, 3_499, true)]
    );
    // A permission that is not needed has no effect.
    allowed(AllowShrink::Empty, &[("posts", 3_500)]).unwrap();
    assert_eq!(
        losses(publish(&memory, &[("posts", 3_499)])),
        [(Some("posts".to_owned()), 5_000, 3_499, true)]
    );
}

#[test]
fn an_empty_section_needs_its_own_permission() {
    let memory = Memory::new();
    let allowed = |allow, sections| publish_with(builder(), memory.clone(), Some(allow), sections);
    publish(&memory, &[("posts", 500), ("shop", 5_000)]).unwrap();
    assert_eq!(
        losses(allowed(AllowShrink::Smaller, &[("shop", 100)])),
        [of_section("posts", 500, 0), of_section("shop", 5_000, 100), (None, 5_500, 100, false)]
    );
    allowed(AllowShrink::Empty, &[("shop", 100)]).unwrap();
    // The section stays removed, and it may come back.
    publish(&memory, &[("shop", 100)]).unwrap();
    publish(&memory, &[("shop", 100), ("posts", 3)]).unwrap();
    // No permission allows a set without pages.
    let error = allowed(AllowShrink::Empty, &[("shop", 0)]).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::EmptySet { skipped: 0 }), "{error}");
}

#[test]
fn limits_of_other_kinds() {
    let memory = Memory::new();
    let limited = |limit, pages| {
        publish_with(builder().max_shrink(limit), memory.clone(), None, &[("posts", pages), ("shop", 900)])
    };
    limited(ShrinkLimit::default(), 1000).unwrap();
    assert_eq!(
        losses(limited(ShrinkLimit::pages(20), 979)),
        [of_section("posts", 1000, 979), (None, 1900, 1879, false)]
    );
    assert_eq!(losses(limited(ShrinkLimit::percent(0).floor(1), 999)).len(), 2);
    limited(ShrinkLimit::pages(20), 980).unwrap();
    assert_eq!(losses(limited(ShrinkLimit::percent(100), 0)), [of_section("posts", 980, 0)]);
    limited(ShrinkLimit::percent(100), 1).unwrap();
    limited(ShrinkLimit::default(), 1000).unwrap();
    limited(ShrinkLimit::OFF, 0).unwrap();
}

#[test]
fn kept_sections_lose_nothing() {
    let memory = Memory::new();
    let keeping = |sections| publish_with(builder().keep_sections(true), memory.clone(), None, sections);
    publish(&memory, &[("posts", 1000), ("shop", 500)]).unwrap();
    assert_eq!(keeping(&[("posts", 700)]).unwrap().urls(), 1200);
    assert_eq!(losses(keeping(&[("posts", 600)])), [(Some("posts".to_owned()), 1000, 600, true)]);
    // A section that a run starts but leaves empty is removed, so it counts as a loss.
    assert_eq!(losses(keeping(&[("shop", 0), ("news", 500)])), [of_section("shop", 500, 0)]);
    assert_eq!(keeping(&[("news", 5)]).unwrap().urls(), 1205);
}

#[test]
fn the_set_of_another_site_is_not_compared() {
    let memory = Memory::new();
    publish(&memory, &[("posts", 1000)]).unwrap();
    let other = || SitemapSet::builder(Site::new("https://example.org").unwrap()).change_base(true);
    let run = |pages| publish_with(other(), memory.clone(), None, &[("posts", pages)]);
    run(200).unwrap();
    // Used for the same site, the option does not turn the guard off.
    assert_eq!(losses(run(100)), [of_section("posts", 200, 100)]);
}

#[test]
fn a_set_without_an_intact_manifest_is_counted() {
    for has_manifest in [true, false] {
        let mut limits = Dialect::V0_9.limits();
        limits.urls = 400;
        for builder in [builder(), builder().names(Names::Digest), builder().gzip()] {
            let builder = builder.lower_limits(limits);
            let memory = Memory::new();
            let publish =
                |pages, allow| publish_with(builder.clone(), memory.clone(), allow, &[("posts", pages)]);
            publish(1000, None).unwrap();
            if has_manifest {
                memory.put(".sitemap-manifest.jsonl", b"damaged").unwrap();
            } else {
                memory.remove(".sitemap-manifest.jsonl").unwrap();
            }
            // A second attempt is rejected, too.
            for _ in 0..2 {
                assert_eq!(losses(publish(1, None)), [(None, 1000, 1, false)]);
            }
            assert_eq!(publish(1, Some(AllowShrink::Smaller)).unwrap().urls(), 1);
        }
    }
}

#[test]
fn a_set_of_another_program_is_counted() {
    let of_other = |pages: u32| {
        let memory = Memory::new();
        let mut text = "<urlset>".to_owned();
        for id in 0..pages {
            write!(text, "<url>\n<loc>https://example.com/{id}</loc></url>").unwrap();
        }
        memory.put("sitemap.xml", (text + "</urlset>").as_bytes()).unwrap();
        memory
    };
    assert_eq!(losses(publish(&of_other(1000), &[("posts", 1)])), [(None, 1000, 1, false)]);
    assert_eq!(publish(&of_other(1000), &[("posts", 900)]).unwrap().urls(), 900);
    let builder = builder().max_shrink(ShrinkLimit::OFF);
    assert_eq!(publish_with(builder, of_other(1000), None, &[("posts", 1)]).unwrap().urls(), 1);
    // A file that is not a sitemap counts as having no pages.
    let memory = Memory::new();
    memory.put("sitemap.xml", b"soon").unwrap();
    assert_eq!(publish(&memory, &[("posts", 1)]).unwrap().urls(), 1);
}

#[test]
fn a_refused_run_changes_nothing() {
    let directory = tempdir().unwrap();
    for has_lock in [true, false] {
        for names in [Names::Stable, Names::Digest] {
            let memory = Memory::new();
            publish_with(builder().names(names), memory.clone(), None, &[("a", 200), ("b", 200)]).unwrap();
            let before = files(&memory);
            let log = Arc::new(Mutex::new(Vec::new()));
            let seen = Arc::clone(&log);
            let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
                seen.lock().unwrap().push((operation.kind, operation.name.to_owned()));
                Ok(())
            });
            let storage = if has_lock { storage } else { storage.without_lock() };
            // The stylesheet is new, so the run would write it.
            let builder =
                builder().names(names).stylesheet(Stylesheet::BUILT_IN).extensions(Extensions::IMAGES);
            let result = publish_with(builder, storage, None, &[("a", 20), ("b", 200)]);
            assert_eq!(losses(result), [of_section("a", 200, 20), (None, 400, 220, false)]);
            assert_eq!(files(&memory), before);
            // The files of the sections were written under temporary names and then removed. Nothing else was touched.
            for (kind, name) in log.lock().unwrap().iter() {
                let is_temporary = name.starts_with(".sitemap-") && name.contains(".tmp");
                let is_harmless = match kind {
                    OperationKind::Create
                    | OperationKind::Write
                    | OperationKind::Finish
                    | OperationKind::Remove => is_temporary,
                    OperationKind::Put | OperationKind::Rename | OperationKind::RenameIf => false,
                    _ => true,
                };
                assert!(is_harmless, "{kind:?} {name}");
            }
        }
    }
    let open = || Directory::open(directory.path()).unwrap();
    publish_with(builder(), open(), None, &[("a", 200), ("b", 200)]).unwrap();
    let before = files(&open());
    assert_eq!(losses(publish_with(builder(), open(), None, &[("a", 200)])).len(), 2);
    assert_eq!(files(&open()), before);
}

#[test]
fn a_run_without_changes_writes_nothing() {
    let memory = Memory::new();
    publish(&memory, &[("a", 200), ("b", 200)]).unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        if matches!(operation.kind, OperationKind::Put | OperationKind::Rename | OperationKind::RenameIf) {
            seen.lock().unwrap().push(operation.name.to_owned());
        }
        Ok(())
    });
    publish_with(builder(), storage, None, &[("a", 200), ("b", 200)]).unwrap();
    assert_eq!(*log.lock().unwrap(), [""; 0]);
}

mod shards {
    use super::*;
    use sitemap_core::publish::shards::{ShardCommit, ShardRow};

    fn rows(storage: &Memory, section: &str, pages: u32) -> Vec<ShardRow> {
        let mut shards = builder().write_shards(storage.clone(), section, 1).unwrap();
        for id in 0..pages {
            shards.add(0, &format!("/{section}/{id:05}")).unwrap();
        }
        shards.finish().unwrap().rows().to_vec()
    }

    fn commit(
        builder: SetOptions,
        storage: impl Storage + 'static,
        allow: Option<AllowShrink>,
        rows: Vec<ShardRow>,
    ) -> Result<Summary, PublishError> {
        let mut commit = ShardCommit::new(builder).allow_shrink(allow);
        for row in rows {
            commit.add(row).unwrap();
        }
        commit.publish(storage)
    }

    #[test]
    fn a_refused_commit_writes_nothing() {
        let memory = Memory::new();
        let both = [rows(&memory, "posts", 1000), rows(&memory, "shop", 500)].concat();
        commit(builder(), memory.clone(), None, both).unwrap();
        let fewer = [rows(&memory, "posts", 600), rows(&memory, "shop", 500)].concat();
        let before = files(&memory);
        for has_lock in [true, false] {
            let read_only = Hooked::new(memory.clone(), |operation: &Operation<'_>| match operation.kind {
                OperationKind::Lock | OperationKind::Metadata | OperationKind::Open | OperationKind::List => {
                    Ok(())
                }
                _ => panic!("{operation:?}"),
            });
            let storage = if has_lock { read_only } else { read_only.without_lock() };
            assert_eq!(
                losses(commit(builder(), storage, None, fewer.clone())),
                [of_section("posts", 1000, 600)]
            );
        }
        assert_eq!(files(&memory), before);
        let summary = commit(builder(), memory.clone(), Some(AllowShrink::Smaller), fewer).unwrap();
        assert_eq!(summary.urls(), 1100);
    }

    #[test]
    fn a_commit_that_keeps_sections_checks_only_its_own() {
        let memory = Memory::new();
        let both = [rows(&memory, "posts", 1000), rows(&memory, "shop", 500)].concat();
        commit(builder(), memory.clone(), None, both).unwrap();
        let keeping = || builder().keep_sections(true);
        assert_eq!(
            commit(keeping(), memory.clone(), None, rows(&memory, "posts", 700)).unwrap().urls(),
            1200
        );
        let fewer = rows(&memory, "posts", 500);
        assert_eq!(
            losses(commit(keeping(), memory.clone(), None, fewer)),
            [(Some("posts".to_owned()), 1000, 500, true), (None, 1500, 1000, true)]
        );
        // Without the option, the other section would be removed.
        let posts = rows(&memory, "posts", 700);
        assert_eq!(
            losses(commit(builder(), memory.clone(), Some(AllowShrink::Smaller), posts)),
            [of_section("shop", 500, 0), (None, 1200, 700, false)]
        );
    }
}
