//! Updates that run at the same time. The storage pauses one of them at a chosen operation and runs the other.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::{builder, feed, loc, published, remove, start, update, upsert};
use sitemap_core::{Memory, Storage};
use sitemap_tests::{Hooked, Operation, OperationKind};
use sitemap_update::{Applied, Update};

/// Returns storage that runs `other` before the operation with this number.
fn stopping(
    memory: &Memory,
    at: u32,
    has_lock: bool,
    other: impl FnOnce() + Send + 'static,
) -> (impl Storage + 'static, Arc<AtomicU32>) {
    let (count, other) = (Arc::new(AtomicU32::new(0)), Mutex::new(Some(other)));
    let seen = Arc::clone(&count);
    let storage = Hooked::new(memory.clone(), move |_: &Operation<'_>| {
        if seen.fetch_add(1, Ordering::SeqCst) == at {
            let other = other.lock().unwrap().take();
            if let Some(other) = other {
                other();
            }
        }
        Ok(())
    });
    (if has_lock { storage } else { storage.without_lock() }, count)
}

#[test]
fn no_change_is_lost_wherever_the_other_update_comes() {
    for has_lock in [false, true] {
        let (mut at, mut restarted) = (0, 0);
        loop {
            let (memory, mut model) = start(&builder(), 2);
            let inner = memory.clone();
            let ran = Arc::new(Mutex::new(None));
            let slot = Arc::clone(&ran);
            let (storage, count) = stopping(&memory, at, has_lock, move || {
                let storage = Hooked::new(inner, |_: &Operation<'_>| Ok(()));
                let storage = if has_lock { storage } else { storage.without_lock() };
                // While the first update commits, the other one cannot commit.
                let result = update([upsert(200, None), remove(2), upsert(5, Some("2026-02-02"))])
                    .attempts(1)
                    .commit_to(storage);
                *slot.lock().unwrap() = Some(result.is_ok());
            });
            let first: Update = update([upsert(100, None), remove(1), upsert(5, Some("2026-01-01"))]);
            let applied: Applied = first.commit_to(storage).unwrap();
            model.insert(loc(100), None);
            model.remove(&loc(1));
            model.insert(loc(5), Some("2026-01-01".to_owned()));
            let other = *ran.lock().unwrap();
            if other == Some(true) {
                model.insert(loc(200), None);
                model.remove(&loc(2));
            }
            let mut found = published(&memory);
            // Both updates change this page. The update that was applied last wins.
            let date = found.insert(loc(5), Some("2026-01-01".to_owned())).flatten().unwrap();
            assert!(date == "2026-01-01" || other == Some(true) && date == "2026-02-02", "{at}: {date}");
            assert_eq!(found, model, "at {at}, with lock: {has_lock}");
            let mut changed = vec![loc(1), loc(100), loc(5)];
            if other == Some(true) {
                changed.extend([loc(2), loc(200)]);
            }
            changed.sort();
            let listed: Vec<String> = feed(&memory).into_keys().collect();
            assert_eq!(listed, changed, "at {at}, with lock: {has_lock}");
            restarted += u32::from(applied.restarts() > 0);
            if count.load(Ordering::SeqCst) <= at {
                assert_eq!(other, None);
                break;
            }
            at += 1;
        }
        assert!(at > 10 && restarted > 0, "{at} operations, {restarted} restarts");
    }
}

#[test]
fn the_attempts_are_bounded() {
    let (memory, model) = start(&builder(), 1);
    let (inner, number) = (memory.clone(), Arc::new(AtomicU32::new(0)));
    let next = Arc::clone(&number);
    // Before each commit of this update, another update changes the same bucket.
    let storage = Hooked::new(memory.clone(), move |operation: &Operation<'_>| {
        if operation.kind == OperationKind::Lock {
            let id = next.fetch_add(1, Ordering::SeqCst);
            update([upsert(1000 + u64::from(id), None)]).commit_to(inner.clone()).unwrap();
        }
        Ok(())
    });
    let error = update([remove(1)]).attempts(3).commit_to(storage).unwrap_err();
    assert!(error.to_string().contains("another run has replaced `sitemap.xml`"), "{error}");
    assert_eq!(number.load(Ordering::SeqCst), 3);
    assert_eq!(published(&memory).len(), model.len() + 3);
}
