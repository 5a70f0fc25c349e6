//! Scheduled refreshes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::error::{BoxError, RefreshError};
use super::live::LiveSitemap;
use super::lock::lock;
use sitemap_core::Publisher;

impl LiveSitemap {
    /// Starts a thread that refreshes the set at once, and then at this interval until the handle is dropped.
    ///
    /// The interval runs from the end of one refresh to the start of the next. After a failure or a panic in
    /// `fill`, the thread tries again after one second. Each further failure doubles this wait, up to the
    /// interval. Failures are reported as `tracing` events (feature `tracing`) and by
    /// [`last_error`](LiveSitemap::last_error).
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
    /// refresher.stop();
    /// assert_eq!(live.last_error(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RefreshError::Thread`] if the thread cannot be started.
    pub fn every(
        &self,
        interval: Duration,
        fill: impl FnMut(&mut Publisher) -> Result<(), BoxError> + Send + 'static,
    ) -> Result<Refresher, RefreshError> {
        let signals = Arc::new(Signals::default());
        let (live, seen) = (self.clone(), Arc::clone(&signals));
        let thread = thread::Builder::new()
            .name("sitemap-refresh".to_owned())
            .spawn(move || seen.run(&live, interval, fill))
            .map_err(RefreshError::Thread)?;
        Ok(Refresher { signals, thread: Some(thread) })
    }
}

/// The handle of a thread that refreshes a [`LiveSitemap`]; made by [`LiveSitemap::every`].
///
/// Dropping the handle stops the refreshes without waiting: a refresh that is running still completes.
///
/// ```
/// use std::sync::mpsc;
/// use std::time::Duration;
///
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let (sender, refreshes) = mpsc::channel();
/// let refresher = live.every(Duration::from_secs(3600), move |publisher| {
///     publisher.section("pages")?.add("/")?;
///     sender.send("refreshed")?;
///     Ok(())
/// })?;
/// assert_eq!(refreshes.recv()?, "refreshed");
///
/// // When records have changed:
/// refresher.wake();
/// assert_eq!(refreshes.recv()?, "refreshed");
///
/// // When the server shuts down:
/// refresher.stop();
/// assert!(refreshes.recv().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "dropping the handle stops the refreshes"]
pub struct Refresher {
    signals: Arc<Signals>,
    thread: Option<JoinHandle<()>>,
}

impl Refresher {
    /// Starts the next refresh now, or as soon as the running refresh ends. Returns without waiting.
    ///
    /// Several calls before the next refresh starts cause only one refresh.
    pub fn wake(&self) {
        self.signals.send(|state| state.is_due = true);
    }

    /// Stops the refreshes, and waits until a running refresh ends.
    pub fn stop(mut self) {
        self.signals.send(|state| state.is_stopped = true);
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of `fill`, so joining it does not fail.
            let _ = thread.join();
        }
    }
}

impl Drop for Refresher {
    fn drop(&mut self) {
        self.signals.send(|state| state.is_stopped = true);
    }
}

#[derive(Debug, Default)]
struct Signals {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_due: bool,
    is_stopped: bool,
}

impl Signals {
    fn run(
        &self,
        live: &LiveSitemap,
        interval: Duration,
        mut fill: impl FnMut(&mut Publisher) -> Result<(), BoxError>,
    ) {
        let mut failures = 0;
        loop {
            // `fill` is called again after a panic, as it is after an error.
            match catch_unwind(AssertUnwindSafe(|| live.refresh(&mut fill))) {
                Ok(Ok(_)) => failures = 0,
                Ok(Err(_)) => failures += 1,
                Err(_) => {
                    live.note_panic();
                    failures += 1;
                }
            }
            if self.wait(pause(interval, failures)) {
                return;
            }
        }
    }

    /// Waits until the time has passed, or until the handle wakes or stops the thread. Returns `true` if the thread
    /// must stop.
    fn wait(&self, time: Duration) -> bool {
        // `end` is `None` if the time is too long for the clock. Then only the handle ends the wait.
        let end = Instant::now().checked_add(time);
        let mut state = lock(&self.state);
        loop {
            if state.is_stopped || std::mem::take(&mut state.is_due) {
                return state.is_stopped;
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            state = match left {
                Some(Duration::ZERO) => return false,
                Some(left) => self
                    .changed
                    .wait_timeout(state, left)
                    .map_or_else(|error| error.into_inner().0, |(state, _)| state),
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn send(&self, change: impl FnOnce(&mut State)) {
        change(&mut lock(&self.state));
        self.changed.notify_all();
    }
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
}
