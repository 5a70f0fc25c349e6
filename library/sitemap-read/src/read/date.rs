//! Parses dates: the six forms of a W3C datetime, and similar forms that it repairs.

use crate::rule::Rule;
use sitemap_core::LastMod;

/// Reads a date and repairs it if necessary. For a repaired date, also returns the rule that the original string
/// breaks.
pub(super) fn parse(text: &str) -> Option<(LastMod, Option<Rule>)> {
    if let Ok(lastmod) = LastMod::parse(text) {
        return Some((lastmod, None));
    }
    lenient(text)
        .or_else(|| mail(text).map(|lastmod| (lastmod, Rule::LastModMail)))
        .map(|(lastmod, rule)| (lastmod, Some(rule)))
}

/// Reads a date of a feed, in the RSS or Atom format.
pub(super) fn parse_feed(text: &str) -> Option<(LastMod, Option<Rule>)> {
    match mail(text) {
        Some(lastmod) => Some((lastmod, None)),
        None => parse(text),
    }
}

/// Repairs a date with one or more small defects. Also returns one of the rules that the date breaks.
fn lenient(text: &str) -> Option<(LastMod, Rule)> {
    // A longer string can't be a date: even with nine fractional digits, a date is shorter than 60 bytes.
    if !text.is_ascii() || text.len() > 60 {
        return None;
    }
    let (date, rest) = text.split_at_checked(10)?;
    let mut rule = None;
    let Some(rest) = rest.strip_prefix('T') else {
        return without_t(date, rest);
    };
    let mended = time(date, rest, &mut rule)?;
    Some((mended, rule?))
}

/// Reads a date that is followed by `t`, white space or a time zone instead of `T`.
fn without_t(date: &str, rest: &str) -> Option<(LastMod, Rule)> {
    let separated = rest.trim_start_matches([' ', '\t', '\n']);
    if zone(separated, &mut None).is_some() && !separated.is_empty() {
        return LastMod::parse(date).ok().map(|day| (day, Rule::LastModDateZone));
    }
    let (time_text, rule) = match rest.strip_prefix('t') {
        Some(rest) => (rest, Rule::LastModLowerCase),
        None if separated.len() < rest.len() => (separated, Rule::LastModBlank),
        None => return None,
    };
    let lastmod = time(date, time_text, &mut None)?;
    Some((lastmod, rule))
}

/// Reads the time `hh:mm[:ss[.s]]` after a date. The UTC offset may be missing or in any known form.
fn time(date: &str, text: &str, rule: &mut Option<Rule>) -> Option<LastMod> {
    let clock_len =
        text.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b',')).count();
    let (clock, rest) = text.split_at(clock_len);
    let clock = clock.replace(',', ".");
    let zone = zone(rest, rule)?;
    let is_24 = clock.starts_with("24:00") && clock.bytes().skip(5).all(|b| matches!(b, b'0' | b':' | b'.'));
    if is_24 {
        let midnight = format!("{date}T00{}{zone}", &clock[2..]);
        let midnight = LastMod::parse(&midnight).ok()?;
        rule.get_or_insert(Rule::LastMod24);
        return LastMod::from_timestamp(midnight.timestamp() + 86_400).ok();
    }
    LastMod::parse(&format!("{date}T{clock}{zone}")).ok()
}

/// Converts a UTC offset to the form of a W3C datetime: `Z` or `+hh:mm`. A missing offset becomes `Z`.
fn zone(text: &str, rule: &mut Option<Rule>) -> Option<String> {
    let bare = text.trim_start_matches(' ');
    let mut says = |found: Rule| _ = rule.get_or_insert(found);
    if bare.is_empty() {
        says(Rule::LastModNoZone);
        return Some("Z".to_owned());
    }
    if bare.len() < text.len() {
        says(Rule::LastModBlank);
    }
    match bare.as_bytes() {
        b"z" => {
            says(Rule::LastModLowerCase);
            Some("Z".to_owned())
        }
        b"UTC" | b"GMT" => {
            says(Rule::LastModOffset);
            Some("Z".to_owned())
        }
        b"Z" | [b'+' | b'-', _, _, b':', _, _] => Some(bare.to_owned()),
        [b'+' | b'-', hours @ ..] if hours.iter().all(u8::is_ascii_digit) && matches!(hours.len(), 2 | 4) => {
            says(Rule::LastModOffset);
            let minutes = if hours.len() == 4 { &bare[3..] } else { "00" };
            Some(format!("{}:{minutes}", &bare[..3]))
        }
        _ => None,
    }
}

/// Reads a date such as `Sat, 09 Mar 2024 16:05:30 +0100`, as defined in RFC 822 and its successors. The year may have
/// two digits.
fn mail(text: &str) -> Option<LastMod> {
    if !text.is_ascii() || text.len() > 60 {
        return None;
    }
    let after_weekday = text.split_once(',').map_or(text, |(_, rest)| rest);
    let mut words = after_weekday.split_ascii_whitespace();
    let day: u8 = words.next()?.parse().ok()?;
    let month = month(words.next()?)?;
    let year = year(words.next()?)?;
    let date = LastMod::date(year, month, day).ok()?;
    let Some(clock) = words.next() else {
        return Some(date);
    };
    let zone = words.next().map_or_else(|| Some("Z".to_owned()), mail_zone)?;
    // Some feeds write the hour with one digit, so add the missing zero.
    let clock = if clock.as_bytes().get(1) == Some(&b':') { format!("0{clock}") } else { clock.to_owned() };
    let lastmod = LastMod::parse(&format!("{date}T{clock}{zone}")).ok()?;
    words.next().is_none().then_some(lastmod)
}

fn month(word: &str) -> Option<u8> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = word.get(..3)?;
    (1..).zip(MONTHS).find(|(_, name)| name.eq_ignore_ascii_case(start)).map(|(number, _)| number)
}

fn year(word: &str) -> Option<i32> {
    let number: i32 = word.parse().ok()?;
    match (word.len(), number) {
        (2, 80..) => Some(1_900 + number),
        (2, 0..) => Some(2_000 + number),
        (4, _) => Some(number),
        _ => None,
    }
}

fn mail_zone(word: &str) -> Option<String> {
    let offset = match word {
        "GMT" | "UT" | "UTC" | "Z" | "z" => "Z",
        "EDT" => "-04:00",
        "EST" | "CDT" => "-05:00",
        "CST" | "MDT" => "-06:00",
        "MST" | "PDT" => "-07:00",
        "PST" => "-08:00",
        _ => return zone(word, &mut None),
    };
    Some(offset.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<(String, Option<Rule>)> {
        parse(text).map(|(lastmod, rule)| (lastmod.to_string(), rule))
    }

    #[test]
    fn almost_valid_dates_are_repaired_and_reported() {
        for (text, mended, rule) in [
            ("2005-06-03T04:20:36", "2005-06-03T04:20:36Z", Rule::LastModNoZone),
            ("2005-06-03T04:20", "2005-06-03T04:20Z", Rule::LastModNoZone),
            ("2005-06-03T04:20:36z", "2005-06-03T04:20:36Z", Rule::LastModLowerCase),
            ("2005-06-03t04:20:36z", "2005-06-03T04:20:36Z", Rule::LastModLowerCase),
            ("2005-06-03T04:20:36+0800", "2005-06-03T04:20:36+08:00", Rule::LastModOffset),
            ("2005-06-03T04:20:36-08", "2005-06-03T04:20:36-08:00", Rule::LastModOffset),
            ("2005-06-03 04:20:36+08:00", "2005-06-03T04:20:36+08:00", Rule::LastModBlank),
            ("2005-06-03 04:20:36 +0800", "2005-06-03T04:20:36+08:00", Rule::LastModBlank),
            ("2005-06-03T04:20:36 +08:00", "2005-06-03T04:20:36+08:00", Rule::LastModBlank),
            ("2005-06-03 04:20:36 UTC", "2005-06-03T04:20:36Z", Rule::LastModBlank),
            ("2005-06-04Z", "2005-06-04", Rule::LastModDateZone),
            ("2005-06-04+08:00", "2005-06-04", Rule::LastModDateZone),
            ("2005-06-03T24:00:00Z", "2005-06-04T00:00:00Z", Rule::LastMod24),
            ("Sat, 09 Mar 2024 16:05:30 +0100", "2024-03-09T16:05:30+01:00", Rule::LastModMail),
        ] {
            assert_eq!(parsed(text), Some((mended.to_owned(), Some(rule))), "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_dates_are_refused() {
        for text in [
            "",
            "2005-02-30",
            "2005-6-4",
            "20050604",
            "06/03/2005",
            "10000-01-01",
            "-0001-01-01",
            "2005-06-03T23:59:60Z",
            "2005-06-03T25:00:00Z",
            "yesterday",
            "2005-06-03T04:20:36+15:00",
            "2005-06-03T24:00:01Z",
            "2005-06-03Tüü",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn dates_of_feeds() {
        for (text, read) in [
            ("Sat, 09 Mar 2024 16:05:30 GMT", "2024-03-09T16:05:30Z"),
            ("9 Mar 24 16:05 EST", "2024-03-09T16:05-05:00"),
            ("Sat, 09 Mar 85 6:05:30 -0800", "1985-03-09T06:05:30-08:00"),
            ("2024-03-09T16:05:30.25Z", "2024-03-09T16:05:30.25Z"),
        ] {
            assert_eq!(parse_feed(text).unwrap().0.to_string(), read, "{text}");
            assert_eq!(parse_feed(text).unwrap().1, None, "{text}");
        }
    }
}
