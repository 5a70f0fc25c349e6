//! Documents that the reader can read although they aren't well-formed. Each mistake must have exactly one finding.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_read::{CheckOptions, Checker, OpenedSitemap, Severity};

use super::{NAMESPACE, NOTHING, found, lines, options, report};

/// Returns a document with `text` on line 3, inside an element that the reader doesn't interpret.
fn foreign(text: &str) -> String {
    around(&format!("<x:a xmlns:x=\"urn:x\">\n{text}\n</x:a>"))
}

/// Returns a document with `text` at the start of line 2, between two entries.
fn around(text: &str) -> String {
    format!("<urlset {NAMESPACE}><url><loc>https://example.com/a</loc></url>\n{text}\n</urlset>")
}

/// Returns a document with an XML declaration or DOCTYPE.
fn headed(head: &str) -> String {
    format!("{head}{}", around(""))
}

#[test]
fn characters() {
    for character in ["\u{1}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"] {
        assert_eq!(found(foreign(&format!("ü{character}"))), ["character-forbidden 3:2"], "{character:?}");
        assert_eq!(
            found(around(&format!("<!-- {character} -->"))),
            ["character-forbidden 2:6"],
            "{character:?}"
        );
        assert_eq!(
            found(around(&format!("<?a {character}?>"))),
            ["character-forbidden 2:5"],
            "{character:?}"
        );
        assert_eq!(
            found(foreign(&format!("<b c='{character}'/>"))),
            ["character-forbidden 3:7"],
            "{character:?}"
        );
        assert_eq!(
            found(foreign(&format!("<![CDATA[{character}]]>"))),
            ["character-forbidden 3:10"],
            "{character:?}"
        );
    }
    for bytes in [&b"\xFF"[..], b"\xC3", b"\xC0\x80", b"\xED\xA0\x80", b"\xF4\x90\x80\x80"] {
        for (template, place) in [
            (foreign("@"), "utf8-invalid 3:1"),
            (foreign("<b c='@'/>"), "utf8-invalid 3:7"),
            (around("<!-- @ -->"), "utf8-invalid 2:6"),
        ] {
            let mut document = template.into_bytes();
            let at = document.iter().position(|&byte| byte == b'@').unwrap();
            document.splice(at..=at, bytes.iter().copied());
            assert_eq!(found(document), [place], "{bytes:?}");
        }
    }
    assert_eq!(found(foreign("\t\u{7F}\u{85}\u{D7FF}\u{E000}\u{FFFD}\u{1_0000}\u{10_FFFF}")), NOTHING);
    assert_eq!(
        found(headed("<?xml version=\"1.0\" encoding=\"US-ASCII\"?><!-- ü -->")),
        ["encoding-mismatch 1:47"]
    );
}

/// A byte order mark doesn't count as a column, even if a later violation was found first.
#[test]
fn columns_after_a_byte_order_mark() {
    let document = format!(
        "\u{FEFF}<urlset {NAMESPACE}><!-- \u{1} -- --><url><loc>https://example.com/</loc></url></urlset>"
    );
    assert_eq!(found(document), ["character-forbidden 1:66", "comment-dashes 1:68"]);
}

#[test]
fn comments() {
    assert_eq!(found(around("<!-- a -- b -- c -->")), ["comment-dashes 2:8"]);
    assert_eq!(found(around("<!-- a --->")), ["comment-dashes 2:8"]);
    assert_eq!(found(around("<!-- a - b -->")), NOTHING);
    assert_eq!(found(format!("{}<!-- a", around(""))), ["truncated 3:10"]);
}

#[test]
fn attributes() {
    assert_eq!(found(foreign("<b c='1' d='' c='2'/>")), ["attribute-twice 3:15"]);
    assert_eq!(found(foreign("<b xmlns:y='urn:x' x:c='1' y:c='2'/>")), ["attribute-twice 3:28"]);
    assert_eq!(found(foreign("<b c='1' x:c='2'/>")), NOTHING);
    assert_eq!(found(foreign("<b c=1/>")), ["tag-malformed 3:4"]);
    assert_eq!(found(foreign("<b c/>")), ["tag-malformed 3:4"]);
    assert_eq!(found(foreign("<b c='1'd='2'/>")), ["tag-malformed 3:9"]);
    assert_eq!(found(foreign("<b 1='1'/>")), ["tag-malformed 3:4"]);
    assert_eq!(found(foreign("<b c='&nbsp;'/>")), ["entity-unknown 3:7"]);
    assert_eq!(found(foreign("<b c='a&b=c'/>")), ["ampersand-raw 3:8"]);
    assert_eq!(found(foreign("<b c='&#0;'/>")), ["character-forbidden 3:7"]);
    assert_eq!(found(foreign("<b c = '&amp;&#65;&#x41;\">' />")), NOTHING);
}

#[test]
fn namespaces() {
    assert_eq!(
        found(foreign("<b y:c='1' z:c='2'/><b y:d=''/>")),
        ["namespace-undeclared 3:4", "namespace-undeclared 3:12"]
    );
    assert_eq!(found(foreign("<b xmlns:y=''/>")), ["namespace-invalid 3:4"]);
    assert_eq!(found(foreign("<b xmlns:xml='urn:y'/>")), ["namespace-invalid 3:4"]);
    assert_eq!(found(foreign("<b xmlns:xmlns='urn:y'/>")), ["namespace-invalid 3:4"]);
    assert_eq!(found(foreign("<b xmlns='http://www.w3.org/2000/xmlns/'/>")), ["namespace-invalid 3:4"]);
    assert_eq!(found(foreign("<b x:y:z=''/>")), ["namespace-invalid 3:4"]);
    assert_eq!(found(foreign("<b xml:lang='de' x:c=''/>")), NOTHING);
}

#[test]
fn declarations() {
    assert_eq!(found(headed("<?xml encoding=\"UTF-8\"?>")), ["declaration-malformed 1:1"]);
    assert_eq!(
        found(headed("<?xml version=\"1.0\" standalone=\"yes\" encoding=\"UTF-8\"?>")),
        ["declaration-malformed 1:1"]
    );
    assert_eq!(found(headed("<?xml version=\"1.0\"encoding=\"UTF-8\"?>")), ["declaration-malformed 1:1"]);
    assert_eq!(found(headed("<?xml version=1.0?>")), ["declaration-malformed 1:1"]);
    assert_eq!(found(headed("<?xml version=\"2.0\"?>")), ["declaration-malformed 1:1"]);
    assert_eq!(found(headed("<?xml version=\"1.0\" standalone=\"maybe\"?>")), ["declaration-malformed 1:1"]);
    assert_eq!(found(headed("<?xml version=\"1.0\" x?>")), ["declaration-malformed 1:1"]);
    assert_eq!(found(headed("\n<?xml version=\"1.0\"?>")), ["declaration-not-first 2:1"]);
    assert_eq!(found(around("<?xml version=\"1.0\"?>")), ["declaration-not-first 2:1"]);
    assert_eq!(found(headed("\u{FEFF}<?xml version='1.1' encoding='utf-8' standalone='no' ?>\n")), NOTHING);
}

#[test]
fn references_and_text() {
    assert_eq!(found(foreign("a & b &c")), ["ampersand-raw 3:3", "ampersand-raw 3:7"]);
    assert_eq!(found(foreign("&nbsp;")), ["entity-unknown 3:1"]);
    assert_eq!(
        found(foreign("&#xD800; &#x110000;")),
        ["character-forbidden 3:1", "character-forbidden 3:10"]
    );
    assert_eq!(found(foreign("]]>")), ["cdata-end 3:1"]);
    assert_eq!(found(foreign("]] > ]>")), NOTHING);
}

#[test]
fn instructions() {
    assert_eq!(found(around("<??>")), ["instruction-malformed 2:1"]);
    assert_eq!(found(around("<?XML x?>")), ["instruction-malformed 2:1"]);
    assert_eq!(found(around("<?a/b?>")), ["instruction-malformed 2:1"]);
    assert_eq!(found(around("<?a:b?>")), ["namespace-invalid 2:1"]);
    assert_eq!(found(around("<?a?><?xml-b c?>")), NOTHING);
}

#[test]
fn tags() {
    assert_eq!(found(foreign("<b></b c='1'>")), ["tag-malformed 3:4"]);
    assert_eq!(found(foreign("<b×/>")), ["tag-malformed 3:3"]);
    assert_eq!(found(foreign("<b></c></b>")), ["tag-unmatched 3:4"]);
    assert_eq!(found(foreign("<b c='1'></b\n>")), NOTHING);
}

/// A DTD is skipped, and nothing in it is expanded.
#[test]
fn doctypes() {
    let with = |subset: &str, text: &str| format!("<!DOCTYPE urlset [{subset}]>\n{}", foreign(text));
    let subset = "<!-- don't ]> stop --><?it's ]> fine?><!ENTITY a '1]>'><!ELEMENT url>";
    assert_eq!(found(with(subset, "")), ["doctype 1:1"]);
    assert_eq!(
        found(with(subset, "&a;<b c='&a;'/>")),
        ["doctype 1:1", "entity-unknown 4:1", "entity-unknown 4:10"]
    );
    assert_eq!(
        found(headed("<!DOCTYPE a><!DOCTYPE b>")),
        ["doctype 1:1", "doctype 1:13", "doctype-malformed 1:13"]
    );
    assert_eq!(found(around("<!DOCTYPE a>")), ["doctype 2:1", "doctype-malformed 2:1"]);
    assert_eq!(found(headed("<!DOCTYPE a ['>\n"))[..2], ["doctype 1:1", "doctype-malformed 1:1"]);
}

/// The reader repairs and reports these defects. The XML check finds them too, but doesn't report them again.
#[test]
fn a_mistake_has_one_finding() {
    let entry = |text: &str| around(&format!("<url><loc>https://example.com/b</loc>{text}</url>"));
    for (document, expected) in [
        (around("<url><loc>https://example.com/?a&b</loc></url>"), "ampersand-raw 2:33"),
        (around("<url><loc>https://example.com/?a&nbsp;b</loc></url>"), "entity-unknown 2:33"),
        (around("<url><loc>https://example.com/b</loc><lastmod>2024-03-09</url>"), "tag-unclosed 2:38"),
        (entry("</lastmod>"), "tag-unmatched 2:38"),
        (entry("<Priority>0.5</priority>"), "tag-case 2:39"),
        (entry("<priority>0.5</Priority>"), "tag-unclosed 2:51"),
        (entry("<x:image/>"), "namespace-undeclared 2:39"),
        (format!("Warning\n{}", around("")), "content-before-root 1:1"),
        (format!("{}<p/>", around("")), "content-after-root 3:10"),
        (
            "<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/b</loc></url>"
                .to_owned(),
            "root-missing 1:1",
        ),
        (around("").replace("</urlset>", ""), "truncated 3:1"),
        (around("").replace("\n</urlset>", "<!-- "), "truncated 2:6"),
    ] {
        assert_eq!(found(&document), [expected], "{document}");
    }
}

/// For a stream, the check receives the text in different pieces than for a slice.
#[test]
fn compressed_streams() {
    let mut document = format!("<urlset {NAMESPACE}>\n");
    for number in 0..5_000 {
        writeln!(document, "<url><loc>https://example.com/{number}</loc></url>").unwrap();
        if number % 1_000 == 500 {
            document.push_str("<x:a xmlns:x=\"urn:x\" b='1'c='2'>&nbsp;<!-- -- --></x:a>\n");
        }
    }
    document.push_str("</urlset>\n<!-- ");
    let mut expected: Vec<String> = (0..5)
        .flat_map(|number| {
            let line = 503 + number * 1_001;
            [("tag-malformed", 27), ("entity-unknown", 33), ("comment-dashes", 44)]
                .map(|(rule, column)| format!("{rule} {line}:{column}"))
        })
        .collect();
    expected.push("truncated 5008:1".to_owned());
    assert_eq!(found(&document), expected);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(document.as_bytes()).unwrap();
    let compressed = gzip.finish().unwrap();
    let mut checker = Checker::new(CheckOptions::new());
    checker.check(OpenedSitemap::new("sitemap.xml.gz", &*compressed)).unwrap();
    assert_eq!(lines(&checker.finish(), false), expected);
}

#[test]
fn many_violations_are_counted() {
    let document = foreign(&"& ".repeat(30_000));
    let all = report(options().max_findings_per_rule(2), &document);
    assert_eq!(lines(&all, false), ["ampersand-raw 3:1", "ampersand-raw 3:3"]);
    assert_eq!(all.count(Severity::Error), 30_000);
}
