//! The handle of scheduled refreshes, and the signals that it sends to them.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use event_listener::{Event, EventListener, Listener as _};
use futures_timer::Delay;

use super::lock::lock;

/// A handle of the refreshes of a [`LiveSitemap`]; made by [`LiveSitemap::every`] and [`LiveSitemap::every_async`].
///
/// Clones are handles of the same refreshes, for example one in the state of an application. Dropping the last of them
/// stops the refreshes without waiting.
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

    /// Starts the next refresh now, or as soon as the running refresh ends. Returns without waiting.
    ///
    /// Several calls before the next refresh starts cause only one refresh. Instances that share a
    /// [storage](crate::LiveSitemap::on) all serve the result, so a change needs a call on one of them only.
    pub fn wake(&self) {
        self.alive.0.send(|state| state.is_due = true);
    }

    /// Stops the refreshes. Returns a future that completes when no refresh is running; `stop` itself does not wait.
    ///
    /// A refresh that runs on the thread of [`LiveSitemap::every`](crate::LiveSitemap::every) completes first. One of
    /// [`LiveSitemap::every_async`](crate::LiveSitemap::every_async) is given up where it next awaits, and the old set
    /// stays. But if it has added all records to a set on a storage, it completes first, and the new set is published. If the
    /// instance is just asking a [storage](crate::LiveSitemap::on) whether a refresh is its turn, the future waits for the
    /// answer: for a bucket that does not answer, up to three minutes.
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

/// A future that completes when the refreshes that [`Refresher::stop`] has stopped are over. Async code awaits it, other
/// code calls [`wait`](Self::wait).
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_core::Site;
/// use sitemap_serve::LiveSitemap;
///
/// let live = LiveSitemap::new(Site::new("https://example.com")?);
/// let fill = |publisher: &mut sitemap_core::Publisher| Ok(publisher.section("pages")?.add("/")?);
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
    /// Blocks the thread until no refresh runs any more. Does not exist on WebAssembly.
    ///
    /// Async code must await the value instead. If a refresh needs the thread that waits for it, neither continues.
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

/// What handles and refreshes tell each other.
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

/// The reason for the end of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    TimePassed,
    Woken,
    Stopped,
}

/// Tells at its end that no refresh runs any more, whether the refreshes have been stopped, or their thread or task is
/// gone.
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

    /// Blocks until the time has passed, or a handle wakes or stops the refreshes.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn wait(&self, time: Duration) -> Waited {
        // `end` is `None` if the time is too long for the clock. Then only a handle ends the wait.
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

    /// Does the same as [`wait`](Self::wait) without blocking.
    pub(super) async fn wait_async(&self, time: Duration) -> Waited {
        /// The longest time that the timer is asked for, because it fails beyond the range of the clock.
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

    /// Runs a refresh until it ends or a handle stops the refreshes. In the second case, gives the refresh up and
    /// returns `None`.
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

    /// Returns what a handle has asked for, if any has. A request to wake is answered once.
    fn take(&self) -> Option<Waited> {
        let mut state = lock(&self.state);
        let is_woken = std::mem::take(&mut state.is_due);
        if state.is_stopped {
            return Some(Waited::Stopped);
        }
        is_woken.then_some(Waited::Woken)
    }
}

/// Waits for the first of two futures.
async fn either(first: impl Future, second: impl Future) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|context| {
        let is_ready = first.as_mut().poll(context).is_ready() || second.as_mut().poll(context).is_ready();
        if is_ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
