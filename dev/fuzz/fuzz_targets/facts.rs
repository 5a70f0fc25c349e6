//! Reads arbitrary bytes as a page. Reading a page twice must give the same facts, URLs must be absolute, links must
//! use a web scheme, numbers must stay within their limits, and storing the main content must not change it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_pages::content::Blocks;
use sitemap_pages::facts::{PageFacts, PageLink, Response};

/// The encodings that a header may name.
const CHARSETS: [&str; 5] = ["", "; charset=utf-8", "; charset=utf-16", "; charset=shift_jis", "; charset=x"];

/// Returns true if a string is a URL scheme (RFC 3986, section 3.1) in the form that a parser writes.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c))
}

fuzz_target!(|data: &[u8]| {
    // The first byte selects the header, the first line is another header, and the rest is the page.
    let Some((choice, rest)) = data.split_first() else { return };
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (line, body) = rest.split_at(end);
    let line = String::from_utf8_lossy(line);
    let content_type = format!("text/html{}", CHARSETS[usize::from(*choice) % CHARSETS.len()]);
    let headers = [
        ("content-type", &*content_type),
        ("link", &*line),
        ("x-robots-tag", &*line),
        ("refresh", &*line),
        ("last-modified", &*line),
    ];
    let url = "https://example.com/a/b";
    let is_cut = choice & 128 != 0;
    let mut response = Response::new(url, 200, &headers, body);
    response.is_cut = is_cut;
    let facts = PageFacts::of(&response);
    assert_eq!(facts, PageFacts::of(&response));
    assert_eq!(Blocks::from_bytes(&facts.blocks.to_bytes()).as_ref(), Some(&facts.blocks));
    assert!(facts.blocks.len() <= Blocks::MAX);
    assert!(facts.robots.len() <= 1000 && facts.canonicals.len() <= 1000 && facts.dates.len() <= 1000);
    let canonicals = facts.canonicals.iter().filter_map(|canonical| canonical.url.as_deref());
    let translations = facts.translations.iter().filter_map(|translation| translation.url.as_deref());
    let refresh = facts.refresh.iter().filter_map(|refresh| refresh.url.as_deref());
    for url in canonicals.chain(translations).chain(refresh) {
        assert!(url.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme)), "{url:?}");
        assert!(!url.contains(['\n', '\t', '#']), "{url:?}");
    }
    for PageLink { url, .. } in &facts.links {
        assert!(url.starts_with("https://") || url.starts_with("http://"), "{url:?}");
        assert!(!url.contains(['\n', ' ', '#']), "{url:?}");
    }
});
