//! The handle for scheduled refreshes, and the signals it sends them.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use event_listener::{Event, EventListener, Listener as _};
use futures_timer::Delay;

use super::lock::lock;

/// A handle to the scheduled refreshes of a [`LiveSitemap`]; made by [`LiveSitemap::every`] and
/// [`LiveSitemap::every_async`].
///
/// Clones control the same refreshes, so you can keep one in your application's state, for example. Dropping the last
/// clone stops the refreshes without waiting for them.
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
/// let refresher = live.every(Duration::from_secs(3600), move |run| {
///     run.section("pages")?.add("/")?;
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
/// refresher.stop().wait();
/// assert!(refreshes.recv().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`LiveSitemap`]: crate::LiveSitemap
/// [`LiveSitemap::every`]: crate::LiveSitemap::every
/// [`LiveSitemap::every_async`]: crate::LiveSitemap::every_async
#[derive(Clone, Debug)]
#[must_use = "dropping the last handle stops the refreshes"]
pub struct Refresher {
    alive: Arc<StopOnDrop>,
}

#[derive(Debug)]
struct StopOnDrop(Arc<Signals>);

impl Refresher {
    pub(super) fn new(signals: Arc<Signals>) -> Self {
        Self { alive: Arc::new(StopOnDrop(signals)) }
    }

    /// Starts the next refresh now, or as soon as the running one ends. Returns without waiting.
    ///
    /// Several calls before the next refresh starts cause only one refresh. If several instances share the same
    /// [storage](crate::LiveSitemap::on), call this on only one of them: all of them serve the result.
    pub fn wake(&self) {
        self.alive.0.send(|state| state.is_due = true);
    }

    /// Stops the refreshes. Returns a future that completes once no refresh is running; `stop` itself does not wait.
    ///
    /// A running refresh of [`LiveSitemap::every`](crate::LiveSitemap::every) completes first. A refresh of
    /// [`LiveSitemap::every_async`](crate::LiveSitemap::every_async) is abandoned at its next await point, and the old
    /// set stays. But if the set is in storage and the refresh has already added all records, it completes and the new
    /// set is published. If the instance is currently asking the [storage](crate::LiveSitemap::on) whether it should
    /// refresh, the future waits for the answer: up to three minutes if a bucket does not respond.
    pub fn stop(&self) -> Stopping {
        self.alive.0.send(|state| state.is_stopped = true);
        Stopping { signals: Arc::clone(&self.alive.0), listener: None }
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.send(|state| state.is_stopped = true);
    }
}

/// A future that completes once the refreshes stopped by [`Refresher::stop`] have ended. Await it in async code;
/// elsewhere, call [`wait`](Self::wait).
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let fill = |run: &mut sitemap_core::Replacement| Ok(run.section("pages")?.add("/")?);
/// let refresher = live.every(Duration::from_secs(600), fill)?;
/// refresher.stop().wait();
/// assert_eq!(live.status().successes, 1, "the first refresh has completed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a refresh may still be running; await this value or call `wait`"]
pub struct Stopping {
    signals: Arc<Signals>,
    listener: Option<EventListener>,
}

impl Stopping {
    /// Blocks until no refresh is running. Not available on WebAssembly.
    ///
    /// In async code, await the value instead. Otherwise, a refresh that needs the blocked thread can never end, and
    /// the call never returns.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(self) {
        loop {
            let changed = self.signals.changed.listen();
            if lock(&self.signals.state).is_over {
                return;
            }
            changed.wait();
        }
    }
}

impl Future for Stopping {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut listener = self.listener.take().unwrap_or_else(|| self.signals.changed.listen());
            if lock(&self.signals.state).is_over {
                return Poll::Ready(());
            }
            if Pin::new(&mut listener).poll(context).is_pending() {
                self.listener = Some(listener);
                return Poll::Pending;
            }
        }
    }
}

impl fmt::Debug for Stopping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stopping").field("signals", &self.signals).finish_non_exhaustive()
    }
}

/// The signals between the handles and the refreshes.
#[derive(Debug, Default)]
pub(super) struct Signals {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    is_due: bool,
    is_stopped: bool,
    is_over: bool,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    TimePassed,
    Woken,
    Stopped,
}

/// Signals when dropped that no refresh is running any more: either the refreshes were stopped, or their thread or task
/// is gone.
#[derive(Debug)]
pub(super) struct Running(Arc<Signals>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.send(|state| state.is_over = true);
    }
}

impl Running {
    pub(super) fn new(signals: Arc<Signals>) -> Self {
        Self(signals)
    }

    /// Returns `true` if a handle has stopped the refreshes.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn is_stopped(&self) -> bool {
        lock(&self.0.state).is_stopped
    }

    /// Blocks until the time has passed, or until a handle wakes or stops the refreshes.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn wait(&self, time: Duration) -> Waited {
        // `end` is `None` if the time is beyond the clock's range. Then only a handle ends the wait.
        let end = Instant::now().checked_add(time);
        loop {
            let changed = self.0.changed.listen();
            if let Some(asked) = self.0.take() {
                return asked;
            }
            match end {
                None => changed.wait(),
                Some(end) if Instant::now() >= end => return Waited::TimePassed,
                Some(end) => drop(changed.wait_deadline(end)),
            }
        }
    }

    /// Like [`wait`](Self::wait), but does not block.
    pub(super) async fn wait_async(&self, time: Duration) -> Waited {
        /// The maximum time to set the timer to. Timers fail beyond the clock's range.
        const LONGEST: Duration = Duration::from_secs(24 * 3600);

        let end = Instant::now().checked_add(time);
        loop {
            let changed = self.0.changed.listen();
            if let Some(asked) = self.0.take() {
                return asked;
            }
            let left = end.map_or(LONGEST, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Waited::TimePassed;
            }
            either(changed, Delay::new(left.min(LONGEST))).await;
        }
    }

    /// Runs a refresh until it ends or a handle stops the refreshes. If it is stopped, abandons the refresh and returns
    /// `None`.
    pub(super) async fn until_stopped<T>(&self, refresh: impl Future<Output = T>) -> Option<T> {
        let mut refresh = pin!(refresh);
        loop {
            let mut changed = self.0.changed.listen();
            if lock(&self.0.state).is_stopped {
                return None;
            }
            let step = poll_fn(|context| {
                if let Poll::Ready(done) = refresh.as_mut().poll(context) {
                    return Poll::Ready(Some(done));
                }
                Pin::new(&mut changed).poll(context).map(|()| None)
            });
            if let Some(done) = step.await {
                return Some(done);
            }
        }
    }
}

impl Signals {
    fn send(&self, change: impl FnOnce(&mut State)) {
        change(&mut lock(&self.state));
        self.changed.notify(usize::MAX);
    }

    /// Returns the pending request of a handle, if there is one. A wake request is returned only once.
    fn take(&self) -> Option<Waited> {
        let mut state = lock(&self.state);
        let is_woken = std::mem::take(&mut state.is_due);
        if state.is_stopped {
            return Some(Waited::Stopped);
        }
        is_woken.then_some(Waited::Woken)
    }
}

/// Waits until the first of two futures is ready.
async fn either(first: impl Future, second: impl Future) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|context| {
        let is_ready = first.as_mut().poll(context).is_ready() || second.as_mut().poll(context).is_ready();
        if is_ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
