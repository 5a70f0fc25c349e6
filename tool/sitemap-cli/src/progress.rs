//! Formats the progress of a run and the time left.

use std::time::Duration;

use crate::number::grouped;

/// The time to wait before showing the rate and the time left. An earlier estimate would be too rough.
const FIRST: Duration = Duration::from_secs(1);

/// Returns the number of completed items, the current rate, and the time left at this rate. `made` is the number of
/// items that were completed in the elapsed time. The other completed items come from an earlier run.
pub(crate) fn text(done: u64, total: u64, made: u64, elapsed: Duration) -> String {
    let total = total.max(done);
    let progress = format!("{} of {}", grouped(done), grouped(total));
    if made == 0 || done == total || elapsed < FIRST {
        return progress;
    }
    let per_second = as_f64(made) / elapsed.as_secs_f64();
    format!("{progress}, {}, {} left", rate(per_second), time(as_f64(total - done) / per_second))
}

/// Returns the rate in the largest unit for which it is at least 1.
fn rate(per_second: f64) -> String {
    let (number, unit) = match (per_second, per_second * 60.0) {
        (1.0.., _) => (per_second, "s"),
        (_, per_minute @ 1.0..) => (per_minute, "min"),
        (_, per_minute) => (per_minute * 60.0, "h"),
    };
    // Two significant digits are enough.
    if number < 9.95 { format!("{number:.1}/{unit}") } else { format!("{number:.0}/{unit}") }
}

/// Returns a duration in its two largest units, rounded up.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time in seconds is not negative"
)]
fn time(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn as_f64(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_time_so_far() {
        for (done, total, seconds, expected) in [
            (0, 500, 10, "0 of 500"),
            (1, 500, 0, "1 of 500"),
            (100, 500, 10, "100 of 500, 10/s, 40 s left"),
            (499, 500, 10, "499 of 500, 50/s, 1 s left"),
            (500, 500, 10, "500 of 500"),
            (1_000, 50_000, 10, "1,000 of 50,000, 100/s, 8 min 10 s left"),
            (13, 500, 4, "13 of 500, 3.2/s, 2 min 30 s left"),
            (1, 50_000, 2, "1 of 50,000, 30/min, 27 h 46 min left"),
            (1, 500, 90, "1 of 500, 40/h, 12 h 28 min left"),
            // More items are done than were known.
            (3, 2, 10, "3 of 3"),
        ] {
            assert_eq!(text(done, total, done, Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn what_an_earlier_run_has_done_takes_no_time() {
        for (made, expected) in [(0, "400 of 500"), (100, "400 of 500, 10/s, 10 s left")] {
            assert_eq!(text(400, 500, made, Duration::from_secs(10)), expected);
        }
    }
}
