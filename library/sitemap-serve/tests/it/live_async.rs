//! Tests refreshes in async code, each on a single-threaded and a multi-threaded runtime.

use std::future::{Future, pending, poll_fn};
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use sitemap_core::Site;
use sitemap_serve::{BoxError, LiveSitemap, Refresher};
use tokio::runtime::{Builder, Handle, Runtime};

/// An interval that is longer than any test, so only a signal can start the next refresh.
const HOUR: Duration = Duration::from_secs(3600);

fn runtimes() -> [Runtime; 2] {
    let several = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    [Builder::new_current_thread().enable_all().build().unwrap(), several.unwrap()]
}

fn live() -> LiveSitemap {
    LiveSitemap::new(Site::new("https://example.com").unwrap())
}

fn status(live: &LiveSitemap) -> u16 {
    live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]).status().as_u16()
}

/// Rows that arrive one at a time. The task is suspended once before each row.
struct Rows {
    left: u32,
    has_waited: bool,
}

impl Stream for Rows {
    type Item = Result<String, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.has_waited = !self.has_waited;
        if self.has_waited {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.left = self.left.wrapping_sub(1);
        Poll::Ready((self.left != u32::MAX).then(|| Ok(format!("/posts/{}", self.left))))
    }
}

fn rows(count: u32) -> Rows {
    Rows { left: count, has_waited: false }
}

/// Waits until a condition is true, and lets other tasks run meanwhile.
async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_refresh_awaits_its_rows_in_a_spawned_task() {
    for runtime in runtimes() {
        let live = live();
        let refreshed = live.clone();
        let task = runtime.spawn(async move {
            refreshed
                .refresh_async(async |run| {
                    run.section("posts")?.add_stream(rows(1000)).await?;
                    Ok(())
                })
                .await
        });
        let summary = runtime.block_on(task).unwrap().unwrap();
        assert_eq!((summary.urls(), status(&live)), (1000, 200));
        let status = live.status();
        assert_eq!((status.has_set, status.successes, status.urls, status.files), (true, 1, Some(1000), 1));

        let failed = runtime.block_on(live.refresh_async(async |run| {
            run.section("posts")?.add_stream(rows(2000)).await?;
            Err("the second table is locked".into())
        }));
        assert_eq!(failed.unwrap_err().to_string(), "cannot read the records: the second table is locked");
        assert_eq!(live.status().last_error.unwrap(), "cannot read the records: the second table is locked");
        assert_eq!((live.status().failures_in_a_row, live.status().urls), (1, Some(1000)));
    }
}

#[test]
fn refreshes_of_one_thread_wait_for_each_other_without_blocking_it() {
    let runtime = Builder::new_current_thread().build().unwrap();
    let live = live();
    let (sender, order) = mpsc::channel();
    let refresh = |name: &'static str| {
        let (live, sender) = (live.clone(), sender.clone());
        runtime.spawn(async move {
            let summary = live
                .refresh_async(async |run| {
                    sender.send(format!("{name} starts"))?;
                    run.section("posts")?.add_stream(rows(20)).await?;
                    sender.send(format!("{name} ends"))?;
                    Ok(())
                })
                .await;
            summary.unwrap().urls()
        })
    };
    let (first, second) = (refresh("first"), refresh("second"));
    assert_eq!(runtime.block_on(async { (first.await.unwrap(), second.await.unwrap()) }), (20, 20));
    let order: Vec<_> = order.try_iter().collect();
    assert_eq!(order, ["first starts", "first ends", "second starts", "second ends"]);
}

#[test]
fn a_refresh_that_is_dropped_leaves_the_old_set_and_no_lock() {
    for runtime in runtimes() {
        let live = live();
        live.refresh(|run| Ok(run.section("posts")?.add("/")?)).unwrap();
        runtime.block_on(async {
            let mut refresh = Box::pin(live.refresh_async(async |run| {
                run.section("posts")?.add("/new")?;
                pending().await
            }));
            // The run starts on another thread, so `fill` may not run during the first poll.
            for _ in 0..3 {
                poll_fn(|context| {
                    assert!(refresh.as_mut().poll(context).is_pending());
                    Poll::Ready(())
                })
                .await;
            }
            drop(refresh);
            assert_eq!((live.status().urls, live.status().failures), (Some(1), 0));
            let after = live.refresh_async(async |run| Ok(run.section("posts")?.add_all(["/", "/a"])?));
            assert_eq!(after.await.unwrap().urls(), 2);
        });
    }
}

/// Starts refreshes that add a page, send a signal, and then wait forever.
fn endless(live: &LiveSitemap, runtime: &Runtime) -> (Refresher, mpsc::Receiver<&'static str>) {
    let (sender, events) = mpsc::channel();
    let (refresher, schedule) = live.every_async(HOUR, async move |run| {
        run.section("posts")?.add("/")?;
        sender.send("started")?;
        pending().await
    });
    runtime.spawn(schedule);
    (refresher, events)
}

#[test]
fn a_schedule_is_woken_and_stopped_from_the_state_of_an_application() {
    for runtime in runtimes() {
        let live = live();
        let mut refreshes_so_far = 0;
        let (refresher, schedule) = live.every_async(HOUR, async move |run| {
            refreshes_so_far += 1;
            run.section("posts")?.add_stream(rows(refreshes_so_far)).await?;
            Ok(())
        });
        let task = runtime.spawn(schedule);
        runtime.block_on(async {
            until(|| live.status().urls == Some(1)).await;
            let in_state = refresher.clone();
            let handler = tokio::spawn(async move { in_state.wake() });
            handler.await.unwrap();
            until(|| live.status().urls == Some(2)).await;
            let in_state = refresher.clone();
            tokio::spawn(async move { in_state.stop().await }).await.unwrap();
            // The future has completed, so stopping again returns at once.
            task.await.unwrap();
            refresher.stop().await;
        });
        assert_eq!((live.status().successes, live.status().failures), (2, 0));
    }
}

#[test]
fn a_stop_gives_up_a_refresh_that_waits() {
    for runtime in runtimes() {
        let live = live();
        let (refresher, events) = endless(&live, &runtime);
        runtime.block_on(async {
            until(|| events.try_recv().is_ok()).await;
            refresher.stop().await;
        });
        // `fill` is dropped, together with its sender.
        assert_eq!(events.recv(), Err(mpsc::RecvError));
        assert_eq!((live.status().failures, status(&live)), (0, 503));
    }
}

#[test]
fn a_handle_or_runtime_that_is_dropped_during_a_refresh_ends_it_without_a_panic() {
    for is_runtime_first in [true, false] {
        for runtime in runtimes() {
            let live = live();
            let (refresher, events) = endless(&live, &runtime);
            runtime.block_on(until(|| events.try_recv().is_ok()));
            if is_runtime_first {
                drop(runtime);
                // No refresh is running, so this returns.
                refresher.stop().wait();
            } else {
                drop(refresher);
                runtime.block_on(until(|| events.try_recv() == Err(mpsc::TryRecvError::Disconnected)));
            }
            assert_eq!(events.recv(), Err(mpsc::RecvError));
            assert_eq!((live.status().failures, live.status().last_error), (0, None));
        }
    }
}

/// The thread of `every` outlives the runtime that `block_on` needs.
#[test]
fn a_handle_and_a_runtime_that_are_dropped_during_a_refresh_on_a_thread_are_no_failure() {
    for runtime in runtimes() {
        let live = live();
        let handle = runtime.handle().clone();
        let (sender, started) = mpsc::channel();
        let refresher = live
            .every(HOUR, move |_| {
                sender.send(())?;
                // Once its runtime is gone, a timer panics or fails.
                handle.block_on(async { tokio::time::sleep(HOUR).await });
                Err("the runtime is gone".into())
            })
            .unwrap();
        started.recv().unwrap();
        let stopping = refresher.stop();
        drop(refresher);
        drop(runtime);
        stopping.wait();
        assert_eq!(live.status().failures, 0, "{:?}", live.status().last_error);
    }
}

#[test]
fn a_stop_does_not_block_the_runtime_that_a_refresh_on_a_thread_needs() {
    for runtime in runtimes() {
        let live = live();
        let (handle, (go, gate)) = (runtime.handle().clone(), tokio::sync::oneshot::channel::<()>());
        let (sender, started) = mpsc::channel();
        let mut gate = Some(gate);
        let refresher = live
            .every(HOUR, move |run| {
                sender.send(())?;
                let waited: Result<(), BoxError> = handle.block_on(async {
                    // A task on the runtime opens the gate. If the runtime were blocked, the gate would stay closed.
                    gate.take().ok_or("a second refresh")?.await?;
                    run.section("posts")?.add("/")?;
                    Ok(())
                });
                waited
            })
            .unwrap();
        started.recv().unwrap();
        runtime.block_on(async {
            let stopping = refresher.stop();
            Handle::current().spawn(async move { go.send(()) });
            stopping.await;
        });
        assert_eq!((live.status().urls, live.status().last_error), (Some(1), None));
    }
}

#[test]
fn an_error_and_a_panic_are_noted_and_tried_again() {
    for runtime in runtimes() {
        let live = live();
        let mut count = 0;
        let (refresher, schedule) = live.every_async(HOUR, async move |run| {
            count += 1;
            match count {
                1 => Err("no database".into()),
                2 => panic!("on purpose"),
                _ => Ok(run.section("posts")?.add_stream(rows(1)).await?),
            }
        });
        runtime.spawn(schedule);
        runtime.block_on(async {
            until(|| live.status().failures == 1).await;
            assert_eq!(live.status().last_error.unwrap(), "cannot read the records: no database");
            refresher.wake();
            until(|| live.status().failures == 2).await;
            assert_eq!(live.status().last_error.unwrap(), "panic while the records were read: on purpose");
            assert_eq!((live.status().failures_in_a_row, live.status().is_current(HOUR)), (2, false));
            refresher.wake();
            until(|| live.status().successes == 1).await;
            refresher.stop().await;
        });
        let status = live.status();
        assert_eq!((status.failures, status.failures_in_a_row, status.last_error.as_ref()), (2, 0, None));
        assert!(status.last_failure <= status.last_success && status.is_current(HOUR));
    }
}
