//! Tests the reader with all kinds of documents and all known defects.

#![allow(clippy::format_push_string, clippy::format_collect)] // speed does not matter in tests

use sitemap_core::Dialect;
use sitemap_read::{DocumentKind, Finding, Item, ReadErrorKind, ReadLimits, ReadOptions, SitemapReader};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The result of reading a document: the entries as strings, and the findings as `line:column rule`.
struct Outcome {
    entries: Vec<String>,
    findings: Vec<String>,
    error: Option<sitemap_read::ReadError>,
    raw: Vec<Finding>,
}

fn show(item: &Item<'_>) -> String {
    let mut text = item.loc().to_string();
    if let Some(lastmod) = item.lastmod() {
        text += &format!(" {lastmod}");
    }
    if let Item::Page(page) = item {
        let entry = page.entry();
        text.extend(entry.changefreq().map(|freq| format!(" {freq}")));
        text.extend(entry.priority().map(|priority| format!(" {priority}")));
    }
    text
}

fn drain(mut reader: SitemapReader<'_>) -> Outcome {
    let mut outcome = Outcome { entries: vec![], findings: vec![], error: None, raw: vec![] };
    loop {
        match reader.next() {
            Ok(Some(item)) => outcome.entries.push(show(&item)),
            Ok(None) => break,
            Err(error) => {
                outcome.error = Some(error);
                break;
            }
        }
    }
    assert!(reader.next().unwrap().is_none(), "the reader returned an entry after its end");
    outcome.raw = reader.drain_findings().collect();
    outcome.findings = outcome.raw.iter().map(|f| format!("{} {}", f.span().start, f.rule())).collect();
    outcome
}

/// A reader that returns one byte per call.
struct Drip<'a>(&'a [u8]);

impl std::io::Read for Drip<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.len().min(buf.len()).min(1);
        buf[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

/// Reads a document from memory and from a stream, with and without the fast path. Panics if the results differ.
fn read(bytes: impl AsRef<[u8]>) -> Outcome {
    let bytes = bytes.as_ref();
    let whole = drain(SitemapReader::from_slice(bytes));
    let others = [
        drain(SitemapReader::from_reader(Drip(bytes))),
        drain(SitemapReader::from_slice_with(bytes, ReadOptions::new().without_fast_path())),
    ];
    for other in others {
        assert_eq!(other.entries, whole.entries);
        assert_eq!(other.raw, whole.raw);
        assert_eq!(other.error.map(|e| e.to_string()), whole.error.as_ref().map(ToString::to_string));
    }
    whole
}

/// Returns a urlset of protocol version 0.9 with `content` on line 2.
fn urlset(content: &str) -> String {
    format!("<urlset xmlns=\"{NS}\">\n{content}\n</urlset>")
}

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, entries: &[&str], findings: &[&str]) {
    let outcome = read(bytes);
    assert_eq!(outcome.entries, entries, "{:?}", outcome.raw);
    assert_eq!(outcome.findings, findings, "{:?}", outcome.raw);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
}

#[track_caller]
fn refused(bytes: impl AsRef<[u8]>) -> String {
    shown(read(bytes).error.expect("the document was read without an error").kind())
}

fn shown(kind: &ReadErrorKind) -> String {
    format!("{kind:?}")
}

fn kind(bytes: &[u8]) -> DocumentKind {
    SitemapReader::from_slice(bytes).document().unwrap().kind
}

pub(crate) mod formats {
    use super::*;

    #[test]
    pub(crate) fn urlset_with_all_four_values() {
        check(
            urlset(
                "<url><loc>https://example.com/?a=1&amp;b=%FC</loc><lastmod>2024-03</lastmod><changefreq>daily</changefreq><priority>.8</priority></url>",
            ),
            &["https://example.com/?a=1&b=%FC 2024-03 daily 0.8"],
            &[],
        );
    }

    #[test]
    pub(crate) fn order_and_white_space_mean_nothing() {
        check(
            urlset(
                "\n\n<url >\n <priority> 0.5 </priority>\r\n\t<lastmod>\n2024-03-09\n</lastmod><loc>\n https://example.com/\u{A0}</loc >\n</url>",
            ),
            &["https://example.com/ 2024-03-09 0.5"],
            &[],
        );
    }

    #[test]
    pub(crate) fn dialect_0_84() {
        let xml = "<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\"><url><loc>http://example.com/</loc></url></urlset>";
        check(xml, &["http://example.com/"], &[]);
        let document = SitemapReader::from_slice(xml.as_bytes()).document().unwrap();
        assert_eq!(document.dialect, Some(Dialect::V0_84));
    }

    #[test]
    pub(crate) fn index() {
        let xml = format!(
            "<sitemapindex xmlns=\"{NS}\"><sitemap><loc>https://example.com/a.xml.gz</loc><lastmod>2024-03-09</lastmod></sitemap></sitemapindex>"
        );
        check(&xml, &["https://example.com/a.xml.gz 2024-03-09"], &[]);
        let mut reader = SitemapReader::from_slice(xml.as_bytes());
        assert!(matches!(reader.next(), Ok(Some(Item::Sitemap(_)))));
    }

    #[test]
    pub(crate) fn text_with_any_line_ends_a_mark_and_blank_lines() {
        let text = "\u{FEFF}https://example.com/1\r\n\r\n  https://example.com/2\rhttps://example.com/3\n";
        check(text, &["https://example.com/1", "https://example.com/2", "https://example.com/3"], &[]);
        assert_eq!(kind(text.as_bytes()), DocumentKind::Text);
    }

    #[test]
    pub(crate) fn lines_that_are_not_urls_are_reported() {
        check(
            "# header\nhttps://example.com/1\n/relative\nhttps://example.com/2 2024-01-01\nftp://example.com/\n",
            &["https://example.com/1"],
            &[
                "1:1 text-line-invalid",
                "3:1 text-line-invalid",
                "4:1 text-line-invalid",
                "5:1 text-line-invalid",
            ],
        );
    }

    #[test]
    pub(crate) fn rss() {
        let xml = "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><title>News</title>\
            <link>https://example.com/</link><atom:link rel=\"self\" href=\"https://example.com/feed\"/>\
            <image><url>https://example.com/logo.png</url></image>\
            <item><title>a &lt; b</title><link>https://example.com/1</link><pubDate>Sat, 09 Mar 2024 16:05:30 GMT</pubDate></item>\
            <item><guid>https://example.com/2</guid></item>\
            <item><guid isPermaLink=\"false\">https://example.com/no</guid></item>\
            <item><link>/3</link></item></channel></rss>";
        check(
            xml,
            &["https://example.com/1 2024-03-09T16:05:30Z", "https://example.com/2", "https://example.com/3"],
            &["1:396 loc-missing", "1:476 feed-link-relative"],
        );
        assert_eq!(kind(xml.as_bytes()), DocumentKind::Rss);
    }

    #[test]
    pub(crate) fn rss_based_on_rdf() {
        for namespace in ["http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"] {
            let xml = format!(
                "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"{namespace}\"\
                 xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel rdf:about=\"https://example.com/\">\
                 <link>https://example.com/</link><items><rdf:Seq><rdf:li rdf:resource=\"x\"/></rdf:Seq></items>\
                 </channel><item rdf:about=\"https://example.com/1\"><title>a</title><link>https://example.com/1</link>\
                 <dc:date>2024-03-09T16:05:30Z</dc:date></item><item><link>https://example.com/2</link></item></rdf:RDF>"
            );
            check(&xml, &["https://example.com/1 2024-03-09T16:05:30Z", "https://example.com/2"], &[]);
            assert_eq!(kind(xml.as_bytes()), DocumentKind::Rss);
        }
    }

    #[test]
    pub(crate) fn a_line_of_text_keeps_bytes_that_are_not_utf8() {
        let mut reader =
            SitemapReader::from_slice(b"https://example.com/\xFF?a\nhttps://example.com/\xE2\x82\n");
        let mut locs = Vec::new();
        while let Some(item) = reader.next().unwrap() {
            if let Item::Page(page) = item {
                locs.push(page.loc().to_string());
            }
        }
        assert_eq!(locs, ["https://example.com/%FF?a", "https://example.com/%E2%82"]);
        let findings: Vec<_> = reader.drain_findings().map(|finding| finding.rule().id()).collect();
        assert_eq!(findings, ["utf8-invalid", "utf8-invalid"]);
    }

    #[test]
    pub(crate) fn any_white_space_around_a_url_is_trimmed() {
        for blank in
            ['\u{85}', '\u{A0}', '\u{1680}', '\u{2000}', '\u{200A}', '\u{2028}', '\u{3000}', '\u{FEFF}']
        {
            let outcome = read(urlset(&format!("<url><loc>{blank}https://example.com/{blank}</loc></url>")));
            assert_eq!(outcome.entries, ["https://example.com/"], "{blank:?}");
            let outcome = read(format!("https://example.com/{blank}\n{blank}\nhttps://example.com/2\n"));
            assert_eq!(outcome.entries, ["https://example.com/", "https://example.com/2"], "{blank:?}");
        }
    }

    #[test]
    pub(crate) fn atom_in_both_versions() {
        for (namespace, date) in
            [("http://www.w3.org/2005/Atom", "updated"), ("http://purl.org/atom/ns#", "modified")]
        {
            let xml = format!(
                "<feed xmlns=\"{namespace}\"><link rel=\"self\" href=\"https://example.com/feed\"/><link href=\"https://example.com/\"/>\
                <entry><link rel=\"enclosure\" href=\"https://example.com/x.mp3\"/><link href='https://example.com/1?a&amp;b'/>\
                <{date}>2024-03-09T16:05:30.25Z</{date}></entry>\
                <entry><link rel=\"alternate\" href=\"https://example.com/2\"/></entry></feed>"
            );
            check(&xml, &["https://example.com/1?a&b 2024-03-09T16:05:30.25Z", "https://example.com/2"], &[]);
            assert_eq!(kind(xml.as_bytes()), DocumentKind::Atom);
        }
    }

    #[test]
    pub(crate) fn an_empty_urlset_is_a_document() {
        check(urlset(""), &[], &[]);
        check(format!("<urlset xmlns=\"{NS}\"/>"), &[], &[]);
    }

    #[test]
    pub(crate) fn positions_of_entries_and_values() {
        let xml = urlset("<url><loc> https://example.com/ü </loc>\n<lastmod>2024</lastmod></url>");
        let mut reader = SitemapReader::from_slice(xml.as_bytes());
        let Some(Item::Page(page)) = reader.next().unwrap() else { panic!("the item is not a page") };
        let start = page.span().start;
        assert_eq!((start.offset, start.line, start.column), (61, 2, 1));
        let loc = page.value_span(sitemap_read::Value::Loc).unwrap();
        assert_eq!((loc.start.line, loc.start.column, loc.len), (2, 12, 22));
        let lastmod = page.value_span(sitemap_read::Value::LastMod).unwrap();
        assert_eq!((lastmod.start.line, lastmod.start.column, lastmod.len), (3, 10, 4));
        assert_eq!(page.value_span(sitemap_read::Value::Priority), None);
        assert!(page.source().starts_with(b"<url>") && page.source().ends_with(b"</url>"));
    }
}

/// Tests for the rows of `decisions.md`, which lists how the reader treats each known defect.
pub(crate) mod decisions {
    use super::*;

    const PAGE: &str = "<url><loc>https://example.com/</loc></url>";

    #[test]
    pub(crate) fn namespace_missing() {
        check(format!("<urlset>{PAGE}</urlset>"), &["https://example.com/"], &["1:1 namespace-missing"]);
    }

    #[test]
    pub(crate) fn namespace_misspelt() {
        for uri in [
            "http://www.sitemaps.org/schema/sitemap/0.9",
            "https://www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.google.com/schemas/sitemap/0.90",
            "urn:x",
        ] {
            check(
                format!("<urlset xmlns=\"{uri}\">{PAGE}</urlset>"),
                &["https://example.com/"],
                &["1:1 namespace-unknown"],
            );
        }
    }

    #[test]
    pub(crate) fn prefixed_root() {
        check(
            format!(
                "<s:urlset xmlns:s=\"{NS}\"><s:url><s:loc>https://example.com/</s:loc></s:url></s:urlset>"
            ),
            &["https://example.com/"],
            &[],
        );
        check(
            format!("<s:urlset xmlns:s=\"{NS}\">{PAGE}</s:urlset>"),
            &["https://example.com/"],
            &["1:66 namespace-missing"],
        );
    }

    #[test]
    pub(crate) fn newline_inside_a_url() {
        check(
            urlset(
                "<url><loc>https://example.com/a\nb</loc></url><url><loc>https://example.com/c</loc></url>",
            ),
            &["https://example.com/c"],
            &["2:11 loc-character"],
        );
    }

    #[test]
    pub(crate) fn blank_before_the_declaration() {
        check(
            format!("\n <?xml version=\"1.0\"?>{}", urlset(PAGE)),
            &["https://example.com/"],
            &["2:2 declaration-not-first"],
        );
        check(format!("\n {}", urlset(PAGE)), &["https://example.com/"], &[]);
    }

    #[test]
    pub(crate) fn comment_before_the_declaration() {
        check(
            format!("<!-- x --><?xml version=\"1.0\"?>{}", urlset(PAGE)),
            &["https://example.com/"],
            &["1:11 declaration-not-first"],
        );
    }

    #[test]
    pub(crate) fn text_before_the_document() {
        check(
            format!("Warning: foo\n<?xml version=\"1.0\"?>{}", urlset(PAGE)),
            &["https://example.com/"],
            &["1:1 content-before-root"],
        );
    }

    #[test]
    pub(crate) fn byte_order_mark() {
        check(format!("\u{FEFF}<?xml version=\"1.0\"?>{}", urlset(PAGE)), &["https://example.com/"], &[]);
    }

    #[cfg(feature = "encoding")]
    #[test]
    pub(crate) fn utf_16() {
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"utf-16\"?>{}",
            urlset("<url><loc>https://example.com/ü</loc></url>")
        );
        for mark in ["", "\u{FEFF}"] {
            let wide: Vec<u16> = mark.encode_utf16().chain(text.encode_utf16()).collect();
            let little: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            check(little, &["https://example.com/%C3%BC"], &["1:1 encoding-not-utf8"]);
            check(big, &["https://example.com/%C3%BC"], &["1:1 encoding-not-utf8"]);
        }
    }

    #[cfg(feature = "encoding")]
    #[test]
    pub(crate) fn declared_encodings() {
        let xml = format!(
            "<?xml version='1.0' encoding='ISO-8859-1'?>{}",
            urlset("<url><loc>https://example.com/ü</loc></url>")
        );
        let latin: Vec<u8> = xml.chars().map(|ch| u8::try_from(u32::from(ch)).unwrap()).collect();
        check(latin, &["https://example.com/%C3%BC"], &["1:1 encoding-not-utf8"]);
    }

    #[test]
    pub(crate) fn unknown_or_wrong_declared_encoding() {
        for name in ["utf-16", "x-unknown"] {
            let xml = format!("<?xml version='1.0' encoding='{name}'?>{}", urlset(PAGE));
            let rule = if cfg!(feature = "encoding") || name == "utf-16" {
                "encoding-mismatch"
            } else {
                "encoding-not-utf8"
            };
            check(xml, &["https://example.com/"], &[&format!("1:1 {rule}")]);
        }
    }

    #[test]
    pub(crate) fn bytes_that_are_not_utf8() {
        let xml = urlset("<url><loc>https://example.com/?u=~</loc></url>");
        let bytes: Vec<u8> = xml.bytes().map(|byte| if byte == b'~' { 0xFC } else { byte }).collect();
        check(bytes, &["https://example.com/?u=%FC"], &["2:34 utf8-invalid"]);
    }

    #[test]
    pub(crate) fn invalid_dates_never_drop_the_entry() {
        for (date, read, rule) in [
            ("yesterday", "", "lastmod-invalid"),
            ("2005-02-30", "", "lastmod-invalid"),
            ("06/03/2005", "", "lastmod-invalid"),
            ("", "", "value-empty"),
            ("2005-06-03T04:20:36", " 2005-06-03T04:20:36Z", "lastmod-no-zone"),
            ("2005-06-03T04:20:36+0800", " 2005-06-03T04:20:36+08:00", "lastmod-offset"),
            ("2005-06-03t04:20:36z", " 2005-06-03T04:20:36Z", "lastmod-lower-case"),
            ("2005-06-03 04:20:36Z", " 2005-06-03T04:20:36Z", "lastmod-blank"),
            ("2005-06-04Z", " 2005-06-04", "lastmod-date-zone"),
            ("2005-06-03T24:00:00Z", " 2005-06-04T00:00:00Z", "lastmod-24"),
            ("Fri, 03 Jun 2005 04:20:36 GMT", " 2005-06-03T04:20:36Z", "lastmod-mail"),
        ] {
            let xml = urlset(&format!("<url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url>"));
            let column = if date.is_empty() { 37 } else { 46 };
            check(xml, &[&format!("https://example.com/{read}")], &[&format!("2:{column} {rule}")]);
        }
    }

    #[test]
    pub(crate) fn years_and_months_stay_what_they_are() {
        check(
            urlset("<url><loc>https://example.com/</loc><lastmod>2005</lastmod></url>"),
            &["https://example.com/ 2005"],
            &[],
        );
    }

    #[test]
    pub(crate) fn bad_change_frequency() {
        check(
            urlset(
                "<url><loc>https://example.com/</loc><changefreq>Daily</changefreq></url><url><loc>https://example.com/</loc><changefreq>often</changefreq></url>",
            ),
            &["https://example.com/ daily", "https://example.com/"],
            &["2:49 changefreq-case", "2:121 changefreq-unknown"],
        );
    }

    #[test]
    pub(crate) fn bad_priority() {
        for bad in ["1.1", "-0.1", "0,5", "high", "1e-1"] {
            check(
                urlset(&format!("<url><loc>https://example.com/</loc><priority>{bad}</priority></url>")),
                &["https://example.com/"],
                &["2:47 priority-invalid"],
            );
        }
    }

    #[test]
    pub(crate) fn raw_ampersand_and_html_entities() {
        check(
            urlset(
                "<url><loc>https://example.com/?a=1&copy=1</loc></url>\n<url><loc>https://example.com/?a&nbsp;b</loc></url>",
            ),
            &["https://example.com/?a=1&copy=1", "https://example.com/?a&nbsp;b"],
            &["2:35 ampersand-raw", "3:33 entity-unknown"],
        );
    }

    #[test]
    pub(crate) fn references_are_decoded_once() {
        check(
            urlset("<url><loc>https://example.com/?a=1&amp;amp;b&#38;c</loc></url>"),
            &["https://example.com/?a=1&amp;b&c"],
            &[],
        );
    }

    #[test]
    pub(crate) fn characters_that_xml_forbids() {
        check(
            urlset(
                "<url><loc>https://example.com/&#0;</loc></url><url><loc>https://example.com/1</loc></url>",
            ),
            &["https://example.com/1"],
            &["2:31 character-forbidden", "2:11 loc-character"],
        );
    }

    #[test]
    pub(crate) fn upper_case_tags() {
        let outcome =
            read(format!("<URLSET xmlns=\"{NS}\"><URL><LOC>https://example.com/</LOC></URL></URLSET>"));
        assert_eq!(outcome.entries, ["https://example.com/"]);
        assert!(
            outcome.findings.iter().all(|finding| finding.ends_with(" tag-case")),
            "{:?}",
            outcome.findings
        );
        assert_eq!(outcome.findings.len(), 3);
    }

    #[test]
    pub(crate) fn character_data_sections() {
        check(
            urlset("<url><loc><![CDATA[https://example.com/?a&b]]></loc></url>"),
            &["https://example.com/?a&b"],
            &[],
        );
        check(
            urlset("<url><loc>https://example.com/<!-- x -->a<![CDATA[&]]></loc></url>"),
            &["https://example.com/a&"],
            &[],
        );
    }

    #[test]
    pub(crate) fn invalid_urls_drop_the_entry_and_are_reported() {
        for (loc, rule) in [
            ("/about", "loc-relative"),
            ("www.example.com/", "loc-relative"),
            ("ftp://example.com/", "loc-scheme"),
            ("mailto:a@example.com", "loc-scheme"),
            ("https:///x", "loc-host"),
            ("https://user@example.com/", "loc-credentials"),
            ("https://example.com:x/", "loc-port"),
        ] {
            let outcome = read(urlset(&format!("<url><loc>{loc}</loc></url>{PAGE}")));
            assert_eq!(outcome.entries, ["https://example.com/"]);
            assert_eq!(outcome.findings, [format!("2:11 {rule}")], "{loc}");
            assert!(
                outcome.raw[0].message().contains(&loc.replace("user@", "…@").replace("a@", "…@")),
                "{}",
                outcome.raw[0].message()
            );
        }
        check(urlset("<url><loc/></url>"), &[], &["2:6 loc-empty"]);
        check(urlset("<url></url>"), &[], &["2:1 loc-missing"]);
    }

    #[test]
    pub(crate) fn url_of_2_048_characters() {
        let long = format!("https://example.com/{}", "x".repeat(2_048 - 20));
        check(urlset(&format!("<url><loc>{long}</loc></url>")), &[], &["2:11 loc-too-long"]);
        check(urlset(&format!("<url><loc>{}</loc></url>", &long[..2_047])), &[&long[..2_047]], &[]);
    }

    #[test]
    pub(crate) fn dot_segments_are_resolved() {
        check(
            urlset("<url><loc>https://example.com/a/../b</loc></url>"),
            &["https://example.com/b"],
            &["2:11 loc-dot-segment"],
        );
    }

    #[test]
    pub(crate) fn two_urls_in_one_entry_are_two_entries() {
        check(
            urlset(
                "<url><loc>https://example.com/1</loc><lastmod>2024</lastmod><loc>https://example.com/2</loc><lastmod>2025</lastmod></url><url><loc>https://example.com/3</loc></url>",
            ),
            &["https://example.com/1 2024", "https://example.com/2 2025", "https://example.com/3"],
            &["2:61 loc-twice"],
        );
    }

    #[test]
    pub(crate) fn other_values_twice() {
        check(
            urlset(
                "<url><loc>https://example.com/1</loc><lastmod>2024</lastmod><lastmod>2025</lastmod></url>",
            ),
            &["https://example.com/1 2024"],
            &["2:61 element-duplicate"],
        );
    }

    #[test]
    pub(crate) fn the_url_of_an_image_is_never_the_url_of_the_page() {
        let image = "<image:image><image:loc>https://example.com/i.png</image:loc></image:image>";
        let loose = "<image:loc>https://example.com/i.png</image:loc>";
        for (root, rule) in [
            (
                format!(
                    "<urlset xmlns=\"{NS}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">"
                ),
                None,
            ),
            (
                format!(
                    "<urlset xmlns=\"{NS}\" xmlns:image=\"https://www.google.com/schemas/sitemap-image/1.1/\">"
                ),
                Some("extension-namespace"),
            ),
            (format!("<urlset xmlns=\"{NS}\" xmlns:image=\"{NS}\">"), Some("extension-namespace")),
            (format!("<urlset xmlns=\"{NS}\" xmlns:image=\"urn:x\">"), Some("extension-namespace")),
            (format!("<urlset xmlns=\"{NS}\">"), Some("namespace-undeclared")),
            ("<urlset xmlns:image=\"urn:x\">".to_owned(), Some("extension-namespace")),
            ("<urlset>".to_owned(), Some("namespace-undeclared")),
        ] {
            for content in [
                format!("<url>{image}<loc>https://example.com/1</loc>{loose}</url>"),
                format!("<url>{loose}<loc>https://example.com/1</loc>{image}</url>"),
            ] {
                let outcome = read(format!("{root}{content}</urlset>"));
                assert_eq!(outcome.entries, ["https://example.com/1"], "{root}");
                let rules: Vec<_> = outcome.raw.iter().map(|finding| finding.rule().id()).collect();
                assert_eq!(
                    rule.is_none(),
                    !rules.iter().any(|&id| id == "extension-namespace" || id == "namespace-undeclared"),
                    "{root} {rules:?}"
                );
                assert!(rule.is_none_or(|rule| rules.contains(&rule)), "{root} {rules:?}");
            }
            let outcome = read(format!("{root}<url>{loose}</url>{PAGE}</urlset>"));
            assert_eq!(outcome.entries, ["https://example.com/"], "{root}");
        }
    }

    #[test]
    pub(crate) fn url_as_text_of_the_entry() {
        check(
            urlset(
                "<url>https://example.com/1</url><url><lastmod>2024</lastmod>\nhttps://example.com/2</url>",
            ),
            &["https://example.com/1", "https://example.com/2 2024"],
            &["2:6 loc-as-text", "3:1 loc-as-text"],
        );
    }

    #[test]
    pub(crate) fn unclosed_tags() {
        check(
            urlset(
                "<url><loc>https://example.com/1<lastmod>2024</lastmod></url><url><loc>https://example.com/2</loc>\n<url><loc>https://example.com/3</url>",
            ),
            &["https://example.com/1 2024", "https://example.com/2", "https://example.com/3"],
            &["2:6 tag-unclosed", "2:61 tag-unclosed", "3:6 tag-unclosed"],
        );
        check(
            urlset("<url><loc>https://example.com/1</lock></url>"),
            &["https://example.com/1"],
            &["2:32 tag-unmatched", "2:6 tag-unclosed"],
        );
    }

    #[test]
    pub(crate) fn malformed_tags() {
        check(
            "< urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\">< url>< loc>http://example.com/</ loc></ url></urlset>",
            &["http://example.com/"],
            &[
                "1:1 tag-malformed",
                "1:61 tag-malformed",
                "1:67 tag-malformed",
                "1:92 tag-malformed",
                "1:99 tag-malformed",
            ],
        );
    }

    #[test]
    pub(crate) fn truncated_documents_keep_what_is_whole() {
        let root = format!("<urlset xmlns=\"{NS}\">");
        check(
            format!("{root}\n{PAGE}<url><loc>https://example.com/2</loc><lastm"),
            &["https://example.com/", "https://example.com/2"],
            &["2:86 truncated"],
        );
        check(
            format!("{root}\n{PAGE}<url><loc>https://example.com/2</loc><lastmod>2024-0"),
            &["https://example.com/", "https://example.com/2"],
            &["2:95 truncated"],
        );
        check(
            format!("{root}\n{PAGE}<url><loc>https://example.com/2"),
            &["https://example.com/"],
            &["2:53 loc-truncated", "2:74 truncated"],
        );
        check(format!("{root}\n{PAGE}"), &["https://example.com/"], &["2:43 truncated"]);
    }

    #[test]
    pub(crate) fn unknown_elements_and_text_between() {
        check(
            urlset("<extra><x/></extra>text<url><foo>1</foo><loc>https://example.com/</loc>more</url>"),
            &["https://example.com/"],
            &[
                "2:1 element-unknown",
                "2:8 element-unknown",
                "2:20 text-stray",
                "2:29 element-unknown",
                "2:72 text-stray",
            ],
        );
    }

    #[test]
    pub(crate) fn elements_of_unknown_namespaces_do_not_leak() {
        check(
            format!(
                "<urlset xmlns=\"{NS}\" xmlns:x=\"urn:x\"><x:md><x:url><x:loc>https://example.com/no</x:loc></x:url></x:md><url><x:loc>https://example.com/no</x:loc><loc>https://example.com/</loc><PageMap xmlns=\"http://www.google.com/schemas/sitemap-pagemap/1.0\"><loc>https://example.com/no</loc></PageMap></url></urlset>"
            ),
            &["https://example.com/"],
            &[],
        );
    }

    #[test]
    pub(crate) fn elements_around_entries_may_change_the_namespace() {
        let entry = "<url><loc>https://example.com/</loc></url>";
        check(
            urlset(&format!("<x xmlns=\"\">{entry}</x>{entry}")),
            &["https://example.com/", "https://example.com/"],
            &["2:1 element-unknown", "2:14 namespace-missing"],
        );
        check(
            urlset(&format!("<s:x xmlns:s=\"{NS}\" xmlns=\"urn:other\">{entry}</s:x>{entry}")),
            &["https://example.com/"],
            &["2:1 element-unknown"],
        );
        check(
            urlset(&format!("<x xmlns{entry}")),
            &["https://example.com/"],
            &["2:1 element-unknown", "2:10 namespace-missing"],
        );
    }

    #[test]
    pub(crate) fn doctype_is_skipped_and_nothing_expanded() {
        check(
            format!(
                "<!DOCTYPE urlset [<!ENTITY a \"https://evil.example/\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]>{}",
                urlset("<url><loc>https://example.com/&a;&b;</loc></url>")
            ),
            &["https://example.com/&a;&b;"],
            &["1:1 doctype", "2:31 entity-unknown"],
        );
    }

    #[test]
    pub(crate) fn a_damaged_doctype_hides_nothing() {
        // According to XML, the DOCTYPE extends to the end of the document, because its bracket or quote isn't closed.
        // The reader must find the entries anyway.
        for doctype in ["<!DOCTYPE urlset [<!ENTITY a \"b\">", "<!DOCTYPE urlset SYSTEM \"a.dtd>"] {
            let outcome = read(format!("{doctype}\n{}", urlset(PAGE)));
            assert_eq!(outcome.entries, ["https://example.com/"], "{doctype}");
            assert_eq!(outcome.findings[0], "1:1 doctype", "{doctype}");
        }
    }

    #[test]
    pub(crate) fn pages_of_any_place_are_kept() {
        check(
            urlset(
                "<url><loc>https://example.com/a</loc></url><url><loc>http://other.example:81/b</loc></url>",
            ),
            &["https://example.com/a", "http://other.example:81/b"],
            &[],
        );
    }

    #[test]
    pub(crate) fn dialects_in_one_document() {
        let old = "http://www.google.com/schemas/sitemap/0.84";
        check(
            format!(
                "<urlset xmlns=\"{NS}\" xmlns:g=\"{old}\">\n{PAGE}<g:url><g:loc>https://example.com/2</g:loc></g:url>\
                 <url xmlns=\"{old}\"><loc>https://example.com/3</loc></url></urlset>"
            ),
            &["https://example.com/", "https://example.com/2", "https://example.com/3"],
            &["2:44 mixed-dialects"],
        );
    }

    #[test]
    pub(crate) fn bad_values_of_extensions() {
        let xml = format!(
            "<urlset xmlns=\"{NS}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n\
             <url><loc>https://example.com/</loc>\n\
             <image:image><image:loc>/a.png</image:loc></image:image>\n\
             <video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>\
             <video:title>T</video:title><video:description>D</video:description>\
             <video:content_loc>https://example.com/v.mp4</video:content_loc>\n\
             <video:duration>long</video:duration><video:live>no</video:live></video:video></url></urlset>"
        );
        let outcome = read(&xml);
        assert_eq!(outcome.findings, ["3:14 extension-invalid", "5:1 extension-invalid"]);
        assert_eq!(
            outcome.raw[0].message(),
            "an invalid value is kept as it is: `image:loc` must be an absolute URL, found \"/a.png\"; start it with \
             `https://` or `http://`"
        );
        let mut reader = SitemapReader::from_slice(xml.as_bytes());
        let Some(Item::Page(page)) = reader.next().unwrap() else { panic!("the item is not a page") };
        assert_eq!(page.entry().images()[0].loc(), None);
        let video = &page.entry().videos()[0];
        assert_eq!((video.duration(), video.live()), (None, Some(false)));
    }

    #[test]
    pub(crate) fn duplicates_of_a_url_are_kept() {
        check(urlset(&format!("{PAGE}{PAGE}")), &["https://example.com/", "https://example.com/"], &[]);
    }

    #[test]
    pub(crate) fn entries_without_a_root() {
        check(PAGE, &["https://example.com/"], &["1:1 root-missing"]);
    }

    #[test]
    pub(crate) fn entries_of_the_wrong_kind() {
        check(
            urlset("<sitemap><loc>https://example.com/a.xml</loc></sitemap>"),
            &["https://example.com/a.xml"],
            &["2:1 element-misplaced"],
        );
        check(
            urlset("<loc>https://example.com/</loc>"),
            &["https://example.com/"],
            &["2:1 element-misplaced"],
        );
        check(
            format!("<sitemapindex xmlns=\"{NS}\">\n{PAGE}\n</sitemapindex>"),
            &["https://example.com/"],
            &["2:1 element-misplaced"],
        );
    }

    #[test]
    pub(crate) fn what_follows_the_root() {
        check(format!("{}<!-- fine -->\n", urlset(PAGE)), &["https://example.com/"], &[]);
        check(
            format!("{}\n{}", urlset(PAGE), urlset(PAGE)),
            &["https://example.com/", "https://example.com/"],
            &["4:1 content-after-root"],
        );
    }

    #[test]
    pub(crate) fn stray_angle_bracket() {
        check(
            urlset("<url><loc>https://example.com/?a<1</loc></url>"),
            &["https://example.com/?a%3C1"],
            &["2:33 markup-stray"],
        );
    }

    #[test]
    pub(crate) fn web_pages_and_other_documents_are_errors() {
        assert_eq!(refused("<!DOCTYPE html><html><body>404</body></html>"), shown(&ReadErrorKind::Html));
        assert_eq!(refused("\n<HTML><head/></HTML>"), shown(&ReadErrorKind::Html));
        assert_eq!(refused("<note/>"), shown(&ReadErrorKind::UnknownRoot("note".into())));
        assert_eq!(refused(" \n"), shown(&ReadErrorKind::Empty));
        assert_eq!(refused(""), shown(&ReadErrorKind::Empty));
        assert_eq!(refused("Not found"), shown(&ReadErrorKind::NotASitemap("Not found".into())));
        assert_eq!(refused("{\"a\": 1}"), shown(&ReadErrorKind::NotASitemap("{\"a\": 1}".into())));
    }
}

#[cfg(feature = "gzip")]
pub(crate) mod gzip {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn zip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    const PAGE: &str = "<url><loc>https://example.com/</loc></url>";

    #[test]
    pub(crate) fn one_member_several_and_twice() {
        let xml = urlset(PAGE);
        check(zip(xml.as_bytes()), &["https://example.com/"], &[]);
        let (a, b) = xml.split_at(70);
        check([zip(a.as_bytes()), zip(b.as_bytes())].concat(), &["https://example.com/"], &[]);
        check(zip(&zip(xml.as_bytes())), &["https://example.com/"], &["1:1 gzip-twice"]);
    }

    #[test]
    pub(crate) fn truncated_keeps_what_was_decoded() {
        let pages: String =
            (0..5_000).map(|n| format!("<url><loc>https://example.com/{}</loc></url>\n", n * 7919)).collect();
        let whole = zip(urlset(&pages).as_bytes());
        let outcome = read(&whole[..whole.len() / 2]);
        assert!(outcome.entries.len() > 500, "{}", outcome.entries.len());
        let rules: Vec<_> = outcome.raw.iter().map(|finding| finding.rule().id()).collect();
        assert!(rules.contains(&"gzip-truncated") && rules.contains(&"truncated"), "{rules:?}");
    }

    #[test]
    pub(crate) fn nothing_but_blanks_is_an_empty_document() {
        for blanks in ["", " ", "\n \t\r\n", "\u{FEFF}\n"] {
            assert_eq!(refused(blanks), shown(&ReadErrorKind::Empty), "{blanks:?}");
            assert_eq!(refused(zip(blanks.as_bytes())), shown(&ReadErrorKind::Empty), "{blanks:?}");
            assert_eq!(refused(zip(&zip(blanks.as_bytes()))), shown(&ReadErrorKind::Empty), "{blanks:?}");
        }
        assert_eq!(refused(zip(&vec![b'\n'; 200_000])), shown(&ReadErrorKind::Empty));
    }

    #[test]
    pub(crate) fn damaged_or_followed_by_other_bytes() {
        let mut bytes = zip(urlset(PAGE).as_bytes());
        bytes.extend_from_slice(b"trailing bytes");
        let outcome = read(&bytes);
        assert_eq!(outcome.entries, ["https://example.com/"]);
        assert_eq!(outcome.raw[0].rule().id(), "gzip-damaged");
    }

    #[test]
    pub(crate) fn bombs_are_stopped() {
        let bomb = zip(&[b"<urlset>".as_slice(), &vec![b' '; 8 << 20]].concat());
        let error = drain(SitemapReader::from_slice(&bomb)).error.unwrap().to_string();
        assert!(error.contains("ReadLimits::expansion"), "{error}");

        let mut limits = ReadLimits::default();
        (limits.expansion, limits.bytes) = (u64::MAX, 4 << 20);
        let options = ReadOptions::new().limits(limits);
        let error = drain(SitemapReader::from_slice_with(&bomb, options)).error.unwrap().to_string();
        assert!(error.contains("ReadLimits::bytes"), "{error}");

        limits.compressed_bytes = 100;
        let options = ReadOptions::new().limits(limits);
        let error = drain(SitemapReader::from_slice_with(&bomb, options)).error.unwrap().to_string();
        assert!(error.contains("ReadLimits::compressed_bytes"), "{error}");
    }
}

pub(crate) mod limits {
    use super::*;

    fn limit(xml: &str, set: impl FnOnce(&mut ReadLimits)) -> &'static str {
        let mut limits = ReadLimits::default();
        set(&mut limits);
        let options = ReadOptions::new().limits(limits);
        let by_slice = drain(SitemapReader::from_slice_with(xml.as_bytes(), options)).error.unwrap();
        let by_stream = drain(SitemapReader::from_reader_with(Drip(xml.as_bytes()), options)).error.unwrap();
        assert_eq!(by_slice.to_string(), by_stream.to_string());
        match by_slice.into_kind() {
            ReadErrorKind::Limit { limit, .. } => limit,
            other => panic!("the error is not about a limit: {other:?}"),
        }
    }

    #[test]
    pub(crate) fn each_ends_the_reading() {
        let page = "<url><loc>https://example.com/</loc></url>";
        assert_eq!(limit(&urlset(&page.repeat(9)), |l| l.bytes = 200), "bytes");
        assert_eq!(limit(&urlset(&page.repeat(9)), |l| l.entries = 3), "entries");
        assert_eq!(limit(&urlset(&format!("<url>{}", "<x>".repeat(99))), |l| l.depth = 64), "depth");
        assert_eq!(limit(&urlset(&"<x>".repeat(99)), |l| l.depth = 64), "depth");
        assert_eq!(
            limit(&urlset(&format!("<url><loc>{page}", page = "x".repeat(99))), |l| l.text_bytes = 50),
            "text_bytes"
        );
        let attributes: String = (0..200).map(|n| format!(" a{n}='1'")).collect();
        assert_eq!(limit(&urlset(&format!("<url{attributes}>")), |_| ()), "attributes");
    }

    #[test]
    pub(crate) fn an_endless_entry_ends() {
        let mut limits = ReadLimits::default();
        limits.bytes = u64::MAX;
        let endless = std::io::Read::chain(
            urlset("").replace("</urlset>", "<url>").leak().as_bytes(),
            std::io::repeat(b' '),
        );
        let options = ReadOptions::new().limits(limits);
        let error = drain(SitemapReader::from_reader_with(endless, options)).error.unwrap().to_string();
        assert!(error.contains("entry_bytes"), "{error}");
    }

    #[test]
    pub(crate) fn more_than_50_000_entries_are_read_and_reported_once() {
        let xml = urlset(&"<url><loc>https://example.com/</loc></url>\n".repeat(50_002));
        let outcome = drain(SitemapReader::from_slice(xml.as_bytes()));
        assert_eq!(outcome.entries.len(), 50_002);
        assert_eq!(outcome.findings, ["50002:1 too-many-entries"]);
    }

    #[test]
    pub(crate) fn findings_beyond_the_limit_are_counted() {
        let xml = urlset(&"<url></url>".repeat(1_500));
        let mut reader = SitemapReader::from_slice(xml.as_bytes());
        assert!(reader.next().unwrap().is_none());
        assert_eq!((reader.findings_total(), reader.findings_omitted()), (1_500, 500));
        assert_eq!(reader.omitted().collect::<Vec<_>>(), [(sitemap_read::Rule::LocMissing, 500)]);
        assert_eq!(reader.drain_findings().len(), 1_000);
    }
}

#[test]
fn strict_stops_at_the_first_violation() {
    let xml = urlset(
        "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc><lastmod>2024-03-09 10:00</lastmod></url><url><loc>https://example.com/3</loc></url>",
    );
    let outcome = drain(SitemapReader::from_slice_with(xml.as_bytes(), ReadOptions::new().strict(true)));
    assert_eq!(outcome.entries, ["https://example.com/1"]);
    let error = outcome.error.unwrap().to_string();
    assert_eq!(
        error,
        "2:90: error[lastmod-blank]: a date contains a blank, found \"2024-03-09 10:00\"; write `T` between date and time and no blank before the offset"
    );
}

#[test]
fn entries_borrow_where_the_bytes_allow() {
    let xml = urlset("<url><loc>https://example.com/1</loc></url>");
    let mut reader = SitemapReader::from_slice(xml.as_bytes());
    let item = reader.next().unwrap().unwrap();
    let loc = item.loc().as_str().as_ptr() as usize;
    let range = xml.as_ptr() as usize..xml.as_ptr() as usize + xml.len();
    assert!(range.contains(&loc));
}
