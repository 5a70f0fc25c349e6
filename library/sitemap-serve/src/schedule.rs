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
use sitemap_core::Replacement;

impl LiveSitemap {
    /// Starts a thread that refreshes the set once immediately, and then at this interval, until the last handle is
    /// dropped.
    ///
    /// The interval is the time from the end of one refresh to the start of the next. If `fill` fails or panics, the
    /// thread tries again after one second, and doubles the wait after each further failure, up to the interval.
    ///
    /// If several instances share the same [storage](Self::on), an instance skips a refresh if another one has begun or
    /// completed one within the interval. So `n` instances do not run `n` queries, and if an instance is gone, the
    /// others still refresh the set. If an instance is killed during a refresh, the others wait for an interval, or for
    /// at most a minute while there is no set. [`Refresher::wake`] always refreshes.
    ///
    /// Failures appear in the [status](LiveSitemap::status). With the feature `tracing`, they are also events. Without
    /// it, or if no subscriber receives the events, failures are written to the standard error stream.
    ///
    /// If `fill` reads from an async client, use [`every_async`](Self::every_async). If it calls `block_on` instead,
    /// wait for [`stop`](Refresher::stop) before the runtime shuts down. Otherwise `block_on` may panic, and the
    /// standard library prints the panic message. After `stop`, such a refresh is abandoned and does not count as a
    /// failure. Before `stop`, it does.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sitemap_core::Site;
    /// use sitemap_serve::LiveSitemap;
    ///
    /// let live = LiveSitemap::new(Site::new("https://example.com")?);
    /// let refresher = live.every(Duration::from_secs(600), |run| {
    ///     run.section("pages")?.add("/")?;
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
        mut fill: impl FnMut(&mut Replacement) -> Result<(), BoxError> + Send + 'static,
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
                        // After a panic, `fill` is called again, just as after an error.
                        let result = catch_unwind(AssertUnwindSafe(|| live.refresh(&mut fill)));
                        // `block_on` panics if its runtime is gone. After a stop, this is a normal way for a refresh to
                        // end.
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
                    // Drop `fill` before the handles learn that no refresh is running.
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

    /// Like [`every`](Self::every), but without a thread. Returns a handle, and a future that runs the refreshes; spawn
    /// it on your runtime.
    ///
    /// `fill` may await queries and add their rows as a stream. After [`Refresher::stop`], or when the last handle is
    /// dropped, the running refresh is abandoned at its next await point, and another instance may take over at once.
    ///
    /// The refresh is also abandoned if the runtime shuts down or the future is dropped. A thread then tells the other
    /// instances on the same [storage](Self::on). If the process ends before that, the others wait as if this instance
    /// had been killed: for an interval, or for at most a minute while there is no set. So await [`Refresher::stop`]
    /// before the runtime ends.
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
    /// let (refresher, schedule) = live.every_async(Duration::from_secs(600), async |run| {
    ///     let slugs = slugs().await?;
    ///     run.section("posts")?.add_all(slugs.iter().map(|slug| format!("/posts/{slug}")))?;
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
        F: AsyncFnMut(&mut Replacement) -> Result<(), BoxError>,
    {
        let signals = Arc::new(Signals::default());
        let (live, running) = (self.clone(), Arc::new(Running::new(Arc::clone(&signals))));
        let schedule = async move {
            // Dropping the last of these signals that no refresh is running, unless a thread is still committing an
            // abandoned refresh.
            let (running, live, mut fill) = (running, live, fill);
            let mut pace = Pace::new(interval);
            loop {
                let lease = if pace.is_woken {
                    Lease::Ours(live.lease_guard(Claim::default(), &running))
                } else {
                    // After a stop, this still waits for the storage's answer, because a lease must be released once it
                    // is obtained.
                    live.take_lease_async(interval, &running).await
                };
                let step = match lease {
                    Lease::NotOurs { again_in, last_success } => {
                        live.step_without_turn(again_in, last_success)
                    }
                    Lease::Ours(lease) => {
                        let refresh = catch_panic(live.refresh_while(&mut fill, Some(Arc::clone(&lease))));
                        // After a stop, the lease is released when the refresh has ended.
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

    /// Leaves the refresh to another instance, and returns the resulting step.
    fn step_without_turn(&self, again_in: Duration, last_success: Option<SystemTime>) -> Step {
        if self.leave(last_success) { Step::Left(again_in) } else { Step::NoSetYet }
    }

    /// Converts the result of a refresh to a step, and reports a failure.
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
    /// The refresh failed, or another instance overtook it.
    NotRefreshed,
    /// Another instance refreshes the set. Contains the time to wait before asking again.
    Left(Duration),
    /// Another instance is publishing the first set.
    NoSetYet,
}

/// Decides when a schedule refreshes.
#[derive(Debug)]
struct Pace {
    interval: Duration,
    /// The number of failed refreshes since the last success.
    tries: u32,
    /// True from a wake-up until the next success. Such a refresh is never left to another instance, which may have
    /// read the records before the change that caused the wake-up.
    is_woken: bool,
}

impl Pace {
    fn new(interval: Duration) -> Self {
        Self { interval, tries: 0, is_woken: false }
    }

    /// Returns how long to wait before the next step.
    fn pause_after(&mut self, step: Step) -> Duration {
        match step {
            Step::Refreshed => (self.tries, self.is_woken) = (0, false),
            Step::NotRefreshed => self.tries = self.tries.saturating_add(1),
            Step::Left(again_in) => {
                self.tries = 0;
                return again_in;
            }
            // Until this instance finds the set, requests get 503.
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

/// Polls a future, and returns its panic as an error.
async fn catch_panic<T>(future: impl Future<Output = T>) -> thread::Result<T> {
    let mut future = pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// Returns how long to wait before the next refresh, after this many failures in a row.
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
