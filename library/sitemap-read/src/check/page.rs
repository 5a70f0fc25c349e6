//! The rules for a page's URL, date, change frequency and priority.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2, memchr3};

use crate::read::{PageItem, SitemapItem, Span, Value, decoded};
use crate::rule::Rule;
use sitemap_core::value::Precision;
use sitemap_core::{LastMod, Loc};

use super::sink::Sink;

/// The length of the shortest URL that the schema allows.
const SHORTEST: usize = 12;
/// The length of the longest URL that Yandex reads.
const LONGEST_FOR_YANDEX: usize = 1_024;
/// The length in bytes of the longest date, change frequency or priority that Yandex reads.
const LONGEST_VALUE_FOR_YANDEX: usize = 100;
/// The five references that XML predefines. If a decoded value still contains one of them, the value was escaped
/// twice.
const ENTITIES: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
/// A time in July 1991, shortly before the first web page went online in August 1991.
const FIRST_WEB_PAGE: i64 = 680_000_000;
/// The offset of the time zone in which each day starts first: UTC+14, in seconds.
const EARLIEST_DAY: i64 = 14 * 3_600;

/// Returns the span of a value in a page's entry, or the span of the whole entry if the value is missing.
pub(super) fn place(page: &PageItem<'_>, value: Value) -> Span {
    page.value_span(value).unwrap_or_else(|| page.span())
}

/// Checks the spelling of a page's URL.
#[inline]
pub(super) fn loc(page: &PageItem<'_>, is_xml: bool, sink: &mut Sink<'_>) {
    let loc = page.entry().loc();
    let raw = page.raw(Value::Loc);
    let url = loc.as_str().as_bytes();
    let is_usual = (SHORTEST..=LONGEST_FOR_YANDEX).contains(&url.len())
        && (page.is_as_written() || raw.is_some_and(|raw| is_as_written(raw, url)));
    if !is_usual {
        unusual_loc(loc, raw.unwrap_or_default(), is_xml, || place(page, Value::Loc), sink);
    }
}

/// Returns `true` if `raw`, the text in the file, is `url` with each `&` escaped once and no other change. Returns
/// `false` if `url` has a fragment or still contains a reference such as `&amp;`, so that the rules against fragments
/// and double escapes are applied.
fn is_as_written(mut raw: &[u8], mut url: &[u8]) -> bool {
    loop {
        let plain = memchr2(b'&', b'#', url).unwrap_or(url.len());
        let (Some(same), rest) = (raw.get(..plain), &url[plain..]) else {
            return false;
        };
        if *same != url[..plain] {
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
        (raw, url) = (after_escaped, after);
    }
}

/// Checks the spelling of a child sitemap's URL.
pub(super) fn child_loc(item: &SitemapItem<'_>, sink: &mut Sink<'_>) {
    let raw = item.raw(Value::Loc).unwrap_or_default();
    let span = || item.value_span(Value::Loc).unwrap_or_else(|| item.span());
    unusual_loc(item.loc(), raw, true, span, sink);
}

fn unusual_loc(loc: &Loc<'_>, raw: &[u8], is_xml: bool, span: impl Fn() -> Span, sink: &mut Sink<'_>) {
    let url = loc.as_str();
    if url.len() > LONGEST_FOR_YANDEX {
        sink.add_with(Rule::LocTooLongYandex, span(), || {
            format!("{}, found {}", Rule::LocTooLongYandex.summary(), url.len())
        });
    }
    let written = decoded(raw, is_xml).unwrap_or(Cow::Borrowed(url));
    if written.chars().count() < SHORTEST {
        sink.add_found(Rule::LocTooShort, span(), &written);
    }
    if needs_encoding(&written) {
        sink.add_found(Rule::LocNotEncoded, span(), &written);
    }
    if ENTITIES.iter().any(|entity| url.contains(*entity)) {
        sink.add_found(Rule::LocDoubleEscaped, span(), url);
    }
    if url.contains('#') {
        sink.add_found(Rule::LocFragment, span(), url);
    }
}

/// Returns `true` if a URL has ASCII characters that no URI contains, or a `%` without two hexadecimal digits after it.
///
/// Characters beyond ASCII need no encoding, because the protocol also allows IRIs, which contain such characters.
fn needs_encoding(url: &str) -> bool {
    let bytes = url.as_bytes();
    let is_bare = |at: usize| {
        bytes[at] == b'%'
            && !bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
    };
    memchr3(b' ', b'"', b'<', bytes).is_some()
        || bytes.iter().any(|byte| matches!(byte, b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'))
        || memchr_iter(b'%', bytes).any(is_bare)
}

/// Checks that `lastmod`, `changefreq` and `priority` are not longer than the 100 bytes that Yandex reads.
#[cold]
pub(super) fn value_lengths(page: &PageItem<'_>, sink: &mut Sink<'_>) {
    for value in [Value::LastMod, Value::ChangeFreq, Value::Priority] {
        if let Some(raw) = page.raw(value).filter(|raw| raw.len() > LONGEST_VALUE_FOR_YANDEX) {
            sink.add_found(Rule::ValueTooLongYandex, place(page, value), &String::from_utf8_lossy(raw));
        }
    }
}

/// Checks the `lastmod` of a page or child sitemap.
#[inline]
pub(super) fn lastmod(
    (lastmod, timestamp): (LastMod, i64),
    now: Option<i64>,
    span: impl Fn() -> Span,
    sink: &mut Sink<'_>,
) {
    let found = |rule, sink: &mut Sink<'_>| sink.add_found(rule, span(), &lastmod.to_string());
    match lastmod.precision() {
        Precision::Year | Precision::Month => found(Rule::LastModPartial, sink),
        Precision::Minute => found(Rule::LastModMinutes, sink),
        _ => {}
    }
    if timestamp < FIRST_WEB_PAGE && lastmod.precision() >= Precision::Day {
        found(Rule::LastModAncient, sink);
    }
    // The timestamp alone shows that most dates are past. Only for the others, `is_after` also looks at the precision.
    if now.is_some_and(|now| timestamp > now && is_after(lastmod, now)) {
        found(Rule::LastModFuture, sink);
    }
}

/// Returns `true` if the date is in the future in every time zone.
pub(super) fn is_after(date: LastMod, now: i64) -> bool {
    let earlier = if date.precision() <= Precision::Day { EARLIEST_DAY } else { 0 };
    date.timestamp() - earlier > now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_no_uri_has() {
        for url in [
            "https://a.example/a b",
            "https://a.example/%zz",
            "https://a.example/%2",
            "https://a.example/{x}",
        ] {
            assert!(needs_encoding(url), "{url}");
        }
        for url in ["https://a.example/%C3%bc", "https://a.example/ü", "https://a.example/a?b=[c]~'"] {
            assert!(!needs_encoding(url), "{url}");
        }
    }

    #[test]
    fn a_day_is_not_in_the_future_once_it_has_started_anywhere() {
        let now = LastMod::parse("2026-01-31T11:00:00Z").unwrap().timestamp();
        let after = |text| is_after(LastMod::parse(text).unwrap(), now);
        assert!(!after("2026-02-01") && after("2026-02-02"));
        assert!(!after("2026-01-31T11:00:00Z") && after("2026-01-31T11:00:01Z"));
        assert!(!after("2026") && after("2027"));
    }
}
