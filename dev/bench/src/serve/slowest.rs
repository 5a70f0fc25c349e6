//! The CPU time of the slowest request.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The maximum CPU time of a request so far.
#[derive(Clone, Debug, Default)]
pub struct Slowest(Arc<AtomicU64>);

impl Slowest {
    /// Returns the time in microseconds.
    #[must_use]
    pub fn micros(&self) -> u64 {
        self.0.load(Ordering::Relaxed) / 1_000
    }

    /// Measures the CPU time that threads spend on a request until the response is ready.
    pub fn measure<F: Future>(&self, request: F) -> impl Future<Output = F::Output> + use<F> {
        Measured { request: Box::pin(request), nanos: 0, slowest: self.clone() }
    }
}

struct Measured<F> {
    request: Pin<Box<F>>,
    nanos: u64,
    slowest: Slowest,
}

impl<F: Future> Future for Measured<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let start = thread_cpu();
        let done = self.request.as_mut().poll(context);
        let spent = thread_cpu().saturating_sub(start);
        self.nanos += u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX);
        if done.is_ready() {
            self.slowest.0.fetch_max(self.nanos, Ordering::Relaxed);
        }
        done
    }
}

fn thread_cpu() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}
