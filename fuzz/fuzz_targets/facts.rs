//! Reads any bytes as a page. The same page has the same facts, URLs are absolute, numbers keep their limits, and the main
//! content is the same after it was stored.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_pages::content::Blocks;
use sitemap_pages::facts::{PageFacts, Response};

/// The encodings that a header may name.
const CHARSETS: [&str; 5] = ["", "; charset=utf-8", "; charset=utf-16", "; charset=shift_jis", "; charset=x"];

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the header, the first line is another header, and the rest is the page.
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
    let response = Response { requested: url, url, status: 200, headers: &headers, body, is_cut };
    let facts = PageFacts::of(&response);
    assert_eq!(facts, PageFacts::of(&response));
    assert_eq!(Blocks::from_bytes(&facts.blocks.to_bytes()).as_ref(), Some(&facts.blocks));
    assert!(facts.blocks.len() <= Blocks::MAX);
    assert!(facts.robots.len() <= 1000 && facts.canonicals.len() <= 1000 && facts.dates.len() <= 1000);
    let canonicals = facts.canonicals.iter().filter_map(|canonical| canonical.url.as_deref());
    let translations = facts.translations.iter().filter_map(|translation| translation.url.as_deref());
    let links = facts.links.iter().map(|link| &*link.url);
    for url in canonicals.chain(translations).chain(links) {
        assert!(url.starts_with("https://") || url.starts_with("http://"), "{url:?}");
        assert!(!url.contains(['\n', ' ']), "{url:?}");
    }
});
