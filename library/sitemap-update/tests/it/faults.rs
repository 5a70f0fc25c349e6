//! Makes each storage operation fail in turn.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::{Model, builder, feed, loc, published, recent, remove, start, update, upsert};
use sitemap_core::Memory;
use sitemap_tests::{Hooked, Operation};
use sitemap_update::Recent;

/// Applies changes to storage whose operation with this number fails. If `dies`, all later operations fail too. Returns
/// whether the update succeeded, and whether it got as far as that operation.
fn run(memory: &Memory, at: u32, dies: bool, has_lock: bool) -> (bool, bool) {
    let count = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&count);
    let storage = Hooked::new(memory.clone(), move |_: &Operation<'_>| {
        let number = seen.fetch_add(1, Ordering::SeqCst);
        let fails = number == at || dies && number > at;
        if fails { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    });
    let storage = if has_lock { storage } else { storage.without_lock() };
    let update = update([upsert(100, None), remove(1), remove(2)]).recent(Recent::new());
    let is_ok = update.commit_to(storage).is_ok();
    (is_ok, count.load(Ordering::SeqCst) > at)
}

#[test]
fn the_set_is_the_old_or_the_new_one_and_the_next_update_succeeds() {
    for has_lock in [true, false] {
        for dies in [true, false] {
            for at in 0.. {
                let (memory, mut old) = start(&builder(), 4);
                let date = Some("2026-01-31".to_owned());
                old.insert(loc(3), date.clone());
                update([upsert(3, date.as_deref())])
                    .feed(None)
                    .recent(Recent::new())
                    .commit_to(memory.clone())
                    .unwrap();
                let mut new = old.clone();
                new.insert(loc(100), None);
                new.remove(&loc(1));
                new.remove(&loc(2));
                let (is_ok, was_reached) = run(&memory, at, dies, has_lock);
                let found = published(&memory);
                assert!(found == new || found == old && !is_ok, "at {at}");
                let mut repeated: Model = [(loc(3), date)].into();
                if found == new {
                    repeated.insert(loc(100), None);
                }
                assert_eq!(recent(&memory), repeated, "at {at}");
                // The next update finishes or removes what the interrupted one left behind.
                new.insert(loc(101), None);
                let changes = [upsert(100, None), remove(1), remove(2), upsert(101, None)];
                update(changes).recent(Recent::new()).commit_to(memory.clone()).unwrap();
                assert_eq!(published(&memory), new, "at {at}");
                repeated.extend([(loc(100), None), (loc(101), None)]);
                assert_eq!(recent(&memory), repeated, "at {at}");
                // The feed lists all changes, no matter which update made them.
                let listed: Vec<String> = feed(&memory).into_keys().collect();
                assert_eq!(listed, [loc(100), loc(101), loc(1), loc(2)], "at {at}");
                assert!(memory.get(".sitemap-journal.jsonl").is_none(), "at {at}");
                if !was_reached {
                    assert!(is_ok && at > 10);
                    break;
                }
            }
        }
    }
}

/// The set that was read doesn't list the page, but the killed update's commit may be about to add it.
#[test]
fn the_removal_of_a_page_that_a_killed_update_adds_is_not_lost() {
    for has_lock in [true, false] {
        for at in 0.. {
            let (memory, _) = start(&builder(), 4);
            let (_, is_interrupted) = run(&memory, at, true, has_lock);
            update([remove(100)]).recent(Recent::new()).commit_to(memory.clone()).unwrap();
            // An update with an effect completes whatever was left behind.
            update([remove(3)]).recent(Recent::new()).commit_to(memory.clone()).unwrap();
            assert!(!published(&memory).contains_key(&loc(100)), "at {at}");
            if !is_interrupted {
                assert!(at > 10);
                break;
            }
        }
    }
}
