//! Publishes and changes whole sets, sometimes in two runs at once.

use std::sync::Barrier;
use std::thread;

use sitemap_core::publish::Names;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{Dialect, Replacement, Site, SitemapSet, Storage, Summary};
use sitemap_object_store::ObjectStorage;

use crate::support::{
    Place, all, assert_no_leftovers, assert_published, builder, memory, pages, publish, read, start,
};

const BOTH: [Names; 2] = [Names::Stable, Names::Digest];

fn changed(summary: &Summary) -> usize {
    summary.files().iter().chain(summary.indexes()).filter(|file| file.changed()).count()
}

/// Returns the names of all files, each with its entity tag or version.
fn tags(storage: &ObjectStorage) -> Vec<(String, Option<String>)> {
    let mut names = storage.list().unwrap();
    names.sort();
    let tag = |name: &String| storage.metadata(name).unwrap().unwrap().tag;
    names.iter().map(|name| (name.clone(), tag(name))).collect()
}

#[test]
fn a_set_is_published_and_changed() {
    for names in BOTH {
        for place in all() {
            publish(&place.storage, names, "1").unwrap();
            assert_published(&place, "1");
            // With stable names, the index lists the same names as before, so it does not change.
            let expected = if names == Names::Digest { 3 } else { 2 };
            assert_eq!(changed(&publish(&place.storage, names, "2").unwrap()), expected, "{}", place.name);
            assert_published(&place, "2");
            assert_no_leftovers(&place);
        }
    }
}

#[test]
fn one_file_alone_is_the_entry_point() {
    for place in all() {
        let site = Site::new("https://example.com").unwrap();
        let mut run = SitemapSet::builder(site).gzip().storage(place.storage.clone()).replace().unwrap();
        run.section("pages").unwrap().add("/").unwrap();
        run.commit().unwrap();
        let names: Vec<_> =
            place.storage.list().unwrap().into_iter().filter(|name| !name.starts_with('.')).collect();
        assert_eq!(names, ["sitemap.xml"], "{}", place.name);
        assert!(read(&place.storage, "sitemap.xml").starts_with(b"<?xml"));
        assert_no_leftovers(&place);
    }
}

#[test]
fn several_threads_publish_the_same_set() {
    let (one, many) = (memory(), memory());
    publish(&one.storage, Names::Digest, "1").unwrap();
    let mut run = builder(Names::Digest).gzip().threads(3).storage(many.storage.clone()).replace().unwrap();
    run.section("same").unwrap().add_all(["/1", "/2", "/3"]).unwrap();
    run.section("posts").unwrap().add_all(["/1?g=1", "/2?g=1", "/3?g=1"]).unwrap();
    run.commit().unwrap();
    let set = |place: &Place| -> Vec<String> {
        let mut names = place.storage.list().unwrap();
        names.sort();
        names
    };
    assert_eq!(set(&one), set(&many));
    assert_published(&many, "1");
}

#[test]
fn the_same_pages_change_nothing() {
    for names in BOTH {
        for place in all() {
            publish(&place.storage, names, "1").unwrap();
            let before = tags(&place.storage);
            assert_eq!(changed(&publish(&place.storage, names, "1").unwrap()), 0, "{}", place.name);
            assert_eq!(tags(&place.storage), before, "{}", place.name);
        }
    }
}

/// Returns the number of files sent so far. The in-memory store numbers the files it receives and uses the number as
/// the entity tag, so this function sends one more file and returns its tag.
fn sent(place: &Place) -> u64 {
    place.storage.put("probe", b"").unwrap();
    place.storage.metadata("probe").unwrap().unwrap().tag.unwrap().parse().unwrap()
}

#[test]
fn unchanged_files_are_not_sent() {
    // Two child sitemaps, the journal and the manifest are each sent twice: under a temporary name and under the final
    // name. Before the journal is removed, a note replaces it. That makes 9 files. With digest names, the index is also
    // sent twice, for a total of 11.
    for (names, expected) in [(Names::Stable, 9), (Names::Digest, 11)] {
        let place = memory();
        publish(&place.storage, names, "1").unwrap();
        let sent_before = sent(&place);
        publish(&place.storage, names, "1").unwrap();
        assert_eq!(sent(&place) - sent_before, 1, "{names:?}");

        let (before, sent_before) = (tags(&place.storage), sent(&place));
        publish(&place.storage, names, "2").unwrap();
        assert_eq!(sent(&place) - sent_before - 1, expected, "{names:?}");
        let after = tags(&place.storage);
        let same: Vec<_> = before.iter().filter(|(name, _)| name.contains("-same-")).collect();
        assert_eq!(same.len(), 2);
        assert!(same.iter().all(|file| after.contains(file)), "{before:?} {after:?}");
    }
}

#[test]
fn a_run_that_another_run_has_overtaken_fails() {
    for names in BOTH {
        for place in all() {
            publish(&place.storage, names, "old").unwrap();
            let (slow, quick) = (start(&place.storage, names, "slow"), start(&place.storage, names, "quick"));
            quick.commit().unwrap();
            let error = slow.commit().unwrap_err();
            assert!(matches!(error.kind(), PublishErrorKind::Overtaken { .. }), "{}: {error}", place.name);
            assert_published(&place, "quick");
            assert_no_leftovers(&place);
            publish(&place.storage, names, "next").unwrap();
            assert_published(&place, "next");
        }
    }
}

#[test]
fn one_of_two_runs_that_end_at_once_wins() {
    for names in BOTH {
        for place in all() {
            for round in 0..4 {
                let runs = ["a", "b"].map(|run| (format!("{round}{run}"), &place));
                let started = runs.each_ref().map(|(name, place)| start(&place.storage, names, name));
                let barrier = Barrier::new(2);
                let finish = |run: Replacement| {
                    barrier.wait();
                    run.commit().map(drop)
                };
                let results = thread::scope(|scope| {
                    let threads = started.map(|run| scope.spawn(|| finish(run)));
                    threads.map(|thread| thread.join().unwrap())
                });
                let winners: Vec<_> = results
                    .iter()
                    .zip(&runs)
                    .filter_map(|(result, (name, _))| match result {
                        Ok(()) => Some(name),
                        Err(error) => {
                            let is_overtaken = matches!(error.kind(), PublishErrorKind::Overtaken { .. });
                            assert!(is_overtaken, "{}: {error}", place.name);
                            None
                        }
                    })
                    .collect();
                assert_eq!(winners.len(), 1, "{}: {results:?}", place.name);
                assert_published(&place, winners[0]);
                assert_no_leftovers(&place);
            }
        }
    }
}

#[test]
fn within_an_asynchronous_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        for place in all() {
            publish(&place.storage, Names::Digest, "1").unwrap();
            assert_published(&place, "1");
        }
    });
}

#[test]
fn a_publisher_that_is_dropped_leaves_the_published_set_alone() {
    for names in BOTH {
        for place in all() {
            publish(&place.storage, names, "1").unwrap();
            let before = tags(&place.storage);
            drop(start(&place.storage, names, "2"));
            assert_eq!(tags(&place.storage), before, "{}", place.name);
        }
    }
}

#[test]
fn files_that_are_already_sent_are_removed_when_the_publisher_is_dropped() {
    let place = memory();
    publish(&place.storage, Names::Stable, "1").unwrap();
    let before = tags(&place.storage);
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 10_000;
    let site = Site::new("https://example.com").unwrap();
    let builder = SitemapSet::builder(site).lower_limits(limits);
    let mut run = builder.storage(place.storage.clone()).replace().unwrap();
    // Each file is about 19 MiB, and up to 64 MiB of finished files stay in memory.
    let long = "x".repeat(1_900);
    run.section("a").unwrap().add_all((0..50_001).map(|n| format!("/{n}/{long}"))).unwrap();
    let is_sent = |name: &String| name.contains(".tmp");
    assert_ne!(place.storage.list().unwrap().into_iter().filter(is_sent).count(), 0);
    drop(run);
    assert_eq!(tags(&place.storage), before);
}

#[test]
fn a_run_keeps_the_sections_that_it_does_not_write() {
    for names in BOTH {
        for place in all() {
            let publish = |section: &str, page: &str| {
                let builder = builder(names).keep_sections(true);
                let mut run = builder.storage(place.storage.clone()).replace()?;
                run.section(section)?.add(page)?;
                run.commit()
            };
            // The first set is a single `sitemap.xml` with pages. In the second set, this file is the index.
            publish("posts", "/posts/1").unwrap();
            publish("shop", "/shop/1").unwrap();
            let shop = |files: Vec<(String, Option<String>)>| {
                files.into_iter().find(|(name, _)| name.starts_with("sitemap-shop-")).unwrap()
            };
            let kept = shop(tags(&place.storage));
            let summary = publish("posts", "/posts/2").unwrap();
            assert_eq!(summary.kept_sections(), ["shop"], "{}", place.name);
            assert_eq!(shop(tags(&place.storage)), kept, "{}", place.name);
            assert_eq!(
                pages(&place.storage),
                ["https://example.com/posts/2", "https://example.com/shop/1"],
                "{}",
                place.name
            );
            assert_no_leftovers(&place);
        }
    }
}
