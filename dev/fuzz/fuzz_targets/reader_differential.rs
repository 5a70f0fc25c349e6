//! Reads arbitrary bytes with the reader's fast path, with its general parser, and with quick-xml. The fast path and
//! the general parser must return the same result. For a document without findings, quick-xml must find the same URLs.
#![no_main]

mod outcome;

use libfuzzer_sys::fuzz_target;
use outcome::outcome;
use quick_xml::NsReader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use sitemap_core::{Dialect, Loc};
use sitemap_read::{DocumentKind, ReadOptions, SitemapReader};

fuzz_target!(|data: &[u8]| {
    let wrapped =
        [b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".as_slice(), data, b"</urlset>"]
            .concat();
    let extended = [ROOT.as_bytes(), data, b"</urlset>"].concat();
    let prefixed = [PREFIXED_ROOT.as_bytes(), data, b"</a:urlset>"].concat();
    let documents: [(&[u8], bool); 5] =
        [(data, false), (&wrapped, false), (&extended, false), (&extended, true), (&prefixed, false)];
    for (document, keep_elements) in documents {
        let options = ReadOptions::new().keep_elements(keep_elements);
        let fast = outcome(SitemapReader::from_slice_with(document, options));
        let general = outcome(SitemapReader::from_slice_with(document, options.without_fast_path()));
        assert_eq!(fast, general);
        if let (Some(ours), Some(theirs)) = (ours(document), theirs(document)) {
            assert_eq!(ours, theirs);
        }
    }
});

/// A root element that declares the extensions with their usual prefixes, and some of them with short ones.
const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
    xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
    xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.0\" xmlns:x=\"urn:x\">\n";

/// A root element with a namespace prefix.
const PREFIXED_ROOT: &str = "<a:urlset xmlns:a=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\">\n";

/// Returns the URLs of a urlset that reads without findings, or `None` for any other document.
fn ours(document: &[u8]) -> Option<Vec<String>> {
    let mut reader = SitemapReader::from_slice(document);
    if reader.document().ok()?.kind != DocumentKind::UrlSet {
        return None;
    }
    let mut pages = Vec::new();
    while let Some(item) = reader.next().ok()? {
        pages.push(item.loc().to_string());
    }
    (reader.findings_total() == 0).then_some(pages)
}

/// Returns the URLs of a urlset as quick-xml reads it, or `None` if quick-xml finds an error.
fn theirs(document: &[u8]) -> Option<Vec<String>> {
    let mut reader = NsReader::from_str(str::from_utf8(document).ok()?);
    let namespaces = [Dialect::V0_9, Dialect::V0_84].map(Dialect::namespace);
    let mut path: Vec<Vec<u8>> = Vec::new();
    let mut text = String::new();
    let mut pages = Vec::new();
    loop {
        let (namespace, event) = reader.read_resolved_event().ok()?;
        match event {
            Event::Start(start) => {
                let is_core = matches!(namespace, ResolveResult::Bound(uri) if namespaces.iter().any(|own| *own == uri.as_ref()));
                path.push(if is_core { start.local_name().as_ref().as_bytes().to_vec() } else { Vec::new() });
                text.clear();
            }
            Event::End(_) => {
                if path.iter().map(Vec::as_slice).eq([&b"urlset"[..], b"url", b"loc"]) {
                    let loc = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
                    pages.push(Loc::parse(loc).ok()?.to_string());
                }
                path.pop()?;
            }
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::CData(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().ok()? {
                Some(ch) => text.push(ch),
                None => text.push_str(resolve_predefined_entity(&reference)?),
            },
            Event::Eof => return path.is_empty().then_some(pages),
            _ => {}
        }
    }
}
