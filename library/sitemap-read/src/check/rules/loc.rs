//! The rules about the spelling of URLs.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2, memchr3};

use super::visit::{Item, Visit};
use crate::read::{DocumentKind, PageItem, SitemapItem, Value, decoded};
use crate::rule::Rule;

/// The length of the shortest URL that the XML schema allows.
const SHORTEST: usize = 12;
/// The length of the longest URL that Yandex reads.
const LONGEST_FOR_YANDEX: usize = 1_024;
/// The five entities that XML predefines. If a decoded value still contains one of them, the value was escaped twice.
const ENTITIES: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];

/// Checks the URL of a page.
#[inline]
pub(super) fn page(visit: &mut Visit<'_, '_, PageItem<'_>>) {
    let page = visit.item;
    let (url, raw) = (page.loc().as_str().as_bytes(), page.raw(Value::Loc));
    let is_usual = (SHORTEST..=LONGEST_FOR_YANDEX).contains(&url.len())
        && (page.is_as_written() || raw.is_some_and(|raw| is_as_written(raw, url)));
    if !is_usual {
        unusual(raw.unwrap_or_default(), !visit.facts.is(DocumentKind::Text), visit);
    }
}

/// Checks the URL of a child sitemap.
pub(super) fn child(visit: &mut Visit<'_, '_, SitemapItem<'_>>) {
    unusual(visit.item.raw(Value::Loc).unwrap_or_default(), true, visit);
}

/// Returns `true` if `raw`, the text in the file, is `url` with each `&` escaped once and no other change. Returns
/// `false` for a `url` that has a fragment or still contains a reference such as `&amp;`, because other rules must look
/// at these.
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

fn unusual<I: Item>(raw: &[u8], is_xml: bool, visit: &mut Visit<'_, '_, I>) {
    let (item, url) = (visit.item, visit.item.loc().as_str());
    let span = || item.span_of(Value::Loc);
    let sink = &mut visit.sink();
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

/// Returns `true` if a URL contains ASCII characters that are not allowed in a URI, or a `%` that isn't followed by two
/// hexadecimal digits.
///
/// Characters outside ASCII don't need encoding: the protocol also allows IRIs, which contain them.
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
}
