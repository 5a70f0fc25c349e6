//! Scheduled refreshes.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::{Duration, SystemTime};

use super::error::{BoxError, RefreshError};
use super::handle::{Refresher, Running, Signals, Waited};
use super::lease::{Claim, Lease};
use super::live::LiveSitemap;
use sitemap_core::Publisher;

impl LiveSitemap {
    /// Starts a thread that refreshes the set at once, and then at this interval until the last handle is dropped.
    ///
    /// The interval runs from the end of one refresh to the start of the next. After a failure or a panic in
    /// `fill`, the thread tries again after one second. Each further failure doubles this wait, up to the
    /// interval. On a [storage](Self::on) that several instances share, a refresh is left to another instance if that has
    /// begun or completed one within the interval. So `n` instances do not run `n` queries, and the set of a running
    /// instance is refreshed although another one is gone. If an instance is killed during a refresh, the others wait for
    /// an interval, or for at most a minute while there is no set. [`Refresher::wake`] always refreshes.
    ///
    /// Failures are in the [status](LiveSitemap::status). They are also reported as `tracing` events with the feature
    /// `tracing`. Without it, and if no subscriber takes them, they are lines on the standard error stream.
    ///
    /// If `fill` reads from an async client, use [`every_async`](Self::every_async). If it calls `block_on` instead, wait for
    /// [`stop`](Refresher::stop) before the runtime shuts down. Otherwise `block_on` may panic, and the standard library
    /// prints its message. After a stop, such a refresh is given up, and is not a failure; before it, it is one.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let live = LiveSitemap::new(Site::new("https://example.com")?);
    /// let refresher = live.every(Duration::from_secs(600), |publisher| {
    ///     publisher.section("pages")?.add("/")?;
    ///     Ok(())
    /// })?;
    /// # while live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]).status() == 503 {
    /// #     std::thread::yield_now();
    /// # }
    /// // When the server shuts down:
    /// refresher.stop().wait();
    /// assert_eq!(live.status().last_error, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RefreshError::Thread`] if the thread cannot be started.
    pub fn every(
        &self,
        interval: Duration,
        mut fill: impl FnMut(&mut Publisher) -> Result<(), BoxError> + Send + 'static,
    ) -> Result<Refresher, RefreshError> {
        let signals = Arc::new(Signals::default());
        let (live, running) = (self.clone(), Running::new(Arc::clone(&signals)));
        let schedule = move || {
            let mut pace = Pace::new(interval);
            loop {
                let lease =
                    if pace.is_woken { Lease::Ours(Claim::default()) } else { live.take_lease(interval) };
                let step = match lease {
                    Lease::NotOurs { again_in, last_success } => {
                        live.step_without_turn(again_in, last_success)
                    }
                    Lease::Ours(claim) => {
                        // `fill` is called again after a panic, as it is after an error.
                        let result = catch_unwind(AssertUnwindSafe(|| live.refresh(&mut fill)));
                        // `block_on` panics if its runtime is gone. After a stop, that is how the refresh ends.
                        let is_given_up = result.is_err() && running.is_stopped();
                        let step = if is_given_up { Step::NotRefreshed } else { live.step_after(result) };
                        if step != Step::Refreshed {
                            live.give_back(claim);
                        }
                        step
                    }
                };
                let pause = pace.pause_after(step);
                if !pace.goes_on(running.wait(pause)) {
                    // `fill` is dropped before a handle learns that the refreshes are over.
                    drop(fill);
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("sitemap-refresh".to_owned())
            .spawn(schedule)
            .map_err(RefreshError::Thread)?;
        Ok(Refresher::new(signals))
    }

    /// Does the same as [`every`](Self::every) without a thread: returns a handle, and the refreshes as a future, which
    /// is spawned on the application's runtime.
    ///
    /// `fill` may await queries, and add their rows as a stream. After [`Refresher::stop`], or when the last handle is
    /// dropped, the refresh that is running is given up where it next awaits, and another instance may take it over at
    /// once.
    ///
    /// A runtime that shuts down, and a future that is dropped, also give the refresh up. A thread then tells the other
    /// instances on the same [storage](Self::on). If the process ends before that, they wait as they do for an instance
    /// that is killed: for an interval, or for at most a minute while there is no set. So await [`Refresher::stop`] before
    /// the runtime ends.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// # async fn slugs() -> Result<Vec<&'static str>, std::io::Error> { Ok(vec!["tea", "cups"]) }
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let live = LiveSitemap::new(Site::new("https://example.com")?);
    /// let (refresher, schedule) = live.every_async(Duration::from_secs(600), async |publisher| {
    ///     let slugs = slugs().await?;
    ///     publisher.section("posts")?.add_all(slugs.iter().map(|slug| format!("/posts/{slug}")))?;
    ///     Ok(())
    /// });
    /// tokio::spawn(schedule);
    /// # while !live.status().has_set { tokio::task::yield_now().await }
    ///
    /// // When records have changed:
    /// refresher.wake();
    ///
    /// // When the server shuts down:
    /// refresher.stop().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn every_async<F>(
        &self,
        interval: Duration,
        fill: F,
    ) -> (Refresher, impl Future<Output = ()> + use<F>)
    where
        F: AsyncFnMut(&mut Publisher) -> Result<(), BoxError>,
    {
        let signals = Arc::new(Signals::default());
        let (live, running) = (self.clone(), Arc::new(Running::new(Arc::clone(&signals))));
        let schedule = async move {
            // The last of these that is dropped tells that the refreshes are over, unless a thread still completes the
            // commit of a refresh that was given up.
            let (running, live, mut fill) = (running, live, fill);
            let mut pace = Pace::new(interval);
            loop {
                let lease = if pace.is_woken {
                    Lease::Ours(live.lease_guard(Claim::default(), &running))
                } else {
                    // A stop waits for the lease, because a lease that is taken must be given back.
                    live.take_lease_async(interval, &running).await
                };
                let step = match lease {
                    Lease::NotOurs { again_in, last_success } => {
                        live.step_without_turn(again_in, last_success)
                    }
                    Lease::Ours(lease) => {
                        let refresh = catch_panic(live.refresh_while(&mut fill, Some(Arc::clone(&lease))));
                        // After a stop, the lease is given back as soon as the refresh is over.
                        let Some(result) = running.until_stopped(refresh).await else { break };
                        let step = live.step_after(result);
                        if step == Step::Refreshed {
                            lease.end();
                        } else {
                            lease.give_back().await;
                        }
                        step
                    }
                };
                let pause = pace.pause_after(step);
                if !pace.goes_on(running.wait_async(pause).await) {
                    break;
                }
            }
        };
        (Refresher::new(signals), schedule)
    }

    /// Returns the step that leaves the refresh to another instance.
    fn step_without_turn(&self, again_in: Duration, last_success: Option<SystemTime>) -> Step {
        if self.leave(last_success) { Step::Left(again_in) } else { Step::NoSetYet }
    }

    /// Returns the result of a refresh, and reports a failure.
    fn step_after<T>(&self, result: thread::Result<Result<T, RefreshError>>) -> Step {
        match result {
            Ok(Ok(_)) => return Step::Refreshed,
            Ok(Err(error)) if error.is_overtaken() => return Step::NotRefreshed,
            Ok(Err(_)) => {}
            Err(panic) => self.note_panic(message(&*panic)),
        }
        self.report_in_background();
        Step::NotRefreshed
    }
}

/// The result of one step of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Refreshed,
    /// The refresh has failed, or another instance has overtaken it.
    NotRefreshed,
    /// Another instance refreshes the set. The time is that after which to ask again.
    Left(Duration),
    /// Another instance is publishing the first set.
    NoSetYet,
}

/// The times of the refreshes of a schedule.
#[derive(Debug)]
struct Pace {
    interval: Duration,
    /// The number of refreshes since the last success.
    tries: u32,
    /// True from the call of a handle until the next success. The refresh of another instance may have read the records
    /// before the change for which the handle was called, so it is not left to that instance.
    is_woken: bool,
}

impl Pace {
    fn new(interval: Duration) -> Self {
        Self { interval, tries: 0, is_woken: false }
    }

    /// Returns the time until the next step.
    fn pause_after(&mut self, step: Step) -> Duration {
        match step {
            Step::Refreshed => (self.tries, self.is_woken) = (0, false),
            Step::NotRefreshed => self.tries = self.tries.saturating_add(1),
            Step::Left(again_in) => {
                self.tries = 0;
                return again_in;
            }
            // Requests get 503 until this instance has found the set.
            Step::NoSetYet => return Duration::from_secs(1).min(self.interval),
        }
        pause(self.interval, self.tries)
    }

    /// Returns `false` if the schedule must stop.
    fn goes_on(&mut self, waited: Waited) -> bool {
        self.is_woken |= waited == Waited::Woken;
        waited != Waited::Stopped
    }
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Returns a panic of a future as an error.
async fn catch_panic<T>(future: impl Future<Output = T>) -> thread::Result<T> {
    let mut future = pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// Returns the time until the next refresh, after this many failures in a row.
fn pause(interval: Duration, failures: u32) -> Duration {
    match failures {
        0 => interval,
        failures => interval.min(Duration::from_secs(1 << (failures - 1).min(20))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_tried_again_sooner_but_never_later_than_the_interval() {
        let minute = Duration::from_secs(60);
        let pauses: Vec<_> = (0..9).map(|failures| pause(minute, failures).as_secs()).collect();
        assert_eq!(pauses, [60, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pause(Duration::from_millis(10), 3), Duration::from_millis(10));
        assert_eq!(pause(Duration::MAX, u32::MAX).as_secs(), 1 << 20);
    }
    #[test]
    fn a_call_is_not_left_to_another_instance_until_a_refresh_succeeds() {
        let hour = Duration::from_secs(3600);
        let mut pace = Pace::new(hour);
        assert_eq!(pace.pause_after(Step::Left(Duration::from_secs(7))).as_secs(), 7);
        assert!(pace.goes_on(Waited::TimePassed) && !pace.is_woken);
        assert!(pace.goes_on(Waited::Woken) && pace.is_woken);
        assert_eq!(pace.pause_after(Step::NotRefreshed).as_secs(), 1);
        assert!(pace.goes_on(Waited::TimePassed) && pace.is_woken);
        assert_eq!(pace.pause_after(Step::NotRefreshed).as_secs(), 2);
        assert_eq!(pace.pause_after(Step::Refreshed), hour);
        assert!(!pace.is_woken && !pace.goes_on(Waited::Stopped));
        assert_eq!(pace.pause_after(Step::NotRefreshed).as_secs(), 1);
        assert_eq!(pace.pause_after(Step::NoSetYet).as_secs(), 1);
        assert_eq!(pace.pause_after(Step::Left(hour)), hour);
        assert_eq!(pace.pause_after(Step::NotRefreshed).as_secs(), 1);
    }
}
