//! Tests of asynchronous publishing: it doesn't block the runtime, and dropping its future leaves a whole set.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, ThreadId};

use futures_core::Stream;
use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::{SetOptions, ShrinkLimit};
use sitemap_core::{Dialect, Memory, Site, SitemapSet, Storage, Summary};
use sitemap_tests::Hooked;

/// Polls a future on this thread until it is ready.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// A stream of rows. Every thousandth poll returns `Pending`.
struct Rows {
    next: u64,
    end: u64,
    fails_at: u64,
}

impl Stream for Rows {
    type Item = Result<String, io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.next += 1;
        if self.next.is_multiple_of(1_000) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.next == self.fails_at {
            return Poll::Ready(Some(Err(io::Error::other("connection lost"))));
        }
        let path = format!("/items/{}/{}", self.next, self.next.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Poll::Ready((self.next < self.end).then_some(Ok(path)))
    }
}

fn rows(end: u64) -> Rows {
    Rows { next: 0, end, fails_at: 0 }
}

fn builder() -> SetOptions {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = 5_000;
    let builder = SitemapSet::builder(Site::new("https://example.com").unwrap());
    builder.gzip().lower_limits(limits).max_shrink(ShrinkLimit::OFF)
}

async fn publish(storage: impl Storage + 'static, threads: usize) -> Result<Summary, PublishError> {
    let mut run = builder().threads(threads).storage(storage).replace_async().await?;
    run.section("items")?.add_stream(rows(30_000)).await?;
    run.section("others")?.add_stream(rows(5_000)).await?;
    run.commit_async().await
}

/// Creates a storage together with the list of threads that use it.
fn watched(memory: &Memory) -> (impl Storage + 'static, Arc<Mutex<Vec<ThreadId>>>) {
    let threads = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&threads);
    let storage = Hooked::new(memory.clone(), move |_| {
        recorded.lock().unwrap().push(thread::current().id());
        Ok(())
    });
    (storage, threads)
}

#[test]
fn the_storage_is_never_touched_by_the_thread_that_polls() {
    let (storage, threads) = watched(&Memory::new());
    let summary = block_on(publish(storage, 1)).unwrap();
    assert_eq!(summary.urls(), 29_970 - 1 + 4_996 - 1 + 1);
    let threads = threads.lock().unwrap();
    assert!(threads.len() > 20, "{}", threads.len());
    assert!(!threads.contains(&thread::current().id()));
}

#[test]
fn a_stream_gives_the_bytes_that_an_iterator_gives() {
    let (streamed, iterated) = (Memory::new(), Memory::new());
    block_on(publish(streamed.clone(), 2)).unwrap();
    let mut run = builder().storage(iterated.clone()).replace().unwrap();
    let all = |end: u64| {
        let mut rows = rows(end);
        std::iter::from_fn(move || {
            loop {
                match Pin::new(&mut rows).poll_next(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(row) => return row,
                    Poll::Pending => {}
                }
            }
        })
    };
    run.section("items").unwrap().try_add_all(all(30_000)).unwrap();
    run.section("others").unwrap().try_add_all(all(5_000)).unwrap();
    run.commit().unwrap();
    let names = iterated.list().unwrap();
    assert_eq!(names, streamed.list().unwrap());
    for name in names.iter().filter(|name| name.starts_with("sitemap-")) {
        assert!(iterated.get(name) == streamed.get(name), "{name}");
    }
}

#[test]
fn a_stream_that_fails_ends_the_run_and_leaves_the_old_set() {
    let memory = Memory::new();
    block_on(publish(memory.clone(), 1)).unwrap();
    let old = memory.get("sitemap.xml");
    let result = block_on(async {
        let mut run = builder().storage(memory.clone()).replace_async().await?;
        let added = run.section("items")?.add_stream(Rows { fails_at: 20_001, ..rows(30_000) }).await;
        // The stream fails at poll number 20,001. Of the 20,000 polls before it, 20 returned `Pending` and 19,980
        // returned a record.
        assert_eq!(
            added.unwrap_err().to_string(),
            "cannot read record 19981 of section `items`: connection lost"
        );
        run.commit_async().await
    });
    assert!(matches!(result.unwrap_err().kind(), PublishErrorKind::Aborted { .. }));
    assert_eq!(memory.get("sitemap.xml"), old);
    assert!(memory.list().unwrap().iter().all(|name| !name.contains(".tmp")));
}

/// Drops the future of a run after a number of polls that grows each time. After each drop, the published set must be
/// the old or the new one, and the next run must succeed.
#[test]
fn a_future_that_is_dropped_leaves_a_whole_set() {
    let memory = Memory::new();
    block_on(publish(memory.clone(), 1)).unwrap();
    let mut old = memory.get("sitemap.xml").unwrap();
    let mut polls = 0;
    loop {
        let mut future = Box::pin(async {
            let mut run = builder().storage(memory.clone()).replace_async().await?;
            run.section("items")?.add_stream(rows(9_000)).await?;
            run.commit_async().await
        });
        let mut context = Context::from_waker(Waker::noop());
        let ended = (0..=polls).find_map(|_| {
            thread::yield_now();
            match future.as_mut().poll(&mut context) {
                Poll::Ready(ended) => Some(ended),
                Poll::Pending => None,
            }
        });
        drop(future);
        let is_locked = |error: &PublishError| matches!(error.kind(), PublishErrorKind::Locked { .. });
        match ended {
            Some(Ok(_)) => break,
            // A thread of the dropped run may have acquired the lock late. Try again.
            Some(Err(error)) if is_locked(&error) => continue,
            Some(Err(error)) => panic!("{error}"),
            None => {}
        }
        polls = polls * 2 + 1;
        // Wait for the threads of the dropped run to end.
        while builder().storage(memory.clone()).replace().is_err_and(|error| is_locked(&error)) {
            thread::yield_now();
        }
        let published = memory.get("sitemap.xml").unwrap();
        assert!(published == old || sitemaps(&published) == 2, "after {polls} polls");
        if published != old {
            block_on(publish(memory.clone(), 1)).unwrap();
            // The old set is published again, now with new dates in its index.
            old = memory.get("sitemap.xml").unwrap();
        }
    }
    assert!(polls > 3);
    assert_eq!(sitemaps(&memory.get("sitemap.xml").unwrap()), 2);
}

fn sitemaps(index: &[u8]) -> usize {
    String::from_utf8_lossy(index).matches("<sitemap>").count()
}
