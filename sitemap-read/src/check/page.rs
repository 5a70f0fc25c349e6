//! The rules of one page's own four values.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2, memchr3};

use crate::read::{PageItem, SitemapItem, Span, Value, decoded};
use crate::rule::Rule;
use sitemap_core::value::Precision;
use sitemap_core::{LastMod, Loc};

use super::sink::Sink;

/// The shortest address that the schema takes.
const SHORTEST: usize = 12;
/// The longest that Yandex takes.
const LONGEST_FOR_YANDEX: usize = 1_024;
/// The longest that Yandex takes of the other values, in bytes.
const LONGEST_VALUE_FOR_YANDEX: usize = 100;
/// What a value has in it that was escaped twice.
const ENTITIES: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
/// The first web page went online in August 1991.
const FIRST_WEB_PAGE: i64 = 680_000_000;
/// How far ahead of UTC a day can begin.
const EARLIEST_DAY: i64 = 14 * 3_600;

/// Where a page's value stands; the whole entry if it has none.
pub(super) fn place(page: &PageItem<'_>, value: Value) -> Span {
    page.value_span(value).unwrap_or_else(|| page.span())
}

/// Checks how an address is written.
#[inline]
pub(super) fn loc(page: &PageItem<'_>, is_xml: bool, sink: &mut Sink<'_>) {
    let loc = page.entry().loc();
    let raw = page.raw(Value::Loc);
    let address = loc.as_str().as_bytes();
    let is_usual = (SHORTEST..=LONGEST_FOR_YANDEX).contains(&address.len())
        && (page.is_as_written() || raw.is_some_and(|raw| is_as_written(raw, address)));
    if !is_usual {
        unusual_loc(loc, raw.unwrap_or_default(), is_xml, || place(page, Value::Loc), sink);
    }
}

/// Whether an address stands in the document as it is, but for its `&`, which are escaped once, and
/// has no fragment.
fn is_as_written(mut raw: &[u8], mut address: &[u8]) -> bool {
    loop {
        let plain = memchr2(b'&', b'#', address).unwrap_or(address.len());
        let (Some(same), rest) = (raw.get(..plain), &address[plain..]) else {
            return false;
        };
        if *same != address[..plain] {
            return false;
        }
        raw = &raw[plain..];
        let [b'&', after @ ..] = rest else {
            return raw.is_empty() && rest.is_empty();
        };
        let [b'&', b'a', b'm', b'p', b';', after_escaped @ ..] = raw else {
            return false;
        };
        if ENTITIES.iter().any(|entity| after.starts_with(&entity.as_bytes()[1..])) {
            return false;
        }
        (raw, address) = (after_escaped, after);
    }
}

/// The same for the address of a sitemap.
pub(super) fn child_loc(item: &SitemapItem<'_>, sink: &mut Sink<'_>) {
    let raw = item.raw(Value::Loc).unwrap_or_default();
    let span = || item.value_span(Value::Loc).unwrap_or_else(|| item.span());
    unusual_loc(item.loc(), raw, true, span, sink);
}

fn unusual_loc(loc: &Loc<'_>, raw: &[u8], is_xml: bool, span: impl Fn() -> Span, sink: &mut Sink<'_>) {
    let address = loc.as_str();
    if address.len() > LONGEST_FOR_YANDEX {
        sink.explain(Rule::LocTooLongYandex, span(), || {
            format!("{}, found {}", Rule::LocTooLongYandex.summary(), address.len())
        });
    }
    let written = decoded(raw, is_xml).unwrap_or(Cow::Borrowed(address));
    if written.chars().count() < SHORTEST {
        sink.found(Rule::LocTooShort, span(), &written);
    }
    if needs_encoding(&written) {
        sink.found(Rule::LocNotEncoded, span(), &written);
    }
    if ENTITIES.iter().any(|entity| address.contains(*entity)) {
        sink.found(Rule::LocDoubleEscaped, span(), address);
    }
    if address.contains('#') {
        sink.found(Rule::LocFragment, span(), address);
    }
}

/// Whether an address has ASCII characters that no URI has, or a `%` that begins no escape.
///
/// Letters beyond ASCII are those of an IRI.
fn needs_encoding(address: &str) -> bool {
    let bytes = address.as_bytes();
    let is_bare = |at: usize| {
        bytes[at] == b'%'
            && !bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
    };
    memchr3(b' ', b'"', b'<', bytes).is_some()
        || bytes.iter().any(|byte| matches!(byte, b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'))
        || memchr_iter(b'%', bytes).any(is_bare)
}

/// Checks that no value but the address is longer than Yandex takes it.
#[cold]
pub(super) fn value_lengths(page: &PageItem<'_>, sink: &mut Sink<'_>) {
    for value in [Value::LastMod, Value::ChangeFreq, Value::Priority] {
        if let Some(raw) = page.raw(value).filter(|raw| raw.len() > LONGEST_VALUE_FOR_YANDEX) {
            sink.found(Rule::ValueTooLongYandex, place(page, value), &String::from_utf8_lossy(raw));
        }
    }
}

/// Checks a date, of a page or of a sitemap.
#[inline]
pub(super) fn lastmod(
    (lastmod, timestamp): (LastMod, i64),
    now: Option<i64>,
    span: impl Fn() -> Span,
    sink: &mut Sink<'_>,
) {
    let found = |rule, sink: &mut Sink<'_>| sink.found(rule, span(), &lastmod.to_string());
    match lastmod.precision() {
        Precision::Year | Precision::Month => found(Rule::LastModPartial, sink),
        Precision::Minute => found(Rule::LastModMinutes, sink),
        _ => {}
    }
    if timestamp < FIRST_WEB_PAGE && lastmod.precision() >= Precision::Day {
        found(Rule::LastModAncient, sink);
    }
    // Most dates are clearly past.
    if now.is_some_and(|now| timestamp > now && is_after(lastmod, now)) {
        found(Rule::LastModFuture, sink);
    }
}

/// Whether all of a date lies after a moment, wherever it was written.
pub(super) fn is_after(date: LastMod, now: i64) -> bool {
    let earlier = if date.precision() <= Precision::Day { EARLIEST_DAY } else { 0 };
    date.timestamp() - earlier > now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_no_uri_has() {
        for address in [
            "https://a.example/a b",
            "https://a.example/%zz",
            "https://a.example/%2",
            "https://a.example/{x}",
        ] {
            assert!(needs_encoding(address), "{address}");
        }
        for address in ["https://a.example/%C3%bc", "https://a.example/ü", "https://a.example/a?b=[c]~'"] {
            assert!(!needs_encoding(address), "{address}");
        }
    }

    #[test]
    fn a_day_is_not_to_come_while_it_has_begun_anywhere() {
        let now = LastMod::parse("2026-01-31T11:00:00Z").unwrap().timestamp();
        let after = |text| is_after(LastMod::parse(text).unwrap(), now);
        assert!(!after("2026-02-01") && after("2026-02-02"));
        assert!(!after("2026-01-31T11:00:00Z") && after("2026-01-31T11:00:01Z"));
        assert!(!after("2026") && after("2027"));
    }
}
