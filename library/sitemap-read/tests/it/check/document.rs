//! Tests the rules about a document as a whole: its kind, root and size.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_read::{CheckOptions, ReadLimits, ReadOptions, Rule, Severity};

use super::{NAMESPACE, NOTHING, at, found, found_with, index, message, options, report, urlset};

#[test]
fn file_empty() {
    assert_eq!(found(" \n"), ["file-empty 1:1"]);
    assert_eq!(found(urlset("<url><loc>https://example.com/</loc></url>")), NOTHING);
}

#[test]
fn file_html() {
    assert_eq!(found("<!DOCTYPE html><html><title>404</title></html>"), ["file-html 1:1"]);
}

#[test]
fn file_unknown() {
    assert_eq!(found("<opml/>"), ["file-unknown 1:1"]);
    assert_eq!(found("PK\u{3}\u{4}"), ["file-unknown 1:1"]);
}

#[test]
fn empty_sitemap() {
    assert_eq!(found(urlset("")), ["empty-sitemap 1:1"]);
    assert_eq!(found(index("<!-- none -->")), ["empty-sitemap 1:1"]);
    let bad = urlset("<url><loc>/a</loc></url>");
    assert!(!found(bad).contains(&"empty-sitemap 1:1".to_owned()), "an invalid entry was not counted");
}

/// Returns a urlset of exactly `bytes` bytes, with two entries.
fn of_size(bytes: usize, namespace: &str) -> Vec<u8> {
    let mut document =
        format!("<urlset xmlns=\"{namespace}\">\n<url><loc>https://example.com/a</loc></url>\n");
    let end = "<url><loc>https://example.com/b</loc></url>\n</urlset>";
    document.push_str("<!--");
    let padding = bytes - document.len() - "-->\n".len() - end.len();
    document.extend(std::iter::repeat_n('x', padding));
    document.push_str("-->\n");
    document.push_str(end);
    document.into_bytes()
}

#[test]
fn too_large() {
    let old = "http://www.google.com/schemas/sitemap/0.84";
    let mut limits = ReadLimits::default();
    limits.entry_bytes = 64 << 20;
    limits.bytes = 1 << 30;
    let roomy = || options().read(ReadOptions::new().limits(limits));
    assert_eq!(found_with(roomy(), of_size(10_485_760, old)), NOTHING);
    let large = report(roomy(), of_size(10_485_761, old));
    // The last entry ends before the limit, so the finding is at the document's end.
    assert_eq!(super::lines(&large, false), ["too-large 5:10"]);
    assert_eq!(found_with(roomy(), of_size(10_485_800, old)), ["too-large 4:1"]);
    assert_eq!(message(&large), "the file has more than 10485760 bytes, found 10485761");
    assert_eq!(large.files()[0].bytes(), 10_485_761);

    let new = "http://www.sitemaps.org/schemas/sitemap/0.9";
    assert_eq!(found_with(roomy(), of_size(52_428_800, new)), NOTHING);
    assert_eq!(found_with(roomy(), of_size(52_428_801, new)), ["too-large 5:10"]);
}

#[test]
fn too_large_counts_decompressed_bytes() {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&of_size(10_485_761, "http://www.google.com/schemas/sitemap/0.84")).unwrap();
    let mut limits = ReadLimits::default();
    (limits.entry_bytes, limits.expansion) = (64 << 20, 1 << 20);
    let options = options().read(ReadOptions::new().limits(limits));
    assert_eq!(found_with(options, packer.finish().unwrap()), ["too-large 5:10"]);
}

#[test]
fn too_many_entries() {
    let entries = |count: usize| {
        let entry = |number| format!("<url><loc>https://example.com/{number}</loc></url>\n");
        urlset(&(0..count).map(entry).collect::<String>())
    };
    assert_eq!(found(entries(50_000)), NOTHING);
    assert_eq!(found(entries(50_001)), ["too-many-entries 50002:1"]);
}

#[test]
fn read_limit() {
    let mut limits = ReadLimits::default();
    limits.entries = 1;
    let few = || options().read(ReadOptions::new().limits(limits));
    let one = "<url><loc>https://example.com/</loc></url>";
    assert_eq!(found_with(few(), urlset(one)), NOTHING);
    let two = urlset(&format!("{one}\n<url><loc>https://example.com/b</loc></url>"));
    assert_eq!(found_with(few(), two), ["read-limit 3:1"]);
}

#[test]
fn root_prefixed() {
    let prefixed = "<s:urlset xmlns:s=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                    <s:url><s:loc>https://example.com/</s:loc><s:priority>0.5</s:priority></s:url>\n</s:urlset>";
    let google = || {
        options()
            .engine(sitemap_read::Engine::Google)
            .levels(sitemap_read::Levels::new().allow(Rule::HintsIgnored))
    };
    assert_eq!(found_with(google(), prefixed), ["root-prefixed 1:1"]);
    assert_eq!(found(prefixed), NOTHING);
    assert_eq!(found_with(google(), urlset("<url><loc>https://example.com/</loc></url>")), NOTHING);
}

#[test]
fn namespace_old() {
    let with = |uri: &str| {
        found(format!(
            "<urlset {NAMESPACE}\n xmlns:video=\"{uri}\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"
        ))
    };
    assert_eq!(with("http://www.google.com/schemas/sitemap-video/1.0"), ["namespace-old 2:15"]);
    assert_eq!(with("http://www.google.com/schemas/sitemap-video/1.1"), NOTHING);
}

#[test]
fn gzip_name() {
    let plain = urlset("<url><loc>https://example.com/</loc></url>");
    let served = || at("https://example.com/sitemap.xml.gz?v=1");
    assert_eq!(found_with(served(), &plain), ["gzip-name 1:1"]);
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(plain.as_bytes()).unwrap();
    assert_eq!(found_with(served(), packer.finish().unwrap()), NOTHING);
    assert_eq!(found_with(at("https://example.com/sitemap.xml"), &plain), NOTHING);
}

#[test]
fn what_the_reader_finds_is_reported_at_its_place() {
    let document =
        urlset("<url><loc>https://example.com/?a&b</loc><lastmod>2024-03-09 16:05:30Z</lastmod></url>");
    assert_eq!(found(document), ["ampersand-raw 2:33", "lastmod-blank 2:50"]);
}

#[test]
fn strict_raises_warnings_but_not_notes() {
    let document = urlset("<url><lastmod>2024</lastmod><loc>https://example.com/</loc></url>");
    let strict = report(options().strict(true), &document);
    let severities: Vec<_> = strict.findings().map(|(_, finding)| finding.severity()).collect();
    assert_eq!(severities, [Severity::Note, Severity::Error]);
    assert_eq!(strict.count(Severity::Error), 1);
    assert_eq!(report(CheckOptions::new(), &document).worst(), Some(Severity::Warning));
}
