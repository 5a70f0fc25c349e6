//! Tests of commits that replace some hash buckets of the published set.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sitemap_core::publish::shards::{PublishedShards, ShardCommit, ShardError, ShardRow};
use sitemap_core::publish::{Names, PublishErrorKind, SetOptions};
use sitemap_core::storage::temporary_name;
use sitemap_core::{Memory, PublishError, Replacement, Site, SitemapSet, Storage, Summary};
use sitemap_tests::{Hooked, Operation, OperationKind};

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

fn builder() -> SetOptions {
    SitemapSet::builder(site())
}

/// Writes the shards for some buckets of a section with four buckets.
fn rows(storage: &Memory, section: &str, buckets: &[(u32, &[&str])]) -> Vec<ShardRow> {
    let mut shards = builder().write_shards(storage.clone(), section, 4).unwrap();
    for (bucket, pages) in buckets {
        for page in *pages {
            shards.add(*bucket, *page).unwrap();
        }
    }
    shards.finish().unwrap().into_rows()
}

fn commit(
    commit: ShardCommit,
    storage: impl Storage + 'static,
    rows: Vec<ShardRow>,
) -> Result<Summary, PublishError> {
    let mut commit = commit;
    for row in rows {
        commit.add(row)?;
    }
    commit.publish(storage)
}

/// Publishes buckets 0, 1 and 3 of section `posts`, and one bucket of section `shop`.
fn publish_all(storage: &Memory) {
    let mut all = rows(storage, "posts", &[(0, &["/a"]), (1, &["/b", "/c"]), (3, &["/d"])]);
    all.extend(rows(storage, "shop", &[(2, &["/shop"])]));
    commit(ShardCommit::new(builder()), storage.clone(), all).unwrap();
}

fn published(storage: &Memory) -> PublishedShards {
    PublishedShards::read(storage, &site()).unwrap()
}

fn update(
    storage: impl Storage + 'static,
    published: &PublishedShards,
    buckets: &[u32],
    rows: Vec<ShardRow>,
) -> Result<Summary, PublishError> {
    let update = ShardCommit::new(builder()).update(published, "posts", buckets.iter().copied())?;
    commit(update, storage, rows)
}

/// Returns the pages' paths for each file that the index lists, in order.
fn pages(storage: &Memory) -> Vec<Vec<String>> {
    let text = |name: &str| String::from_utf8(storage.get(name).unwrap().to_vec()).unwrap();
    let locs = |text: &str| -> Vec<String> {
        let locs = text.split("<loc>https://example.com").skip(1);
        locs.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
    };
    locs(&text("sitemap.xml")).iter().map(|name| locs(&text(&name[1..]))).collect()
}

fn is_overtaken(result: Result<Summary, PublishError>) -> bool {
    matches!(result.unwrap_err().kind(), PublishErrorKind::Overtaken { .. })
}

#[test]
fn only_the_given_buckets_are_replaced_and_other_shards_are_not_touched() {
    for has_lock in [true, false] {
        let memory = Memory::new();
        publish_all(&memory);
        assert_eq!(pages(&memory), [vec!["/a"], vec!["/b", "/c"], vec!["/d"], vec!["/shop"]]);
        let before = published(&memory);
        assert_eq!(before.sections(), ["posts", "shop"]);
        assert_eq!(
            (before.buckets("posts"), before.buckets("shop"), before.buckets("news")),
            (Some(4), Some(4), None)
        );
        let kept: BTreeSet<String> =
            [before.bucket("posts", 0), before.bucket("posts", 3), before.section("shop")]
                .concat()
                .iter()
                .map(|shard| shard.name().to_owned())
                .collect();
        assert_eq!(kept.len(), 3);

        let new = rows(&memory, "posts", &[(1, &["/b"]), (2, &["/e"])]);
        let touched = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&touched);
        let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
            if kept.contains(operation.name) {
                log.lock().unwrap().push((operation.kind, operation.name.to_owned()));
            }
            Ok(())
        });
        let storage = if has_lock { storage } else { storage.without_lock() };
        let summary = update(storage, &before, &[1, 2], new).unwrap();
        assert_eq!(*touched.lock().unwrap(), []);
        assert_eq!(pages(&memory), [vec!["/a"], vec!["/b"], vec!["/e"], vec!["/d"], vec!["/shop"]]);
        assert_eq!((summary.urls(), summary.kept_files()), (5, 1));
        // The published set still records the number of buckets, so it can be updated again.
        assert_eq!(published(&memory).buckets("posts"), Some(4));
    }
}

#[test]
fn a_bucket_without_a_row_becomes_empty() {
    let memory = Memory::new();
    publish_all(&memory);
    update(memory.clone(), &published(&memory), &[1], Vec::new()).unwrap();
    assert_eq!(pages(&memory), [["/a"], ["/d"], ["/shop"]]);
    update(memory.clone(), &published(&memory), &[0, 1, 2, 3], rows(&memory, "posts", &[(2, &["/z"])]))
        .unwrap();
    assert_eq!(pages(&memory), [["/z"], ["/shop"]]);
}

#[test]
fn a_set_without_pages_is_an_error() {
    let memory = Memory::new();
    commit(ShardCommit::new(builder()), memory.clone(), rows(&memory, "posts", &[(0, &["/a"])])).unwrap();
    let error = update(memory.clone(), &published(&memory), &[0], Vec::new()).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::EmptySet { skipped: 0 }), "{error}");
    assert_eq!(pages(&memory), [["/a"]]);
}

#[test]
fn of_two_updates_of_a_bucket_the_second_is_overtaken() {
    for has_lock in [true, false] {
        let memory = Memory::new();
        publish_all(&memory);
        let storage = || {
            let storage = Hooked::new(memory.clone(), |_: &Operation<'_>| Ok(()));
            if has_lock { storage } else { storage.without_lock() }
        };
        let read = published(&memory);
        update(storage(), &read, &[1], rows(&memory, "posts", &[(1, &["/b"])])).unwrap();
        // The other update removes `/b`, but its author has not seen that `/c` is already gone.
        assert!(is_overtaken(update(storage(), &read, &[1], rows(&memory, "posts", &[(1, &["/c"])]))));
        assert_eq!(pages(&memory), [["/a"], ["/b"], ["/d"], ["/shop"]]);
        // An update of another bucket is not affected by this change.
        update(storage(), &read, &[0], rows(&memory, "posts", &[(0, &["/f"])])).unwrap();
        assert_eq!(pages(&memory), [["/f"], ["/b"], ["/d"], ["/shop"]]);
        // A change to a bucket that was empty is also noticed.
        update(storage(), &read, &[2], rows(&memory, "posts", &[(2, &["/x"])])).unwrap();
        assert!(is_overtaken(update(storage(), &read, &[2], rows(&memory, "posts", &[(2, &["/y"])]))));
        // A different number of buckets is also noticed.
        let mut shards = builder().write_shards(memory.clone(), "posts", 2).unwrap();
        shards.add(0, "/new").unwrap();
        let full = shards.finish().unwrap().into_rows();
        commit(ShardCommit::new(builder()), memory.clone(), full).unwrap();
        assert!(is_overtaken(update(storage(), &read, &[3], rows(&memory, "posts", &[(3, &["/y"])]))));
        assert_eq!(pages(&memory), [["/new"]]);
    }
}

/// Both updates are based on the same set. The second one runs in the middle of the first one's commit.
#[test]
fn an_update_during_a_commit_on_a_storage_without_locks_loses_nothing() {
    let memory = Memory::new();
    publish_all(&memory);
    let read = published(&memory);
    let first = rows(&memory, "posts", &[(0, &["/first"])]);
    let second = rows(&memory, "posts", &[(1, &["/second"])]);
    let (inner, inner_read) = (memory.clone(), read.clone());
    let second = Mutex::new(Some(second));
    let result = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&result);
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        if operation.kind == OperationKind::List
            && let Some(rows) = second.lock().unwrap().take()
        {
            // The first run has not read the manifest yet, so it sees the set of the second run.
            let other = Hooked::new(inner.clone(), |_: &Operation<'_>| Ok(())).without_lock();
            *slot.lock().unwrap() = Some(update(other, &inner_read, &[1], rows).is_ok());
        }
        Ok(())
    });
    update(storage.without_lock(), &read, &[0], first).unwrap();
    assert_eq!(*result.lock().unwrap(), Some(true));
    assert_eq!(pages(&memory), [["/first"], ["/second"], ["/d"], ["/shop"]]);
}

#[test]
fn rows_of_other_buckets_and_sections_are_refused() {
    let memory = Memory::new();
    publish_all(&memory);
    let read = published(&memory);
    for (section, bucket) in [("posts", 2), ("shop", 1)] {
        let other = rows(&memory, section, &[(bucket, &["/x"])]);
        let name = other[0].name().to_owned();
        let error = update(memory.clone(), &read, &[1], other).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "shard `{name}` is not of a bucket that the update replaces; name its bucket when the update starts"
            )
        );
    }
    let start =
        |section: &str, bucket| ShardCommit::new(builder()).update(&read, section, [bucket]).unwrap_err();
    assert!(matches!(
        start("posts", 4).kind(),
        PublishErrorKind::Shard(ShardError::Bucket { bucket: 4, buckets: 4 })
    ));
    assert_eq!(
        start("news", 0).to_string(),
        "section `news` of the published set has no hash buckets; publish it with shards once"
    );
}

#[test]
fn replaced_shards_stay_for_updates_that_still_read_them() {
    let memory = Memory::new();
    publish_all(&memory);
    let first = published(&memory).bucket("posts", 1)[0].name().to_owned();
    for page in ["/1", "/2", "/3"] {
        update(memory.clone(), &published(&memory), &[1], rows(&memory, "posts", &[(1, &[page])])).unwrap();
    }
    assert!(memory.get(&first).is_some());
}

#[test]
fn an_update_that_loses_too_many_pages_is_refused() {
    let memory = Memory::new();
    let many: Vec<String> = (0..400).map(|id| format!("/posts/{id:03}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let all = rows(&memory, "posts", &[(0, &many[..200]), (1, &many[200..])]);
    commit(ShardCommit::new(builder()), memory.clone(), all).unwrap();
    let error = update(memory.clone(), &published(&memory), &[1], Vec::new()).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Shrunk { .. }), "{error}");
    let fewer = rows(&memory, "posts", &[(1, &many[200..280])]);
    assert_eq!(update(memory.clone(), &published(&memory), &[1], fewer).unwrap().urls(), 280);
}

#[test]
fn a_commit_spares_young_temporary_shards_of_other_processes() {
    let memory = Memory::new();
    let shard = temporary_name("sitemap-posts-00001-1-99aa06d3014798d8.xml.gz");
    let child = temporary_name("sitemap-posts-1.xml");
    memory.put(&shard, b"half of a sha").unwrap();
    memory.put(&child, b"left").unwrap();
    publish_all(&memory);
    assert!(memory.get(&shard).is_some());
    assert!(memory.get(&child).is_none());
}

/// On a storage without locks, a run is overtaken and then dies after writing its journal.
#[test]
fn the_journal_of_an_overtaken_run_is_not_rolled_forward() {
    for names in [Names::Stable, Names::Digest] {
        let memory = Memory::new();
        let is_dead = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_dead);
        let dying = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
            if flag.load(Ordering::SeqCst) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            // The operation itself still succeeds.
            let is_journal = operation.name == ".sitemap-journal.jsonl";
            flag.fetch_or(is_journal && operation.kind == OperationKind::RenameIf, Ordering::SeqCst);
            Ok(())
        });
        let whole = || Hooked::new(memory.clone(), |_: &Operation<'_>| Ok(())).without_lock();
        let fill = |run: &mut Replacement, page: &str| {
            run.section("a").unwrap().add(page).unwrap();
            run.section("b").unwrap().add(&format!("/b{page}")).unwrap();
        };
        let mut late = builder().names(names).storage(dying.without_lock()).replace().unwrap();
        fill(&mut late, "/late");
        let mut quick = builder().names(names).storage(whole()).replace().unwrap();
        fill(&mut quick, "/quick");
        quick.commit().unwrap();
        late.commit().unwrap_err();
        assert!(memory.get(".sitemap-journal.jsonl").is_some());

        // The next run finds the journal.
        drop(builder().names(names).storage(whole()).replace().unwrap());
        assert_eq!(pages(&memory), [["/quick"], ["/b/quick"]], "{names:?}");
        assert!(memory.get(".sitemap-journal.jsonl").is_none());
    }
}

#[test]
fn sections_are_not_kept_by_a_manifest_of_another_set() {
    let memory = Memory::new();
    publish_all(&memory);
    let old = memory.get(".sitemap-manifest.jsonl").unwrap();
    let read = published(&memory);
    update(memory.clone(), &read, &[0], rows(&memory, "posts", &[(0, &["/new"])])).unwrap();
    memory.put(".sitemap-manifest.jsonl", &old).unwrap();
    let unlocked = || Hooked::new(memory.clone(), |_: &Operation<'_>| Ok(())).without_lock();
    let message = "cannot keep the other sections of the set: `.sitemap-manifest.jsonl` does not describe the published \
                   `sitemap.xml`; publish all sections in one run";
    let error = builder().keep_sections(true).storage(unlocked()).replace().unwrap_err();
    assert_eq!(error.to_string(), message);
    let error = update(unlocked(), &read, &[1], Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn one_commit_replaces_buckets_of_several_sections() {
    let memory = Memory::new();
    publish_all(&memory);
    let before = published(&memory);
    let mut new = rows(&memory, "shop", &[(0, &["/cart"])]);
    new.extend(rows(&memory, "posts", &[(1, &["/b"])]));
    let both = |buckets: u32| {
        let update = ShardCommit::new(builder()).update(&before, "posts", [buckets])?.changes(1);
        Ok::<_, PublishError>(update.update(&before, "shop", [0])?.changes(2))
    };
    commit(both(1).unwrap(), memory.clone(), new.clone()).unwrap();
    assert_eq!(pages(&memory), [vec!["/a"], vec!["/b"], vec!["/d"], vec!["/cart"], vec!["/shop"]]);
    let after = published(&memory);
    assert_eq!((after.changes("posts"), after.changes("shop")), (&[1][..], &[2][..]));
    // Another run has replaced a bucket in one of the two sections, so neither section is updated.
    assert!(is_overtaken(commit(both(1).unwrap(), memory.clone(), new)));
    // A row is rejected if no update in the commit replaces its bucket.
    let other = rows(&memory, "posts", &[(3, &["/z"])]);
    let error = commit(both(1).unwrap(), memory.clone(), other).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Shard(ShardError::NotReplaced { .. })), "{error}");
}

#[test]
fn a_commit_that_was_overtaken_does_not_replace_a_newer_set() {
    for has_lock in [true, false] {
        let memory = Memory::new();
        publish_all(&memory);
        let read = published(&memory);
        let publish = |keeps: bool, section: &str, page: &str| {
            let builder = builder().keep_sections(keeps);
            let shards = rows(&memory, section, &[(0, &[page])]);
            let storage = Hooked::new(memory.clone(), |_: &Operation<'_>| Ok(()));
            let storage = if has_lock { storage } else { storage.without_lock() };
            commit(ShardCommit::new(builder).if_unchanged(&read), storage, shards)
        };
        // A commit that keeps sections is only affected by changes to its own section.
        publish(true, "shop", "/cart").unwrap();
        publish(true, "posts", "/new").unwrap();
        let newer = pages(&memory);
        assert_eq!(newer, [["/new"], ["/cart"]]);
        assert!(is_overtaken(publish(true, "posts", "/old")));
        assert!(is_overtaken(publish(false, "news", "/old")));
        publish(true, "news", "/first").unwrap();
        assert_eq!(pages(&memory), [["/new"], ["/cart"], ["/first"]]);
    }
}

#[test]
fn a_commit_after_an_interrupted_one_is_not_overtaken_by_it() {
    for has_lock in [true, false] {
        let memory = Memory::new();
        publish_all(&memory);
        let storage = |fails: bool| {
            let has_ended = AtomicBool::new(false);
            let hook = move |operation: &Operation<'_>| {
                let is_rename = matches!(operation.kind, OperationKind::Rename | OperationKind::RenameIf);
                let ends = fails && is_rename && operation.name == "sitemap.xml";
                if has_ended.fetch_or(ends, Ordering::Relaxed) || ends {
                    return Err(io::Error::other("the process has ended"));
                }
                Ok(())
            };
            let storage = Hooked::new(memory.clone(), hook);
            if has_lock { storage } else { storage.without_lock() }
        };
        let publish = |read: &PublishedShards, page: &str, fails: bool| {
            let shards = rows(&memory, "posts", &[(0, &[page])]);
            let next = ShardCommit::new(builder().keep_sections(true)).if_unchanged(read);
            commit(next, storage(fails), shards)
        };
        let old = published(&memory);
        assert!(publish(&old, "/interrupted", true).is_err());
        assert_eq!(published(&memory).section("posts"), old.section("posts"));
        let read = PublishedShards::recover(storage(false), &site()).unwrap();
        assert_eq!(pages(&memory), [["/interrupted"], ["/shop"]]);
        // Without another commit, there is nothing to finish.
        let again = PublishedShards::recover(storage(false), &site()).unwrap();
        assert_eq!(again.section("posts"), read.section("posts"));
        publish(&read, "/new", false).unwrap();
        assert_eq!(pages(&memory), [["/new"], ["/shop"]]);
        assert!(is_overtaken(publish(&old, "/old", false)));
    }
}

#[test]
fn a_run_that_holds_the_lock_is_not_interrupted() {
    let memory = Memory::new();
    publish_all(&memory);
    memory.put(".sitemap-journal.jsonl", b"of the run that holds the lock\n").unwrap();
    let lock = memory.lock().unwrap();
    let read = PublishedShards::recover(memory.clone(), &site()).unwrap();
    assert_eq!(read.section("posts"), published(&memory).section("posts"));
    assert!(memory.get(".sitemap-journal.jsonl").is_some());
    drop(lock);
    PublishedShards::recover(memory.clone(), &site()).unwrap();
    assert!(memory.get(".sitemap-journal.jsonl").is_none());
}
