//! Times in the form stored in the state file: seconds since 1970 plus nanoseconds. Times before 1970 work too.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// Returns whole seconds since 1970, rounded down, and the remaining nanoseconds.
fn parts(time: SystemTime) -> (i64, u32) {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => (0_i64.saturating_add_unsigned(after.as_secs()), after.subsec_nanos()),
        Err(error) => {
            let before = error.duration();
            let seconds = 0_i64.saturating_sub_unsigned(before.as_secs());
            match before.subsec_nanos() {
                0 => (seconds, 0),
                nanos => (seconds.saturating_sub(1), 1_000_000_000 - nanos),
            }
        }
    }
}

fn time((seconds, nanos): (i64, u32)) -> Option<SystemTime> {
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let start = if seconds < 0 { UNIX_EPOCH.checked_sub(whole) } else { UNIX_EPOCH.checked_add(whole) };
    start?.checked_add(Duration::from_nanos(u64::from(nanos)))
}

pub(crate) fn serialize<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    parts(*time).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SystemTime, D::Error> {
    time(<(i64, u32)>::deserialize(deserializer)?)
        .ok_or_else(|| D::Error::custom("a time that does not exist"))
}

/// Times that may be absent.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Serialize, Serializer, SystemTime, parts, time};
    use serde::de::Error as _;

    #[expect(clippy::ref_option, reason = "serde passes it so")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<SystemTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(parts).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SystemTime>, D::Error> {
        let read = |parts| time(parts).ok_or_else(|| D::Error::custom("a time that does not exist"));
        Option::<(i64, u32)>::deserialize(deserializer)?.map(read).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_and_after_1970() {
        for (seconds, nanos) in [(0, 0), (1_700_000_000, 5), (-1, 0), (-1, 999_999_999), (-2, 1)] {
            assert_eq!(time((seconds, nanos)).map(parts), Some((seconds, nanos)));
        }
        assert_eq!(parts(UNIX_EPOCH - Duration::from_millis(1500)), (-2, 500_000_000));
        assert_eq!(time((-i64::MAX, 0)).map(parts), Some((-i64::MAX, 0)));
    }
}
