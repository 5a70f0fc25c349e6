//! Refreshing again and again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::error::{BoxError, RefreshError};
use super::live::LiveSitemap;
use sitemap_core::Publisher;

impl LiveSitemap {
    /// Refreshes the set now and then again and again, on a thread of its own, until the handle is dropped.
    ///
    /// The interval counts from the end of one refresh to the beginning of the next. After a failure, a
    /// panic included, the next try comes after a second, then after two, four and so on, but not later
    /// than the interval says. Failures are reported through `tracing` (feature `tracing`) and in
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
    /// // … when records have changed:
    /// refresher.wake();
    /// // … when the server ends:
    /// refresher.stop();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the thread cannot be begun.
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

/// Refreshes a [`LiveSitemap`] as long as it lives; made by [`LiveSitemap::every`].
///
/// Dropping it does not wait: a refresh that is at work is finished, and no other begun.
#[derive(Debug)]
#[must_use = "when it is dropped, the set is not refreshed any more"]
pub struct Refresher {
    signals: Arc<Signals>,
    thread: Option<JoinHandle<()>>,
}

impl Refresher {
    /// Has the next refresh begin now, or when the one at work ends; does not wait for it. Several calls
    /// before it begins count as one.
    pub fn wake(&self) {
        self.signals.send(|state| state.is_due = true);
    }

    /// Ends the refreshing and waits for the refresh that is at work.
    pub fn stop(mut self) {
        self.signals.send(|state| state.is_over = true);
        if let Some(thread) = self.thread.take() {
            // It catches all panics.
            let _ = thread.join();
        }
    }
}

impl Drop for Refresher {
    fn drop(&mut self) {
        self.signals.send(|state| state.is_over = true);
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
    is_over: bool,
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
            // What it fills from must bear to be used again after a panic, as after an error.
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

    /// Waits until the time is over or somebody wakes; returns whether all is over.
    fn wait(&self, time: Duration) -> bool {
        // A time that no clock shows never comes.
        let end = Instant::now().checked_add(time);
        let mut state = self.state();
        loop {
            if state.is_over || std::mem::take(&mut state.is_due) {
                return state.is_over;
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
        change(&mut self.state());
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long to wait after so many failures in a row.
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
