//! The rules about the spelling of URLs.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2};

use super::visit::{Item, Visit};
use crate::read::{DocumentKind, PageItem, SitemapItem, Value, decoded, needs_encoding};
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
    if has_double_slash(url) {
        let span = page.span_of(Value::Loc);
        visit.sink().add_found(Rule::LocDoubleSlash, span, page.loc().as_str());
    }
    if !is_usual {
        unusual(raw.unwrap_or_default(), !visit.facts.is(DocumentKind::Text), visit);
    }
}

/// Returns `true` if the path of a URL contains two slashes in a row. The slashes of a URL within the path don't count.
#[inline]
fn has_double_slash(url: &[u8]) -> bool {
    // The first two slashes follow the scheme.
    memchr_iter(b'/', url).skip(2).any(|at| {
        url.get(at + 1) == Some(&b'/') && url[at - 1] != b':' && memchr2(b'?', b'#', &url[..at]).is_none()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_in_the_path() {
        for url in ["https://a.example//", "https://a.example/a//b?c", "https://a.example/a:b//c"] {
            assert!(has_double_slash(url.as_bytes()), "{url}");
        }
        for url in [
            "https://a.example/",
            "https://a.example",
            "https://a.example/?a//b",
            "https://a.example/at/https://b.example/",
        ] {
            assert!(!has_double_slash(url.as_bytes()), "{url}");
        }
    }
}
