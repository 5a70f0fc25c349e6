//! The clock of a run.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// The time since the start of a run.
#[derive(Debug)]
pub(crate) enum Clock {
    Real {
        start: Instant,
        day: SystemTime,
    },
    /// A clock that doesn't run: it only jumps ahead, as soon as something sleeps.
    Jumping(Duration),
}

impl Clock {
    pub(crate) fn new(jumps: bool) -> Self {
        if jumps {
            Self::Jumping(Duration::ZERO)
        } else {
            Self::Real { start: Instant::now(), day: SystemTime::now() }
        }
    }

    pub(crate) fn now(&self) -> Duration {
        match self {
            Self::Real { start, .. } => start.elapsed(),
            Self::Jumping(now) => *now,
        }
    }

    /// Returns the time since the start of the run according to the system clock. Requests are scheduled with
    /// [`now`](Self::now) instead, which stands still while the machine is suspended and never goes backwards.
    pub(crate) fn passed(&self) -> Duration {
        match self {
            Self::Real { start, day } => day.elapsed().unwrap_or_default().max(start.elapsed()),
            Self::Jumping(now) => *now,
        }
    }

    pub(crate) async fn sleep_until(&mut self, time: Duration) {
        match self {
            // If the time is too large for the clock, sleep for about 30 years, as tokio does.
            Self::Real { start, .. } => {
                let until = start
                    .checked_add(time)
                    .unwrap_or_else(|| *start + Duration::from_secs(86_400 * 365 * 30));
                tokio::time::sleep_until(until).await;
            }
            Self::Jumping(now) => *now = time.max(*now),
        }
    }

    /// Returns `true` if it's fine to sleep now: always with the real clock, otherwise only if nothing is under way.
    pub(crate) fn may_sleep(&self, is_idle: bool) -> bool {
        is_idle || matches!(self, Self::Real { .. })
    }
}
