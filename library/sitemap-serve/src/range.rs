//! Requests for part of a file.
//!
//! Source: [RFC 9110, section 14](https://www.rfc-editor.org/rfc/rfc9110#section-14).

use std::ops::Range;

use http::header::{HeaderMap, IF_RANGE, RANGE};

/// The part of a file that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// 200: all bytes.
    Whole,
    /// 206: these bytes.
    Part(Range<usize>),
    /// 416: a range beyond the end of the file.
    Nothing,
}

/// Returns the part that a GET request asks for, given the file's length and strong entity tag (with quotes).
///
/// Requests with several ranges, other units or malformed ranges get the whole file, as the RFC allows. So does an
/// `If-Range` with a date, because a file may change twice within one second.
pub(super) fn wanted(headers: &HeaderMap, len: usize, tag: &[u8]) -> Wanted {
    let mut ranges = headers.get_all(RANGE).iter();
    let Some(range) = ranges.next().filter(|_| ranges.next().is_none()) else { return Wanted::Whole };
    let is_current = |known: &http::HeaderValue| known.as_bytes().trim_ascii() == tag;
    if !headers.get_all(IF_RANGE).iter().all(is_current) {
        return Wanted::Whole;
    }
    range.to_str().ok().and_then(|range| parse(range, len)).unwrap_or(Wanted::Whole)
}

/// Returns `None` unless the string is a single range of bytes.
fn parse(range: &str, len: usize) -> Option<Wanted> {
    let (unit, range) = range.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    let part = match (first, last) {
        ("", suffix) => len.saturating_sub(number(suffix)?)..len,
        (first, "") => number(first)?..len,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first..len.min(last.saturating_add(1))
        }
    };
    Some(if part.is_empty() { Wanted::Nothing } else { Wanted::Part(part) })
}

/// Parses digits. Numbers that are too large become `usize::MAX`, which is beyond the end of any file.
fn number(digits: &str) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &[u8] = b"\"abc\"";

    fn of(fields: &[(&'static str, &'static str)], len: usize) -> Wanted {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, http::HeaderValue::from_static(value));
        }
        wanted(&headers, len, TAG)
    }

    #[test]
    fn one_range_of_bytes() {
        for (range, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=0-9", 0..10),
            ("bytes=2-", 2..10),
            ("bytes=9-20", 9..10),
            ("bytes=-3", 7..10),
            ("bytes=-30", 0..10),
            ("BYTES= 1-2 ", 1..3),
            ("bytes=1-99999999999999999999999", 1..10),
        ] {
            assert_eq!(of(&[("range", range)], 10), Wanted::Part(part), "{range}");
        }
    }

    #[test]
    fn bytes_that_the_file_does_not_have() {
        for range in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(of(&[("range", range)], 10), Wanted::Nothing, "{range}");
        }
        assert_eq!(of(&[("range", "bytes=-1")], 0), Wanted::Nothing);
    }

    #[test]
    fn everything_else_gets_the_whole_file() {
        for range in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=2-1",
            "bytes=a-b",
            "bytes=+1-2",
            "lines=1-2",
            "bytes=0-1,3-4",
        ] {
            assert_eq!(of(&[("range", range)], 10), Wanted::Whole, "{range}");
        }
        assert_eq!(of(&[], 10), Wanted::Whole);
        assert_eq!(of(&[("range", "bytes=0-1"), ("range", "bytes=0-1")], 10), Wanted::Whole);
    }

    #[test]
    fn if_range_compares_strongly() {
        let range = ("range", "bytes=0-1");
        assert_eq!(of(&[range, ("if-range", "\"abc\"")], 10), Wanted::Part(0..2));
        for other in ["\"abd\"", "W/\"abc\"", "*", "Sun, 06 Nov 1994 08:49:37 GMT", ""] {
            assert_eq!(of(&[range, ("if-range", other)], 10), Wanted::Whole, "{other}");
        }
    }
}
