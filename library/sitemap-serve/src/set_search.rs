//! Decides when an instance without a set searches for one.

use std::time::Duration;

/// The minimum time between the starts of two searches.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct SetSearch {
    /// The start of the last search, as the time since the live set was created.
    last_start: Option<Duration>,
    is_looking: bool,
    /// The error message of the last search, if it failed.
    pub(super) error: Option<String>,
}

impl SetSearch {
    /// Returns `true` if a search may start now, and records its start.
    pub(super) fn begin(&mut self, now: Duration) -> bool {
        let is_recent = self.last_start.is_some_and(|start| now.saturating_sub(start) < PAUSE);
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
        let at = Duration::from_millis;
        let mut search = SetSearch::default();
        assert!(search.begin(at(0)));
        assert!(!search.begin(at(5_000)), "the storage has not answered yet");
        search.end();
        assert!(search.begin(at(5_000)));
        search.end();
        assert!(!search.begin(at(5_999)));
        assert!(search.begin(at(6_000)));
    }
}
