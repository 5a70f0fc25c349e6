//! Checks that a literal `lastmod` has one of the six W3C datetime forms and is a real date.

/// Returns the error message for an invalid `lastmod`, without its subject. The caller puts the attribute and its value
/// in front.
pub(crate) fn problem(text: &str) -> Option<&'static str> {
    check(text).err()
}

const FORM: &str = "is not a W3C datetime; write one like `2026-01-31` or `2026-01-31T16:05:30Z`";

fn check(text: &str) -> Result<(), &'static str> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut numbers = date.split('-');
    let year = digits(numbers.next().unwrap_or_default(), 4)?;
    let month = numbers.next().map(|text| digits(text, 2)).transpose()?;
    let day = numbers.next().map(|text| digits(text, 2)).transpose()?;
    if numbers.next().is_some() || (time.is_some() && day.is_none()) {
        return Err(FORM);
    }
    if year == 0 {
        return Err("has the year 0000; write a year from 0001 to 9999");
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month.unwrap_or(1) {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return Err("has a month that does not exist; write a month from 01 to 12"),
    };
    if !(1..=days).contains(&day.unwrap_or(1)) {
        return Err("has a day that its month does not have; write a day that exists");
    }
    time.map_or(Ok(()), check_time)
}

fn check_time(text: &str) -> Result<(), &'static str> {
    let (time, zone) = text.split_at(text.find(['Z', '+', '-']).unwrap_or(text.len()));
    let mut numbers = time.split(':');
    let hour = digits(numbers.next().unwrap_or_default(), 2)?;
    let minute = digits(numbers.next().unwrap_or_default(), 2)?;
    let second = match numbers.next().map(|second| second.split_once('.').unwrap_or((second, "0"))) {
        None => 0,
        Some((second, fraction)) => {
            digits(fraction, fraction.len().max(1))?;
            digits(second, 2)?
        }
    };
    if numbers.next().is_some() {
        return Err(FORM);
    }
    if hour > 23 || minute > 59 || second > 59 {
        return Err(
            "has a time out of range; write a time from 00:00:00 to 23:59:59, as 24:00 and leap seconds are not allowed",
        );
    }
    check_zone(zone)
}

fn check_zone(zone: &str) -> Result<(), &'static str> {
    match zone {
        "" => return Err("has a time without an offset; add `Z` or an offset like `+01:00`"),
        "Z" => return Ok(()),
        _ => {}
    }
    let Some((hours, minutes)) =
        zone.get(1..).filter(|_| !zone.starts_with('Z')).and_then(|zone| zone.split_once(':'))
    else {
        return Err(FORM);
    };
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    if minutes > 59 || hours * 60 + minutes > 14 * 60 {
        return Err("has an offset out of range; write an offset from -14:00 to +14:00");
    }
    Ok(())
}

/// Parses a time zone, such as `UTC`, `Z` or `+02:00`, into minutes east of UTC.
pub(crate) fn minutes_of_zone(text: &str) -> Result<i16, &'static str> {
    const FORM: &str = "is not a zone without summer time; write \"UTC\" or an offset like \"+02:00\", or convert the \
                        field with `with = path`";

    if matches!(text, "UTC" | "Z") {
        return Ok(0);
    }
    check_zone(text).map_err(|problem| if problem.contains("range") { problem } else { FORM })?;
    let part =
        |at: usize| text.get(at..at + 2).and_then(|digits| digits.parse::<i16>().ok()).unwrap_or_default();
    let minutes = part(1) * 60 + part(4);
    Ok(if text.starts_with('-') { -minutes } else { minutes })
}

/// Parses exactly `count` digits. A number of more than nine digits may wrap around. Only the fraction of a second can
/// be that long, and the caller ignores its value.
fn digits(text: &str, count: usize) -> Result<u32, &'static str> {
    if text.len() != count || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FORM);
    }
    Ok(text.bytes().fold(0, |value: u32, digit| value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_forms() {
        for text in [
            "2026",
            "2026-01",
            "2026-01-31",
            "2026-01-31T16:05Z",
            "2026-01-31T16:05:30+01:00",
            "2026-01-31T16:05:30.25-14:00",
            "2024-02-29",
            "2000-02-29",
            "0001",
            "9999-12-31T23:59:59.999999999999Z",
            "2026-01-31T00:00-00:00",
        ] {
            assert_eq!(problem(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_none_of_them() {
        for text in [
            "",
            "26",
            "02026",
            "2026-1",
            "2026-01-",
            "2026-01-31-01",
            "2026-01-31T",
            "2026-01T10:00Z",
            "2026-01-31t10:00Z",
            "2026-01-31 10:00Z",
            "2026-01-31T10Z",
            "2026-01-31T10:00z",
            "2026-01-31T10:00:00.Z",
            "2026-01-31T10:00.5Z",
            "2026-01-31T10:00+0100",
            "2026-01-31T10:00+01",
            "2026-01-31T10:00ZZ",
            "2026-01-31T10:00:00:00Z",
            "+2026",
            "２０２６",
            "31.01.2026",
            "2026-01-31T10:00Z01:00",
        ] {
            assert_eq!(problem(text), Some(FORM), "{text}");
        }
    }

    #[test]
    fn zones() {
        for (text, minutes) in
            [("UTC", 0), ("Z", 0), ("+00:00", 0), ("+02:00", 120), ("-09:30", -570), ("+14:00", 840)]
        {
            assert_eq!(minutes_of_zone(text), Ok(minutes), "{text}");
        }
        assert!(minutes_of_zone("+14:01").is_err_and(|problem| problem.contains("range")));
        for text in
            ["", "utc", "GMT", "02:00", "+2:00", "+0200", "+02", "+02:00:00", "Europe/Berlin", "Zürich"]
        {
            assert!(minutes_of_zone(text).is_err_and(|problem| problem.contains("summer")), "{text}");
        }
    }

    #[test]
    fn moments_that_do_not_exist() {
        for (text, words) in [
            ("0000", "year"),
            ("2026-13", "month"),
            ("2026-00-01", "month"),
            ("2026-02-29", "day"),
            ("1900-02-29", "day"),
            ("2026-04-31", "day"),
            ("2026-01-00", "day"),
            ("2026-01-31T24:00Z", "time"),
            ("2026-01-31T10:60Z", "time"),
            ("2026-01-31T10:00:60Z", "time"),
            ("2026-01-31T10:00", "without an offset"),
            ("2026-01-31T10:00+14:01", "offset"),
            ("2026-01-31T10:00+01:60", "offset"),
        ] {
            assert!(problem(text).is_some_and(|problem| problem.contains(words)), "{text}");
        }
    }
}
