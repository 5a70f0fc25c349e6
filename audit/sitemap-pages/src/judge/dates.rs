//! Compares dates of different precision.

use std::time::{SystemTime, UNIX_EPOCH};

use sitemap_core::LastMod;
use sitemap_core::value::Precision;

const HOUR: i64 = 60 * 60;
pub(super) const DAY: i64 = 24 * HOUR;

/// The first and the last second that a date can refer to.
///
/// A date without a time has no time zone either. In the far east, the day starts 14 hours earlier than in UTC; in the
/// far west, it ends 12 hours later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) from: i64,
    pub(super) to: i64,
}

impl Range {
    pub(super) fn of(date: &LastMod) -> Self {
        let start = date.timestamp();
        let days = match date.precision() {
            Precision::Year => 366,
            Precision::Month => 31,
            Precision::Day => 1,
            Precision::Minute | Precision::Second | Precision::Fraction => {
                return Self { from: start, to: start + 59 };
            }
        };
        Self { from: start - 14 * HOUR, to: start + days * DAY + 12 * HOUR }
    }
}

/// Returns whether two dates are certainly on different days. Two times with zones must be at least a day apart.
pub(super) fn differ(one: &LastMod, other: &LastMod) -> bool {
    let is_day = |date: &LastMod| date.precision() == Precision::Day;
    let is_time = |date: &LastMod| date.precision() > Precision::Day;
    if (is_day(one) && is_day(other)) || (is_time(one) && is_time(other)) {
        return one.timestamp().abs_diff(other.timestamp()) >= DAY.unsigned_abs();
    }
    let (one, other) = (Range::of(one), Range::of(other));
    one.to < other.from || other.to < one.from
}

/// Returns the seconds since 1970, or 0 for an earlier time.
pub(super) fn seconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Returns the day of a time in UTC.
pub(super) fn day(time: SystemTime) -> String {
    let time = LastMod::from_timestamp(seconds(time)).map(|time| time.to_string()).unwrap_or_default();
    time.chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use sitemap_core::LastMod;

    use super::differ;

    #[test]
    fn days_compare_unless_both_have_a_zone() {
        for (one, other, expected) in [
            ("2026-11-21", "2026-11-22", true),
            ("2026-11-22", "2026-11-22", false),
            ("2026-11-22T23:59:00Z", "2026-11-23T23:58:00Z", false),
            ("2026-11-22T23:59:00Z", "2026-11-23T23:59:00Z", true),
            ("2026-11-22", "2026-11-22T01:00:00+14:00", false),
            ("2026-11-22", "2026-11-21T10:30:00Z", false),
            ("2026-11-22", "2026-11-21T09:59:00Z", true),
            ("2026-11-22", "2026-11-23T11:59:00Z", false),
            ("2026-11-22", "2026-11-23T12:01:00Z", true),
            ("2026-11", "2026-11-30", false),
            ("2026-11", "2026-12-05", true),
            ("2026", "2026-06-01", false),
            ("2025", "2026-06-01", true),
        ] {
            let (one_date, other_date) = (LastMod::parse(one).unwrap(), LastMod::parse(other).unwrap());
            assert_eq!(differ(&one_date, &other_date), expected, "{one} {other}");
            assert_eq!(differ(&other_date, &one_date), expected, "{other} {one}");
        }
    }
}
