use super::*;

fn kind(text: &str) -> LastModErrorKind {
    LastMod::parse(text).expect_err(text).kind()
}

#[test]
fn the_six_forms_are_kept_as_they_are() {
    for (text, precision) in [
        ("2005", Precision::Year),
        ("2005-06", Precision::Month),
        ("2005-06-04", Precision::Day),
        ("2005-06-03T04:20-08:00", Precision::Minute),
        ("2005-06-03T04:20Z", Precision::Minute),
        ("2005-06-03T04:20:36+08:00", Precision::Second),
        ("2005-06-03T04:20:36Z", Precision::Second),
        ("2005-06-03T04:20:36-00:00", Precision::Second),
        ("2005-06-03T04:20:36+00:00", Precision::Second),
        ("2005-06-03T04:20:36.5Z", Precision::Fraction),
        ("2005-06-03T04:20:36.123+08:00", Precision::Fraction),
        ("2005-06-03T04:20:36.100Z", Precision::Fraction),
        ("2005-06-03T04:20:36.123456789-14:00", Precision::Fraction),
        ("0001-01-01T00:00:00+14:00", Precision::Second),
        ("9999-12-31", Precision::Day),
        ("2024-02-29", Precision::Day),
        ("2000-02-29", Precision::Day),
    ] {
        let lastmod = LastMod::parse(text).unwrap();
        assert_eq!((lastmod.to_string().as_str(), lastmod.precision()), (text, precision));
    }
}

#[test]
fn digits_past_the_ninth_are_dropped() {
    let lastmod: LastMod = "2005-06-03T04:20:36.1234567899Z".parse().unwrap();
    assert_eq!(lastmod.to_string(), "2005-06-03T04:20:36.123456789Z");
}

#[test]
fn texts_that_are_not_a_w3c_datetime_are_refused() {
    for (text, expected) in [
        ("", LastModErrorKind::Form),
        ("yesterday", LastModErrorKind::Form),
        ("20050604", LastModErrorKind::Form),
        ("2005-6-4", LastModErrorKind::Form),
        ("05-06-04", LastModErrorKind::Form),
        (" 2005-06-04", LastModErrorKind::Form),
        ("2005-06-04 ", LastModErrorKind::Form),
        ("2005-06-04Z", LastModErrorKind::Form),
        ("2005-06-04+08:00", LastModErrorKind::Form),
        ("2005-06-03 04:20:36Z", LastModErrorKind::Form),
        ("2005-06-03t04:20:36z", LastModErrorKind::Form),
        ("2005-06-03T04Z", LastModErrorKind::Form),
        ("2005-06-03T04:20:36+0800", LastModErrorKind::Form),
        ("2005-06-03T04:20:36+08", LastModErrorKind::Form),
        ("2005-06-03T04:20:36.Z", LastModErrorKind::Form),
        ("2005-06-03T04:20.5Z", LastModErrorKind::Form),
        ("-0001-01-01", LastModErrorKind::Form),
        ("10000-01-01", LastModErrorKind::Form),
        ("2005-06-03T04:20:36", LastModErrorKind::NoOffset),
        ("2005-06-03T04:20", LastModErrorKind::NoOffset),
        ("2005-06-03T04:20:36.5", LastModErrorKind::NoOffset),
        ("0000", LastModErrorKind::Year),
        ("0000-01-01", LastModErrorKind::Year),
        ("2005-00", LastModErrorKind::Month),
        ("2005-13-01", LastModErrorKind::Month),
        ("2024-02-30", LastModErrorKind::Day),
        ("2023-02-29", LastModErrorKind::Day),
        ("1900-02-29", LastModErrorKind::Day),
        ("2024-04-31", LastModErrorKind::Day),
        ("2024-01-00", LastModErrorKind::Day),
        ("2024-02-30T00:00Z", LastModErrorKind::Day),
        ("2005-06-03T24:00:00Z", LastModErrorKind::Time),
        ("2005-06-03T24:00Z", LastModErrorKind::Time),
        ("2005-06-03T23:60:00Z", LastModErrorKind::Time),
        ("2005-06-03T23:59:60Z", LastModErrorKind::Time),
        ("2005-06-03T04:20:36+14:01", LastModErrorKind::Offset),
        ("2005-06-03T04:20:36-15:00", LastModErrorKind::Offset),
        ("2005-06-03T04:20:36+08:60", LastModErrorKind::Offset),
    ] {
        assert_eq!(kind(text), expected, "{text:?}");
    }
}

#[test]
fn errors_name_the_value() {
    assert_eq!(
        LastMod::parse("2005-06-03T04:20").unwrap_err().to_string(),
        "`lastmod` has a time without an offset, found \"2005-06-03T04:20\"; add `Z` or an offset like `+01:00`"
    );
    assert_eq!(
        LastMod::date(10_000, 1, 1).unwrap_err().to_string(),
        "`lastmod` must have a year from 0001 to 9999, found 10000-01-01"
    );
    assert_eq!(
        LastMod::from_timestamp(i64::MAX).unwrap_err().to_string(),
        "`lastmod` must have a year from 0001 to 9999, found 9223372036854775807 seconds since 1970"
    );
}

#[test]
fn parses_in_constants() {
    const LAUNCH: LastMod = match LastMod::parse("2026-01-31") {
        Ok(lastmod) => lastmod,
        Err(_) => panic!("not a date"),
    };
    assert_eq!(LAUNCH.to_string(), "2026-01-31");
}

#[test]
fn timestamps_to_dates_and_back() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (1_735_689_600, "2025-01-01T00:00:00Z"),
        (-62_135_596_800, "0001-01-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] {
        let lastmod = LastMod::from_timestamp(seconds).unwrap();
        assert_eq!((lastmod.to_string().as_str(), lastmod.timestamp()), (text, seconds));
    }
    for seconds in [-62_135_596_801, 253_402_300_800, i64::MIN, i64::MAX] {
        assert_eq!(LastMod::from_timestamp(seconds).unwrap_err().kind(), LastModErrorKind::Year);
    }
}

#[test]
fn an_offset_moves_the_timestamp() {
    let timestamp = |text| LastMod::parse(text).unwrap().timestamp();
    assert_eq!(timestamp("1970-01-01T01:00:00+01:00"), 0);
    assert_eq!(timestamp("1969-12-31T16:00:00-08:00"), 0);
    assert_eq!(timestamp("1970-01-01T00:00:00-00:00"), 0);
    assert_eq!(timestamp("1970"), 0);
    assert_eq!(timestamp("1970-02"), 31 * 86_400);
}

#[test]
fn later_is_later_in_any_zone() {
    let parse = |text| LastMod::parse(text).unwrap();
    assert!(parse("2024-01-02").is_after(&parse("2024-01-01")));
    assert!(!parse("2024-01-01").is_after(&parse("2024-01-01")));
    assert!(parse("2024-01-01T00:00:00-01:00").is_after(&parse("2024-01-01T00:30:00Z")));
    assert!(!parse("2024-01-01T00:00:00+01:00").is_after(&parse("2023-12-31T23:30:00Z")));
}

#[test]
fn system_time() {
    use std::time::{Duration, SystemTime};
    let at = |time| LastMod::try_from(time).unwrap().to_string();
    assert_eq!(at(SystemTime::UNIX_EPOCH + Duration::from_millis(1_500)), "1970-01-01T00:00:01Z");
    assert_eq!(at(SystemTime::UNIX_EPOCH - Duration::from_millis(500)), "1969-12-31T23:59:59Z");
    assert_eq!(at(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), "1969-12-31T23:59:59Z");
}

#[cfg(feature = "chrono")]
#[test]
fn chrono() {
    use ::chrono::{DateTime, FixedOffset, NaiveDate, TimeZone as _, Utc};

    use crate::value::ToLastMod as _;

    let text = |value: DateTime<FixedOffset>| LastMod::try_from(value).unwrap().to_string();
    let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap();
    let east =
        |seconds| FixedOffset::east_opt(seconds).unwrap().with_ymd_and_hms(2024, 1, 1, 0, 30, 0).unwrap();

    assert_eq!(
        Utc.timestamp_opt(1_735_689_600, 999_000_000).unwrap().to_last_mod().unwrap().unwrap().to_string(),
        "2025-01-01T00:00:00Z"
    );
    assert_eq!(text(at("2024-03-09T16:05:30.25+01:00")), "2024-03-09T16:05:30+01:00");
    assert_eq!(text(at("2024-03-09T16:05:30-00:30")), "2024-03-09T16:05:30-00:30");
    assert_eq!(text(at("2024-03-09T16:05:30+00:00")), "2024-03-09T16:05:30Z");
    // A leap second becomes the second before it.
    assert_eq!(text(at("2016-12-31T23:59:60Z")), "2016-12-31T23:59:59Z");
    // A time is converted to UTC if its offset exceeds 14 hours or includes seconds.
    assert_eq!(text(east(3_601)), "2023-12-31T23:29:59Z");
    assert_eq!(text(east(15 * 3_600)), "2023-12-31T09:30:00Z");

    let date = |year| NaiveDate::from_ymd_opt(year, 2, 28).unwrap().to_last_mod();
    assert_eq!(date(2024).unwrap().unwrap().to_string(), "2024-02-28");
    for year in [0, -1, 10_000] {
        assert_eq!(date(year).unwrap_err().kind(), LastModErrorKind::Year);
    }
    assert_eq!(None::<DateTime<Utc>>.to_last_mod(), Ok(None));
}

#[cfg(feature = "jiff")]
#[test]
fn jiff() {
    use ::jiff::tz::{Offset, TimeZone};
    use ::jiff::{Timestamp, civil};

    let timestamp: Timestamp = "2025-01-01T00:00:00.9Z".parse().unwrap();
    assert_eq!(LastMod::try_from(timestamp).unwrap().to_string(), "2025-01-01T00:00:00Z");
    let before: Timestamp = "1969-12-31T23:59:59.5Z".parse().unwrap();
    assert_eq!(LastMod::try_from(before).unwrap().to_string(), "1969-12-31T23:59:59Z");

    let zoned = |offset| LastMod::try_from(timestamp.to_zoned(TimeZone::fixed(offset))).unwrap().to_string();
    assert_eq!(zoned(Offset::UTC), "2025-01-01T00:00:00Z");
    assert_eq!(zoned(Offset::constant(2)), "2025-01-01T02:00:00+02:00");
    assert_eq!(zoned(Offset::from_seconds(-5_400).unwrap()), "2024-12-31T22:30:00-01:30");
    assert_eq!(zoned(Offset::from_seconds(61).unwrap()), "2025-01-01T00:00:00Z");

    assert_eq!(LastMod::try_from(civil::date(2024, 3, 9)).unwrap().to_string(), "2024-03-09");
    assert!(LastMod::try_from(civil::date(-1, 3, 9)).is_err());
}

#[cfg(feature = "time")]
#[test]
fn time() {
    use ::time::{Date, Month, OffsetDateTime, UtcDateTime, UtcOffset};

    let utc = OffsetDateTime::from_unix_timestamp(1_735_689_600).unwrap();
    let at = |offset| LastMod::try_from(utc.to_offset(offset)).unwrap().to_string();
    assert_eq!(at(UtcOffset::UTC), "2025-01-01T00:00:00Z");
    assert_eq!(at(UtcOffset::from_hms(5, 45, 0).unwrap()), "2025-01-01T05:45:00+05:45");
    assert_eq!(at(UtcOffset::from_hms(0, 0, 1).unwrap()), "2025-01-01T00:00:00Z");
    assert_eq!(LastMod::try_from(UtcDateTime::UNIX_EPOCH).unwrap().to_string(), "1970-01-01T00:00:00Z");
    let date = Date::from_calendar_date(2024, Month::March, 9).unwrap();
    assert_eq!(LastMod::try_from(date).unwrap().to_string(), "2024-03-09");
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic_and_what_it_takes_it_prints(text in "[0-9TZ:.+ -]{0,36}|.{0,40}") {
            if let Ok(lastmod) = LastMod::parse(&text) {
                let printed = lastmod.to_string();
                prop_assert!(text.starts_with(printed.trim_end_matches('Z')) || text.len() > 30);
                prop_assert_eq!(LastMod::parse(&printed), Ok(lastmod));
            }
        }

        #[test]
        fn every_second_converts_both_ways(seconds in -62_135_596_800_i64..253_402_300_800) {
            let lastmod = LastMod::from_timestamp(seconds).unwrap();
            prop_assert_eq!(lastmod.timestamp(), seconds);
            prop_assert_eq!(LastMod::parse(&lastmod.to_string()), Ok(lastmod));
        }
    }
}

#[test]
fn both_parsers_read_the_usual_forms_alike() {
    let mut usual = 0;
    for date in
        ["2024-02-29", "2023-02-29", "0000-01-01", "2024-13-01", "2024-04-31", "2024-1-01", "9999-12-31"]
    {
        for time in
            ["", "T00:00:00", "T23:59:59", "T24:00:00", "T12:60:00", "T12:00", "t12:00:00", "T12:00:00.5"]
        {
            for zone in ["", "Z", "+00:00", "-00:00", "+14:00", "+14:01", "-0100", "z"] {
                let text = format!("{date}{time}{zone}");
                if let Some(read) = LastMod::parse_usual(text.as_bytes()) {
                    assert_eq!(LastMod::parse(&text), Ok(read), "{text}");
                    usual += 1;
                }
            }
        }
    }
    // Two of the dates, two of the times and four of the zones are valid. Each valid date is in a usual form on its
    // own, and with each pair of a valid time and a valid zone.
    assert_eq!(usual, 2 * (1 + 2 * 4));
    for text in ["", "2024", "2024-03", "2024-03-09T", "2024-03-09Z", "\u{662}024-03-09"] {
        assert_eq!(LastMod::parse_usual(text.as_bytes()), None, "{text}");
    }
}
