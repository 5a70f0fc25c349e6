//! The times at which an instance without a set looks for one.

use std::time::{Duration, Instant};

/// The shortest time from one look to the next.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Looks {
    last_start: Option<Instant>,
    is_looking: bool,
}

impl Looks {
    /// Returns `true` if a look is due, and notes that it begins.
    pub(super) fn begin(&mut self, now: Instant) -> bool {
        let is_recent = self.last_start.is_some_and(|start| now.saturating_duration_since(start) < PAUSE);
        if self.is_looking || is_recent {
            return false;
        }
        (self.last_start, self.is_looking) = (Some(now), true);
        true
    }

    pub(super) fn end(&mut self) {
        self.is_looking = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_runs_at_a_time_and_begins_at_most_once_a_second() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut looks = Looks::default();
        assert!(looks.begin(at(0)));
        assert!(!looks.begin(at(5_000)), "the storage has not answered yet");
        looks.end();
        assert!(looks.begin(at(5_000)));
        looks.end();
        assert!(!looks.begin(at(5_999)));
        assert!(looks.begin(at(6_000)));
    }
}
