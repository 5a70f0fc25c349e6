//! Times in logs, in microseconds since 1970.

use std::time::Duration;

const MICROS: i64 = 1_000_000;

/// Parses `10/Oct/2000:13:55:36 -0700`, the time in combined logs.
pub(crate) fn combined(text: &[u8]) -> Option<i64> {
    let [
        d1,
        d2,
        b'/',
        m1,
        m2,
        m3,
        b'/',
        y1,
        y2,
        y3,
        y4,
        b':',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
        b' ',
        sign,
        oh1,
        oh2,
        om1,
        om2,
    ] = *<&[u8; 26]>::try_from(text).ok()?
    else {
        return None;
    };
    let month = match &[m1, m2, m3] {
        b"Jan" => 1,
        b"Feb" => 2,
        b"Mar" => 3,
        b"Apr" => 4,
        b"May" => 5,
        b"Jun" => 6,
        b"Jul" => 7,
        b"Aug" => 8,
        b"Sep" => 9,
        b"Oct" => 10,
        b"Nov" => 11,
        b"Dec" => 12,
        _ => return None,
    };
    let date = days(two(y1, y2)? * 100 + two(y3, y4)?, month, two(d1, d2)?)?;
    let seconds = date * 86_400 + clock(two(h1, h2)?, two(n1, n2)?, two(s1, s2)?)?;
    Some((seconds - offset(sign, two(oh1, oh2)?, two(om1, om2)?)?) * MICROS)
}

/// Parses an RFC 3339 date and time, such as `2018-07-02T22:23:00.186641Z`. Also accepts what servers write: a space in
/// place of the `T`, and offsets without a colon.
pub(crate) fn rfc3339(text: &[u8]) -> Option<i64> {
    let (date_text, rest) = text.split_at_checked(10)?;
    let ([b'T' | b't' | b' ', h1, h2, b':', n1, n2, b':', s1, s2], rest) = rest.split_first_chunk::<9>()?
    else {
        return None;
    };
    let mut seconds = date(date_text)? * 86_400 + clock(two(*h1, *h2)?, two(*n1, *n2)?, two(*s1, *s2)?)?;
    let (mut micros, mut rest) = (0, rest);
    if let [b'.' | b',', fraction @ ..] = rest {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        micros = first_six(&fraction[..digits])?;
        rest = &fraction[digits..];
    }
    seconds -= match *rest {
        [b'Z' | b'z'] => 0,
        [sign, h1, h2, b':', m1, m2] | [sign, h1, h2, m1, m2] => offset(sign, two(h1, h2)?, two(m1, m2)?)?,
        _ => return None,
    };
    Some(seconds * MICROS + micros)
}

/// Parses a date and a time of day in UTC, such as `2019-12-04` and `21:02:31`.
pub(crate) fn date_and_time(date_text: &[u8], time: &[u8]) -> Option<i64> {
    let [h1, h2, b':', n1, n2, b':', s1, s2] = *<&[u8; 8]>::try_from(time).ok()? else { return None };
    Some((date(date_text)? * 86_400 + clock(two(h1, h2)?, two(n1, n2)?, two(s1, s2)?)?) * MICROS)
}

/// Converts a whole number of seconds, milliseconds, microseconds or nanoseconds since 1970. The magnitude of the
/// number determines the unit. This works for times from 1973 to 5138.
pub(crate) fn whole(number: u64) -> Option<i64> {
    let number = i64::try_from(number).ok()?;
    Some(match number {
        0..100_000_000_000 => number * MICROS,
        100_000_000_000..100_000_000_000_000 => number * 1000,
        100_000_000_000_000..100_000_000_000_000_000 => number,
        _ => number / 1000,
    })
}

/// Parses a fractional number of seconds, milliseconds, microseconds or nanoseconds since 1970.
pub(crate) fn fractional(number: f64) -> Option<i64> {
    let seconds = match number {
        ..1e11 => number,
        ..1e14 => number / 1e3,
        ..1e17 => number / 1e6,
        _ => number / 1e9,
    };
    i64::try_from(Duration::try_from_secs_f64(seconds).ok()?.as_micros()).ok()
}

/// Parses a time string in any of the formats above.
pub(crate) fn any(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if let Some(time) = rfc3339(bytes).or_else(|| combined(bytes)) {
        return Some(time);
    }
    if !bytes.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    // Parsed digit by digit, because a float would round microseconds.
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let time = whole(seconds.parse().ok()?)?;
    if fraction.is_empty() {
        return Some(time);
    }
    if seconds.len() > 11 {
        return fractional(text.parse().ok()?);
    }
    Some(time + first_six(fraction.as_bytes())?)
}

fn date(text: &[u8]) -> Option<i64> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *<&[u8; 10]>::try_from(text).ok()? else {
        return None;
    };
    days(two(y1, y2)? * 100 + two(y3, y4)?, two(m1, m2)?, two(d1, d2)?)
}

/// Returns the number of days from 1970 to a Gregorian date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if is_leap_year => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    // The years in this calculation start in March, so that the leap day is the last day of the year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468)
}

/// Returns the seconds since midnight. A leap second is treated as the first second of the next minute.
fn clock(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour < 24 && minute < 60 && second <= 60).then_some(hour * 3600 + minute * 60 + second)
}

fn offset(sign: u8, hours: i64, minutes: i64) -> Option<i64> {
    if hours >= 24 || minutes >= 60 {
        return None;
    }
    match sign {
        b'+' => Some(hours * 3600 + minutes * 60),
        b'-' => Some(-hours * 3600 - minutes * 60),
        _ => None,
    }
}

/// Parses the first six digits of a fraction.
fn first_six(fraction: &[u8]) -> Option<i64> {
    let digits = fraction.iter().chain(&[b'0'; 6]).take(6);
    let micros = digits.map(|byte| digit(*byte)).try_fold(0, |micros, digit| Some(micros * 10 + digit?));
    micros.filter(|_| fraction.iter().all(u8::is_ascii_digit))
}

fn two(tens: u8, ones: u8) -> Option<i64> {
    Some(digit(tens)? * 10 + digit(ones)?)
}

fn digit(byte: u8) -> Option<i64> {
    byte.is_ascii_digit().then(|| i64::from(byte - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_combined_logs_apply_their_offset() {
        // `date -u -d '10 Oct 2000 13:55:36 -0700' +%s`
        assert_eq!(combined(b"10/Oct/2000:13:55:36 -0700"), Some(971_211_336_000_000));
        assert_eq!(combined(b"10/Oct/2000:20:55:36 +0000"), Some(971_211_336_000_000));
        assert_eq!(combined(b"29/Feb/2023:00:00:00 +0000"), None);
        assert_eq!(combined(b"29/Feb/2024:00:00:00 +0000"), Some(1_709_164_800_000_000));
        assert_eq!(combined(b"01/Jan/1970:24:00:00 +0000"), None);
    }

    #[test]
    fn times_of_rfc_3339_have_fractions_and_offsets() {
        assert_eq!(rfc3339(b"2018-07-02T22:23:00.186641Z"), Some(1_530_570_180_186_641));
        assert_eq!(rfc3339(b"2018-07-03T00:23:00.1866419+02:00"), Some(1_530_570_180_186_641));
        assert_eq!(rfc3339(b"2018-07-02 22:23:00+0000"), Some(1_530_570_180_000_000));
        assert_eq!(rfc3339(b"2018-07-02T22:23:00"), None);
        assert_eq!(rfc3339(b"2018-07-02T22:23:00.Z"), None);
        assert_eq!(rfc3339(b"0000-01-01T00:00:00Z"), Some(-62_167_219_200_000_000));
    }

    #[test]
    fn the_size_of_a_number_tells_its_unit() {
        let expected = Some(1_545_155_129_696_000);
        assert_eq!(whole(1_545_155_129), Some(1_545_155_129_000_000));
        assert_eq!(whole(1_545_155_129_696), expected);
        assert_eq!(whole(1_545_155_129_696_000), expected);
        assert_eq!(whole(1_545_155_129_696_000_000), expected);
        assert_eq!(whole(u64::MAX), None);
        assert_eq!(fractional(1_545_155_129.696), expected);
        assert_eq!(fractional(1_545_155_129_696.0), expected);
        assert_eq!(fractional(f64::NAN), None);
        assert_eq!(fractional(-1.0), None);
        assert_eq!(any("1545155129.696"), expected);
        assert_eq!(any("1545155129.6960009"), expected);
        assert_eq!(any("1545155129696"), expected);
        assert_eq!(any("1.5.4"), None);
        assert_eq!(any(""), None);
    }
}
