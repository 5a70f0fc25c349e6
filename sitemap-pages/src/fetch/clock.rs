//! The clock of a run.

use std::time::Duration;

use tokio::time::Instant;

/// The time since the start of a run.
#[derive(Debug)]
pub(super) enum Clock {
    Real(Instant),
    /// Passes only by sleeping, and then at once.
    Jumping(Duration),
}

impl Clock {
    pub(super) fn new(jumps: bool) -> Self {
        if jumps { Self::Jumping(Duration::ZERO) } else { Self::Real(Instant::now()) }
    }

    pub(super) fn now(&self) -> Duration {
        match self {
            Self::Real(start) => start.elapsed(),
            Self::Jumping(now) => *now,
        }
    }

    pub(super) async fn sleep_until(&mut self, time: Duration) {
        match self {
            // A time beyond what the clock can tell comes in some 30 years, as in tokio.
            Self::Real(start) => {
                let until = start
                    .checked_add(time)
                    .unwrap_or_else(|| *start + Duration::from_secs(86_400 * 365 * 30));
                tokio::time::sleep_until(until).await;
            }
            Self::Jumping(now) => *now = time.max(*now),
        }
    }

    /// Returns `true` if a sleep may begin while requests are under way.
    pub(super) fn may_sleep(&self, is_idle: bool) -> bool {
        is_idle || matches!(self, Self::Real(_))
    }
}
