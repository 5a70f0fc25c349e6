//! Recognises words that are dates or times, or parts of them.

/// Returns whether a word without surrounding punctuation is a whole date or time.
pub(super) fn is_date_or_time(word: &[u8]) -> bool {
    if let Some(years) = word.strip_prefix("©".as_bytes()) {
        return is_years(years);
    }
    if word.windows(3).any(|part| part == "年".as_bytes()) {
        return true;
    }
    if let Some(at) = word.iter().position(|byte| matches!(byte, b'T' | b't')) {
        return is_date(&word[..at]) && is_time(&word[at + 1..]);
    }
    is_date(word) || is_time(word)
}

/// `2026-11-21`, `21.11.2026`, `11/21/26`, `21-Nov-2026`, `20261121`
fn is_date(word: &[u8]) -> bool {
    let Some(&separator) = word.iter().find(|byte| matches!(byte, b'-' | b'.' | b'/')) else {
        return is_compact_date(word);
    };
    let mut parts = word.split(|&byte| byte == separator);
    let (Some(first), Some(second), Some(third), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    // Versions such as 3.11.2 look like dates with points. Dates with points therefore need a four-digit year.
    let is_short_year = |part: &[u8]| separator != b'.' && part.len() == 2 && is_digits(part);
    let is_end = |part: &[u8]| is_year(part) || is_short_year(part);
    let is_day = |part: &[u8]| number(part).is_some_and(|day| (1..=31).contains(&day));
    if is_month(second) && second.len() >= 3 {
        return is_day(first) && is_end(third);
    }
    is_day(second) && ((is_year(first) && is_day(third)) || (is_day(first) && is_end(third)))
}

fn is_compact_date(word: &[u8]) -> bool {
    word.len() == 8
        && is_year(&word[..4])
        && number(&word[4..6]).is_some_and(|month| (1..=12).contains(&month))
        && number(&word[6..]).is_some_and(|day| (1..=31).contains(&day))
}

/// `10:03`, `10:03:07.25`, `10:03Z`, `10:03:07+01:00`, `10:03am`
fn is_time(word: &[u8]) -> bool {
    let zone =
        word.iter().skip(4).position(|byte| matches!(byte, b'+' | b'-')).map_or(word.len(), |at| at + 4);
    let (time, zone) = word.split_at(zone);
    if !zone.iter().skip(1).all(|&byte| byte.is_ascii_digit() || byte == b':') {
        return false;
    }
    let letters = time.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (time, suffix) = time.split_at(time.len() - letters);
    if !matches!(&*suffix.to_ascii_lowercase(), b"" | b"z" | b"am" | b"pm") {
        return false;
    }
    let mut parts = time.split(|&byte| byte == b':');
    let hours = parts.next().and_then(number).is_some_and(|hours| hours < 25);
    let minutes =
        parts.next().is_some_and(|part| part.len() == 2 && number(part).is_some_and(|number| number < 60));
    let is_second =
        |part: &[u8]| part.len() >= 2 && part.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    hours && minutes && parts.next().is_none_or(is_second) && parts.next().is_none()
}

/// Returns whether a word is a year, or a range or list of years.
pub(super) fn is_years(word: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(word) else { return false };
    !text.is_empty()
        && text
            .split(['-', '–', '—', '/', ','])
            .all(|part| is_year(part.as_bytes()) || (part.len() == 2 && is_digits(part.as_bytes())))
}

fn is_year(word: &[u8]) -> bool {
    word.len() == 4 && is_digits(word) && (word.starts_with(b"19") || word.starts_with(b"20"))
}

/// Returns whether a word next to a month's name is its day or year.
pub(super) fn is_day_or_year(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, suffix) = word.split_at(digits);
    let is_ordinal =
        matches!(suffix, b"" | b"st" | b"nd" | b"rd" | b"th" | b"er") || suffix == "º".as_bytes();
    (matches!(digits, 1 | 2) && is_ordinal) || (suffix.is_empty() && is_year(number))
}

/// Returns whether a word is a unit of relative time.
pub(super) fn is_unit(word: &[u8]) -> bool {
    let one = word.strip_suffix(b"s").unwrap_or(word);
    matches!(
        &*one.to_ascii_lowercase(),
        b"second" | b"sec" | b"minute" | b"min" | b"hour" | b"day" | b"week" | b"month" | b"year"
    )
}

/// Returns whether a word after a time is its time zone, or AM or PM.
pub(super) fn is_zone(word: &[u8]) -> bool {
    matches!(
        word,
        b"UTC"
            | b"GMT"
            | b"CET"
            | b"CEST"
            | b"EST"
            | b"EDT"
            | b"CST"
            | b"CDT"
            | b"MST"
            | b"MDT"
            | b"PST"
            | b"PDT"
    ) || matches!(&*word.to_ascii_lowercase(), b"am" | b"pm" | b"a.m" | b"p.m")
        || (word.len() == 5 && matches!(word[0], b'+' | b'-') && is_digits(&word[1..]))
}

/// Returns whether a word is the English name of a weekday.
pub(super) fn is_weekday(word: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] =
        [b"monday", b"tuesday", b"wednesday", b"thursday", b"friday", b"saturday", b"sunday"];
    word.len() >= 3
        && DAYS.iter().any(|day| word.eq_ignore_ascii_case(day) || word.eq_ignore_ascii_case(&day[..3]))
}

/// Returns whether a word is a month's name or its first three letters. `may` must be capitalised.
pub(super) fn is_month(word: &[u8]) -> bool {
    if !(3..=10).contains(&word.len()) || !word[0].is_ascii_alphabetic() || word == b"may" || word == b"mar" {
        return false;
    }
    let mut lower = [0; 10];
    lower[..word.len()].copy_from_slice(word);
    lower.make_ascii_lowercase();
    let word = &lower[..word.len()];
    is_english_month(word) || is_other_month(word)
}

#[rustfmt::skip]
fn is_english_month(word: &[u8]) -> bool {
    matches!(
        word,
        b"january" | b"february" | b"march" | b"april" | b"may" | b"june" | b"july" | b"august" | b"september"
            | b"october" | b"november" | b"december" | b"jan" | b"feb" | b"mar" | b"apr" | b"jun" | b"jul" | b"aug"
            | b"sep" | b"sept" | b"oct" | b"nov" | b"dec"
    )
}

/// The German, French, Spanish, Portuguese, Italian and Dutch month names that differ from the English ones.
#[rustfmt::skip]
fn is_other_month(word: &[u8]) -> bool {
    let Ok(word) = std::str::from_utf8(word) else { return false };
    matches!(
        word,
        "januar" | "februar" | "märz" | "mai" | "juni" | "juli" | "oktober" | "dezember"
            | "janvier" | "février" | "mars" | "avril" | "juin" | "juillet" | "août" | "septembre" | "octobre"
            | "novembre" | "décembre"
            | "enero" | "febrero" | "marzo" | "abril" | "mayo" | "junio" | "julio" | "agosto" | "septiembre"
            | "octubre" | "noviembre" | "diciembre"
            | "janeiro" | "fevereiro" | "março" | "maio" | "junho" | "julho" | "setembro" | "outubro" | "novembro"
            | "dezembro"
            | "gennaio" | "febbraio" | "aprile" | "maggio" | "giugno" | "luglio" | "settembre" | "ottobre" | "dicembre"
            | "januari" | "februari" | "maart" | "mei" | "augustus"
    )
}

fn is_digits(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

fn number(word: &[u8]) -> Option<u32> {
    if word.len() > 2 || !is_digits(word) {
        return None;
    }
    word.iter().try_fold(0, |number: u32, &digit| Some(number * 10 + u32::from(digit - b'0')))
}
