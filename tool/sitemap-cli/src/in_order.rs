//! Does work on several threads, and keeps the results in order.

use std::iter;

use sitemap_core::threads::{Worker, in_order};

use crate::error::Outcome;

/// The number of jobs that a thread receives at a time. These jobs keep the thread busy while the caller handles
/// another thread's results.
const AT_ONCE: usize = 16;

/// The assumed size of a result in bytes. It limits the waiting results to a few megabytes per thread.
const SIZE: usize = 64 << 10;

/// Does all work on up to `threads` threads, and passes the results to `take` on this thread, in the order of the jobs.
/// The results and the first error do not depend on the number of threads.
pub(crate) fn map_in_order<J: Send, T: Send>(
    threads: usize,
    all: &mut dyn Iterator<Item = Outcome<J>>,
    work: &(dyn Fn(J) -> T + Sync),
    take: &mut dyn FnMut(T) -> Outcome<()>,
) -> Outcome<()> {
    if threads <= 1 {
        for job in all {
            take(work(job?))?;
        }
        return Ok(());
    }
    // Jobs after the first error are skipped.
    let mut failed = None;
    let mut coming = all.map_while(|job| job.map_err(|error| failed = Some(error)).ok()).fuse();
    let work = |jobs: Vec<J>, worker: &Worker<'_, T>| {
        for job in jobs {
            if !worker.send(SIZE, work(job)) {
                break;
            }
        }
    };
    let parts = iter::from_fn(|| {
        let next: Vec<J> = coming.by_ref().take(AT_ONCE).collect();
        Some(next).filter(|next| !next.is_empty())
    });
    in_order(threads, parts, work, take)?;
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::map_in_order;
    use crate::error::Stop;

    /// Returns the results up to the end or the first error, along with the error.
    fn taken(threads: usize, all: &[Result<u64, &str>], worst: u64) -> (Vec<u64>, Option<String>) {
        let mut taken = Vec::new();
        let mut all = all.iter().map(|job| (*job).map_err(Stop::new));
        let done = map_in_order(threads, &mut all, &|job: u64| job * 10, &mut |result| {
            if result > worst {
                return Err(Stop::new(format!("{result} is too much")));
            }
            taken.push(result);
            Ok(())
        });
        let message = done.err().map(|stop| match stop {
            Stop::Error(message) => message,
            stop => format!("{stop:?}"),
        });
        (taken, message)
    }

    #[test]
    fn results_are_taken_in_the_order_of_the_work_with_any_number_of_threads() {
        let all: Vec<_> = (0..200).map(Ok).collect();
        let broken: Vec<_> = (0..100).map(Ok).chain([Err("unreadable"), Ok(7)]).collect();
        for threads in [1, 2, 8] {
            let expected: Vec<u64> = (0..200).map(|number| number * 10).collect();
            assert_eq!(taken(threads, &all, 10_000), (expected, None), "{threads}");

            let (results, error) = taken(threads, &broken, 10_000);
            assert_eq!((results.len(), error.as_deref()), (100, Some("unreadable")), "{threads}");

            let (results, error) = taken(threads, &broken, 500);
            assert_eq!((results.len(), error.as_deref()), (51, Some("510 is too much")), "{threads}");
        }
    }

    #[test]
    fn no_work_needs_no_threads() {
        assert_eq!(taken(8, &[], 0), (Vec::new(), None));
    }
}
