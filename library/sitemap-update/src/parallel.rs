//! Works on several buckets at once, because an object store takes tens of milliseconds for each request.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::error::UpdateError;

/// How many buckets are read and written at once, unless the caller sets another number. Object stores and disks handle this
/// many requests in about the time of one.
pub(crate) const DEFAULT: usize = 16;

/// About how many pages of buckets are in memory at once, so that large buckets are not all there.
const PAGES: u64 = 200_000;

/// Returns the number of buckets to work on at once.
pub(crate) fn of_buckets(most: usize, pages: u64, buckets: u32) -> usize {
    let of_bucket = (pages / u64::from(buckets.max(1))).max(1);
    usize::try_from(PAGES / of_bucket).unwrap_or(most).clamp(1, most.max(1))
}

/// Calls a function for each item, for several at once, and returns the results in the order of the items. After an error,
/// no other item is begun. Of several errors, that of the first item is returned.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    at_once: usize,
    work: impl Fn(&T) -> Result<R, UpdateError> + Sync,
) -> Result<Vec<R>, UpdateError> {
    if at_once.min(items.len()) <= 1 {
        return items.iter().map(work).collect();
    }
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let some = || {
        let mut done = Vec::new();
        while !has_failed.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            let result = work(item);
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((at, result));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, some).ok();
        // A platform without threads has only that of the caller.
        let others: Vec<_> = (1..at_once.min(items.len())).map_while(spawn).collect();
        let mut done = some();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(item: u32) -> UpdateError {
        UpdateError::Changed { name: item.to_string() }
    }

    #[test]
    fn results_are_in_order() {
        let items: Vec<u32> = (0..1000).collect();
        for at_once in [0, 1, 2, 16] {
            assert_eq!(map(&items, at_once, |item| Ok(*item)).unwrap(), items, "{at_once}");
        }
        assert_eq!(map(&[0; 0], 16, |item| Ok(*item)).unwrap(), [0; 0]);
    }

    #[test]
    fn the_first_error_ends_the_work() {
        let items: Vec<u32> = (0..100_000).collect();
        let count = AtomicUsize::new(0);
        let result = map(&items, 4, |item| {
            count.fetch_add(1, Ordering::Relaxed);
            if *item < 4 { Err::<(), _>(error(*item)) } else { Ok(()) }
        });
        assert_eq!(result.unwrap_err().to_string(), error(0).to_string());
        assert!(count.into_inner() <= 8);
    }

    #[test]
    fn large_buckets_are_few_at_once() {
        assert_eq!(of_buckets(16, 10_000_000, 30_000), 16);
        assert_eq!(of_buckets(16, 10_000_000, 209), 4);
        assert_eq!(of_buckets(16, 10_000_000, 1), 1);
        assert_eq!(of_buckets(0, 0, 0), 1);
    }
}
