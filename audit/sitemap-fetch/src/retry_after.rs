//! The header `Retry-After`.

use std::time::{Duration, SystemTime};

/// Returns how long a response asks the client to wait. For a date in the past, returns zero.
///
/// A date is compared with the `Date` header of the same response, because the client's clock may differ from the
/// server's.
///
/// Source: RFC 9110, section 10.2.3.
pub(crate) fn retry_after(
    value: &str,
    date: Option<&str>,
    now: impl FnOnce() -> SystemTime,
) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let from = date.and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or_else(now);
    Some(until.duration_since(from).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let sent = "Sat, 21 Nov 2026 10:00:00 GMT";
        let now = || httpdate::parse_http_date("Sat, 21 Nov 2026 09:59:00 GMT").unwrap();
        for (value, date, expected) in [
            ("120", None, Some(120)),
            (" 0 ", None, Some(0)),
            ("99999999999999999999999", None, Some(u64::MAX)),
            ("Sat, 21 Nov 2026 10:00:07 GMT", Some(sent), Some(7)),
            ("Sat, 21 Nov 2026 10:00:07 GMT", None, Some(67)),
            ("Sat, 21 Nov 2026 10:00:07 GMT", Some("yesterday"), Some(67)),
            ("Sat, 21 Nov 2026 09:00:00 GMT", Some(sent), Some(0)),
            ("soon", Some(sent), None),
            ("-5", None, None),
            ("1.5", None, None),
            ("", None, None),
        ] {
            assert_eq!(retry_after(value, date, now), expected.map(Duration::from_secs), "{value:?}");
        }
    }
}
