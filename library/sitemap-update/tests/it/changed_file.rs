//! The file of changed pages lists every change.

use std::convert::Infallible;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sitemap_core::publish::feed::FeedChange;
use sitemap_core::{Memory, SitemapSet};
use sitemap_tests::{Hooked, Operation};
use sitemap_update::{Batch, ChangeSource, ChangedFile, Mirror, Update};

use crate::support::{builder, loc, published, remove, start, update, upsert};

/// Returns storage whose operations fail from number `from` on, and the number of operations so far.
fn dying(memory: &Memory, at: u32, has_lock: bool) -> (Hooked<Memory>, Arc<AtomicU32>) {
    let count = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&count);
    let storage = Hooked::new(memory.clone(), move |_: &Operation<'_>| {
        let is_dead = seen.fetch_add(1, Ordering::SeqCst) >= at;
        if is_dead { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    });
    (if has_lock { storage } else { storage.without_lock() }, count)
}

/// Takes and confirms all changes, and returns their URLs with `true` for upserts.
fn take(file: &ChangedFile) -> Vec<(String, bool)> {
    let Some(taken) = file.take().unwrap() else { return Vec::new() };
    let changes = taken.changes().iter().map(|change| match change {
        FeedChange::Upsert(loc, _) => (loc.to_string(), true),
        FeedChange::Remove(loc) => (loc.to_string(), false),
    });
    let changes = changes.collect();
    taken.confirm().unwrap();
    changes
}

#[test]
fn a_change_that_is_published_is_listed_wherever_the_run_ends() {
    let folder = tempfile::tempdir().unwrap();
    for has_lock in [true, false] {
        for at in 0.. {
            let (memory, _) = start(&builder(), 4);
            let file = ChangedFile::new(folder.path().join(format!("{has_lock}{at}")));
            let (storage, count) = dying(&memory, at, has_lock);
            let _ = update([upsert(100, None), remove(1), remove(99)])
                .changed_file(file.clone())
                .commit_to(storage);
            // The next run completes the commit if it has begun. That run may change different pages.
            update([remove(2)]).changed_file(file.clone()).commit_to(memory.clone()).unwrap();
            let is_published = published(&memory).contains_key(&loc(100));
            let listed = take(&file);
            assert_eq!(listed.contains(&(loc(100), true)), is_published, "at {at}: {listed:?}");
            assert_eq!(listed.contains(&(loc(1), false)), is_published, "at {at}: {listed:?}");
            assert!(listed.contains(&(loc(2), false)), "at {at}: {listed:?}");
            if count.load(Ordering::SeqCst) <= at {
                // Without an interruption, only changes that had an effect are listed.
                assert_eq!(listed, [(loc(100), true), (loc(1), false), (loc(2), false)]);
                assert!(at > 10);
                break;
            }
        }
    }
}

/// A source like a log: published changes are not returned again, even if they were never acknowledged.
struct Log(Vec<u64>);

impl ChangeSource for Log {
    type Token = ();
    type Error = Infallible;

    fn name(&self) -> &'static str {
        "log"
    }

    fn peek(&mut self, position: Option<&str>) -> Result<Option<Batch<()>>, Infallible> {
        let at: usize = position.map_or(0, |position| position.parse().unwrap());
        let Some(id) = self.0.get(at) else { return Ok(None) };
        let mut batch = Batch::new((at + 1).to_string(), ());
        batch.push(remove(*id));
        Ok(Some(batch))
    }

    fn acknowledge(&mut self, (): ()) -> Result<(), Infallible> {
        Ok(())
    }
}

#[test]
fn a_mirror_misses_no_change_of_a_log_wherever_it_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    for has_lock in [true, false] {
        for at in 0.. {
            let (memory, _) = start(&builder(), 4);
            let file = ChangedFile::new(folder.path().join(format!("{has_lock}{at}")));
            let (storage, count) = dying(&memory, at, has_lock);
            let mirror = |set: SitemapSet| Mirror::new(Update::new(&set).changed_file(file.clone()));
            let (killed, next) =
                (mirror(builder().storage(storage)), mirror(builder().storage(memory.clone())));
            while killed.step(&mut Log(vec![3, 7])).is_ok_and(|step| step.is_some()) {}
            while next.step(&mut Log(vec![3, 7])).unwrap().is_some() {}
            assert_eq!(published(&memory).len(), 38);
            let mut listed = take(&file);
            listed.sort();
            listed.dedup();
            assert_eq!(listed, [(loc(3), false), (loc(7), false)], "at {at}");
            if count.load(Ordering::SeqCst) <= at {
                assert!(at > 20);
                break;
            }
        }
    }
}

#[test]
fn changes_come_again_until_they_are_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, _) = start(&builder(), 4);
    let file = ChangedFile::new(folder.path().join("changed"));
    let remove_page = |id| update([remove(id)]).changed_file(file.clone()).commit_to(memory.clone()).unwrap();
    assert_eq!(remove_page(1).changes().len(), 1);
    drop(file.take().unwrap().unwrap());
    // Later changes wait until the earlier ones are confirmed.
    remove_page(2);
    assert_eq!(take(&file), [(loc(1), false)]);
    assert_eq!(take(&file), [(loc(2), false)]);
    assert_eq!(take(&file), []);

    fs::write(file.path(), "{\"op\":\"remove\"}\n").unwrap();
    let error = file.take().unwrap_err().to_string();
    assert!(error.contains("is not a change"), "{error}");
}

#[test]
fn a_refused_update_lists_nothing_later() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, _) = start(&builder(), 4);
    let file = ChangedFile::new(folder.path().join("changed"));
    let refused = update([remove(1)]).changed_file(file.clone()).move_position("queue", Some("7"), "8");
    assert!(refused.commit_to(memory.clone()).is_err());
    update([remove(2)]).commit_to(memory.clone()).unwrap();
    assert_eq!(file.recover(&memory).unwrap(), 0);
    assert_eq!(take(&file), []);
}
