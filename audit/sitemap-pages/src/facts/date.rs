//! Dates in the formats that pages and headers use.

use sitemap_core::LastMod;

/// Parses a date in the format of ISO 8601, RFC 822, RFC 850 or C's `asctime`. If the time has no zone, only the day is
/// used.
pub(super) fn parse_date(text: &str) -> Option<LastMod> {
    let text = text.trim();
    if text.len() > 64 || !text.is_ascii() {
        return None;
    }
    iso(text).or_else(|| words(text))
}

/// `2026-11-22`, `2026-11-22T10:00:00Z`, `2026-11-22 10:00:00 +0100`, `20261122`
fn iso(text: &str) -> Option<LastMod> {
    if let Ok(date) = LastMod::parse(text) {
        return Some(date);
    }
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return day(text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?);
    }
    let date = text.get(..10)?;
    let mut parts = date.split('-');
    let (year, month, number) = (parts.next()?, parts.next()?, parts.next()?);
    if year.len() != 4 || month.len() != 2 || parts.next().is_some() {
        return None;
    }
    let day = day(year.parse().ok()?, month.parse().ok()?, number.parse().ok()?)?;
    let rest = text[10..].strip_prefix(['T', 't', ' '])?.trim();
    let is_sign = |at: usize| matches!(rest.as_bytes()[at], b'+' | b'-' | b'Z' | b'z' | b' ');
    let zone = (0..rest.len()).find(|&at| is_sign(at)).unwrap_or(rest.len());
    let seconds = clock(rest[..zone].split('.').next()?)?;
    match offset(rest[zone..].trim()) {
        None if rest[zone..].trim().is_empty() => Some(day),
        None => None,
        Some(offset) => LastMod::from_timestamp(day.timestamp() + seconds - offset).ok(),
    }
}

/// `Sun, 22 Nov 2026 10:00:00 GMT`, `Sunday, 22-Nov-26 10:00:00 GMT`, `Sun Nov 22 10:00:00 2026`, `22 Nov 2026`
fn words(text: &str) -> Option<LastMod> {
    let (mut date, mut month, mut year, mut seconds, mut zone) = (None, None, None, None, None);
    let mut has_weekday = false;
    for word in text.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
        let mut parts = word.split('-');
        if let (Some(day), Some(name), Some(number), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
            && date.is_none()
        {
            date = Some(small(day)?);
            month = Some(month_of(name)?);
            year = Some(year_of(number)?);
        } else if word.contains(':') {
            seconds = Some(clock(word)?);
        } else if month.is_none() && month_of(word).is_some() {
            month = month_of(word);
        } else if date.is_none() && word.len() <= 2 && word.as_bytes()[0].is_ascii_digit() {
            date = Some(small(word)?);
        } else if year.is_none() && word.as_bytes()[0].is_ascii_digit() {
            year = Some(year_of(word)?);
        } else if zone.is_none() && seconds.is_some() {
            zone = Some(offset(word)?);
        } else if date.is_none() && !has_weekday && is_weekday(word) {
            has_weekday = true;
        } else {
            return None;
        }
    }
    let day = day(year?, month?, date?)?;
    match (seconds, zone) {
        (Some(seconds), Some(zone)) => LastMod::from_timestamp(day.timestamp() + seconds - zone).ok(),
        // `asctime` writes UTC times without a zone, but other programs write local times in the same format.
        _ => Some(day),
    }
}

fn day(year: i32, month: u8, day: u8) -> Option<LastMod> {
    LastMod::date(year, month, day).ok()
}

/// Converts `10:00` or `10:00:00` to seconds.
fn clock(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let mut next = |limit: i64| {
        let part = parts.next()?;
        let number = i64::from(small(part)?);
        (part.len() == 2 && number <= limit).then_some(number)
    };
    let (hours, minutes) = (next(23)?, next(59)?);
    let seconds = if text.len() > 5 { next(60)? } else { 0 };
    parts.next().is_none().then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Returns a zone's offset east of UTC, in seconds.
fn offset(zone: &str) -> Option<i64> {
    let hours = match &*zone.to_ascii_uppercase() {
        "Z" | "UTC" | "GMT" | "UT" => 0,
        "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => {
            let sign = match zone.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let digits = zone[1..].replace(':', "");
            if !matches!(digits.len(), 2 | 4) {
                return None;
            }
            let hours = i64::from(small(&digits[..2])?);
            let minutes = if digits.len() == 4 { i64::from(small(&digits[2..])?) } else { 0 };
            return (hours <= 14 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60));
        }
    };
    Some(hours * 3600)
}

fn small(text: &str) -> Option<u8> {
    (text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Parses a year. Two-digit years are read as in RFC 2822.
fn year_of(text: &str) -> Option<i32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: i32 = text.parse().ok().filter(|_| is_number)?;
    match text.len() {
        4 => Some(number),
        2 if number < 50 => Some(2000 + number),
        2 => Some(1900 + number),
        _ => None,
    }
}

fn month_of(text: &str) -> Option<u8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let text = text.to_ascii_lowercase();
    let found = MONTHS.iter().position(|month| text == *month || text == month[..3]);
    found.and_then(|at| u8::try_from(at + 1).ok())
}

fn is_weekday(text: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let text = text.to_ascii_lowercase();
    DAYS.iter().any(|day| text == *day || text == day[..3])
}

#[cfg(test)]
mod tests {
    use super::parse_date;

    #[test]
    fn forms() {
        for (text, expected) in [
            ("2026-11-22", "2026-11-22"),
            ("2026-11", "2026-11"),
            ("20261122", "2026-11-22"),
            ("2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z"),
            ("2026-11-22T10:00:00+01:00", "2026-11-22T10:00:00+01:00"),
            ("2026-11-22T10:00:00+0100", "2026-11-22T09:00:00Z"),
            ("2026-11-22T10:00:00.123", "2026-11-22"),
            ("2026-11-22 10:00:00", "2026-11-22"),
            ("2026-11-22 10:00 UTC", "2026-11-22T10:00:00Z"),
            ("2026-11-22 10:00:00 -0830", "2026-11-22T18:30:00Z"),
            ("Sun, 22 Nov 2026 10:00:00 GMT", "2026-11-22T10:00:00Z"),
            ("22 Nov 2026 10:00:00 EST", "2026-11-22T15:00:00Z"),
            ("22 Nov 26 10:00 +0200", "2026-11-22T08:00:00Z"),
            ("Sunday, 22-Nov-26 10:00:00 GMT", "2026-11-22T10:00:00Z"),
            ("Sunday, 22-Nov-94 10:00:00 GMT", "1994-11-22T10:00:00Z"),
            ("Sun Nov  2 10:00:00 2026", "2026-11-02"),
            ("22 Nov 2026", "2026-11-22"),
            ("November 22, 2026", "2026-11-22"),
        ] {
            assert_eq!(parse_date(text).map(|date| date.to_string()).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "soon",
            "2026-02-30",
            "30 Feb 2026",
            "22 Nov",
            "22 Nov 2026 25:00:00 GMT",
            "22 Nov 2026 10:00:00 XYZ",
            "22.11.2026",
            "2026-11-22T",
            "2026-11-22Tx",
            "2026-11-22T10:00:00é",
            "1 2 3 4 5",
            "-",
            "--",
            "22--26",
            "20261322",
            "+2026-11-22",
            "2026-1-122",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }
}
