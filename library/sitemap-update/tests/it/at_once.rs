//! The number of requests that a run sends, in total and at the same time.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use sitemap_core::{Entry, Loc, Memory, Storage as _};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::{Build, Rebucket};

use crate::support::{builder, loc, published, remove, start, update, upsert};

/// The number of buckets that a run processes at once.
const AT_ONCE: usize = 16;

/// The running operations of each kind, and the maximum so far.
type Counts = BTreeMap<OperationKind, (usize, usize)>;

/// Returns storage that blocks the first reads, or writes, until as many are running as a run can have at once. If
/// there are fewer for a minute, it lets them continue.
fn crowded(memory: &Memory) -> (Hooked<Memory>, Arc<Mutex<Counts>>) {
    let (counts, changed) = (Arc::new(Mutex::new(Counts::new())), Condvar::new());
    let seen = Arc::clone(&counts);
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        let kind = operation.kind;
        let is_waited_for = matches!(kind, OperationKind::Open | OperationKind::Put);
        if !operation.name.starts_with("sitemap-posts-") || !is_waited_for {
            return Ok(());
        }
        let mut counts = seen.lock().unwrap();
        let (now, most) = counts.entry(kind).or_default();
        *now += 1;
        *most = (*most).max(*now);
        changed.notify_all();
        let is_alone = |counts: &mut Counts| counts[&kind].1 < AT_ONCE;
        let (mut counts, waited) =
            changed.wait_timeout_while(counts, Duration::from_secs(60), is_alone).unwrap();
        let (now, most) = counts.entry(kind).or_default();
        *now -= 1;
        // After one timeout, don't make the other operations wait for a minute too.
        if waited.timed_out() {
            *most = usize::MAX;
        }
        Ok(())
    });
    (storage, counts)
}

fn most(counts: &Mutex<Counts>, kind: OperationKind) -> usize {
    counts.lock().unwrap()[&kind].1
}

/// Publishes this number of pages in hash buckets.
fn full(buckets: u32, pages: u64) -> Memory {
    let memory = Memory::new();
    build(buckets, pages).run(memory.clone()).unwrap();
    memory
}

fn build(buckets: u32, pages: u64) -> Build {
    let mut build = Build::new(builder(), buckets, Memory::new());
    for id in 0..pages {
        build.add("posts", Entry::new(Loc::parse(loc(id)).unwrap())).unwrap();
    }
    build
}

#[test]
fn an_update_reads_and_writes_sixteen_buckets_at_once() {
    // Every bucket contains pages, so all threads read first.
    let (memory, one) = (full(64, 1000), full(64, 1000));
    let changes = || (0..300).map(|id| if id < 20 { remove(id) } else { upsert(id, Some("2026-01-31")) });
    let (storage, counts) = crowded(&memory);
    let applied = update(changes()).commit_to(storage).unwrap();
    assert_eq!(most(&counts, OperationKind::Open), AT_ONCE);
    assert_eq!(most(&counts, OperationKind::Put), AT_ONCE);
    let expected = update(changes()).at_once(1).commit_to(one.clone()).unwrap();
    assert_eq!(published(&memory), published(&one));
    assert_eq!((applied.added(), applied.removed()), (expected.added(), expected.removed()));
    assert_eq!(applied.bytes_written(), expected.bytes_written());
    let mut names = [memory.list().unwrap(), one.list().unwrap()];
    for names in &mut names {
        names.sort();
    }
    assert_eq!(names[0], names[1]);
}

#[test]
fn a_rebucketing_and_a_full_publication_use_sixteen_requests_at_once() {
    let (memory, pages) = start(&builder(), 64);
    let (storage, counts) = crowded(&memory);
    Rebucket::new(&builder().storage(storage.clone()), 50).commit().unwrap();
    assert_eq!(most(&counts, OperationKind::Open), AT_ONCE);
    assert_eq!(most(&counts, OperationKind::Put), AT_ONCE);
    assert_eq!(published(&memory), pages);

    let memory = Memory::new();
    let (storage, counts) = crowded(&memory);
    // Each of the 64 parts has 32 buckets, most of which contain pages.
    build(2048, 3000).run(storage).unwrap();
    assert_eq!(most(&counts, OperationKind::Put), AT_ONCE);
    assert_eq!(published(&memory).len(), 3000);
}

#[test]
fn an_update_of_a_page_needs_few_requests() {
    let count = |has_lock: bool| {
        let (memory, _) = start(&builder(), 20);
        let counts = Arc::new(Mutex::new(BTreeMap::<OperationKind, u32>::new()));
        let seen = Arc::clone(&counts);
        let storage = Hooked::new(memory, move |operation: &Operation<'_>| {
            *seen.lock().unwrap().entry(operation.kind).or_default() += 1;
            Ok(())
        });
        let storage = if has_lock { storage } else { storage.without_lock() };
        update([upsert(3, Some("2026-01-31"))]).commit_to(storage).unwrap();
        counts.lock().unwrap().clone()
    };
    // The run reads the manifest twice, the bucket and the feed. It writes the bucket, the index, the feed, the journal
    // and the manifest.
    let expected = [
        (OperationKind::Lock, 1),
        (OperationKind::Create, 4),
        (OperationKind::Write, 4),
        (OperationKind::Finish, 4),
        (OperationKind::Put, 1),
        (OperationKind::Rename, 4),
        (OperationKind::Remove, 1),
        (OperationKind::Metadata, 7),
        (OperationKind::Open, 4),
        (OperationKind::CheckReplaceable, 3),
        (OperationKind::List, 1),
        (OperationKind::SyncFile, 4),
        (OperationKind::SyncNames, 4),
    ];
    assert_eq!(count(true), expected.into());
    // Without a lock, the run checks whether another run committed first.
    let expected = [
        (OperationKind::Lock, 1),
        (OperationKind::Create, 5),
        (OperationKind::Write, 5),
        (OperationKind::Finish, 5),
        (OperationKind::Put, 1),
        (OperationKind::RenameIf, 5),
        (OperationKind::Remove, 1),
        (OperationKind::Metadata, 16),
        (OperationKind::Open, 5),
        (OperationKind::CheckReplaceable, 3),
        (OperationKind::List, 1),
        (OperationKind::SyncFile, 4),
        (OperationKind::SyncNames, 4),
    ];
    assert_eq!(count(false), expected.into());
}
