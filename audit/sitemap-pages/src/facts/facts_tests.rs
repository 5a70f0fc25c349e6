//! Tests that read whole pages.

use super::{PageFacts, Place, Response, RobotsRule};

const URL: &str = "https://example.com/a/page";

fn read(headers: &[(&str, &str)], body: &[u8]) -> PageFacts {
    PageFacts::of(&Response { requested: URL, url: URL, status: 200, headers, body, is_cut: false })
}

fn html(body: &str) -> PageFacts {
    read(&[("Content-Type", "text/html; charset=utf-8")], body.as_bytes())
}

#[test]
fn the_head_ends_where_a_browser_ends_it() {
    const NOINDEX: &str = "<meta name=robots content=noindex>";
    for (before, place) in [
        ("", Some(Place::Head)),
        ("<!DOCTYPE html><html><head>", Some(Place::Head)),
        ("\u{feff} \n<!-- a --><head> \n", Some(Place::Head)),
        ("<head><title>a</title><script>b</script><style>c</style><base><link>", Some(Place::Head)),
        ("<head><noscript><img></noscript>", Some(Place::Head)),
        ("<head><template><p>a</p></template>", Some(Place::Head)),
        ("<head></div></p></span>", Some(Place::Head)),
        ("<head></head>", Some(Place::Head)),
        ("<head></head> <!-- a -->", Some(Place::Head)),
        ("<head></head><script></script>", Some(Place::Head)),
        ("<head><head>", Some(Place::Head)),
        ("<head><img>", Some(Place::Body)),
        ("<head><iframe></iframe>", Some(Place::Body)),
        ("<head>text", Some(Place::Body)),
        ("<head><custom-tag>", Some(Place::Body)),
        ("<head></body>", Some(Place::Body)),
        ("<head></br>", Some(Place::Body)),
        ("<head></head><noscript></noscript>", Some(Place::Body)),
        ("<head></head><body>", Some(Place::Body)),
        ("<p>a</p></head>", Some(Place::Body)),
        ("<head><template>", None),
        ("<head><noscript>", None),
        ("<head><!-- ", None),
        ("<head><title>", None),
        ("<head><svg>", None),
    ] {
        let facts = html(&format!("{before}{NOINDEX}"));
        assert_eq!(facts.robots.first().map(|robots| robots.place), place, "{before}");
    }
}

#[test]
fn statements_of_all_kinds() {
    let facts = read(
        &[
            ("content-type", "text/html; charset=utf-8"),
            ("LINK", "</c>; rel=canonical, </fr>; rel=alternate; hreflang=fr"),
            ("Link", "</x>; rel=canonical; anchor=\"/other\""),
            ("X-Robots-Tag", "nofollow"),
            ("Content-Language", "de"),
            ("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT"),
        ],
        "<html lang=en-GB><head><title> A \n &amp; B </title><title>C</title>\
         <link rel='Alternate' hreflang=de href='../de'><link rel=canonical href='../b?x=1&amp;y=2#top'>\
         <meta property=article:modified_time content=2026-11-20><meta http-equiv=Refresh content='5; url=next'>\
         <link rel=next href=2><body><link rel=canonical href=file:///d>\
         <a href=#top>a</a><a href='x y'>b</a><a href=x%20y rel='ugc NoFollow'>c</a><a href=//other.com>d</a>\
         <a href=http://[>e</a><a href=JavaScript:f()>f</a><area href=/g><iframe src=/h></iframe>\
         <template><a href=/t>t</a></template><time datetime='2026-11-19'></time>\
         <input TYPE=Password></html>"
            .as_bytes(),
    );
    assert_eq!(facts.title.as_deref(), Some("A & B"));
    assert_eq!(facts.language.as_deref(), Some("en-GB"));
    let canonicals: Vec<_> =
        facts.canonicals.iter().map(|one| (one.place, one.url.as_deref().unwrap())).collect();
    assert_eq!(
        canonicals,
        [
            (Place::Header, "https://example.com/c"),
            (Place::Head, "https://example.com/b?x=1&y=2"),
            (Place::Body, "file:///d"),
        ]
    );
    let translations: Vec<_> = facts
        .translations
        .iter()
        .map(|one| (one.place, &*one.language, one.url.as_deref().unwrap()))
        .collect();
    assert_eq!(
        translations,
        [(Place::Header, "fr", "https://example.com/fr"), (Place::Head, "de", "https://example.com/de"),]
    );
    let links: Vec<_> = facts.links.iter().map(|link| (&*link.url, link.is_nofollow)).collect();
    assert_eq!(
        links,
        [
            ("https://example.com/a/2", false),
            ("https://example.com/a/x%20y", false),
            ("https://other.com/", false),
            ("https://example.com/g", false),
            ("https://example.com/h", false),
        ]
    );
    assert_eq!((facts.invalid_links, facts.omitted_links), (1, 0));
    let refresh = facts.refresh.unwrap();
    assert_eq!((refresh.seconds, refresh.url.as_deref()), (5, Some("https://example.com/a/next")));
    let dates: Vec<_> = facts.dates.iter().map(|date| date.date.unwrap().to_string()).collect();
    assert_eq!(dates, ["2026-11-22T10:00:00Z", "2026-11-20", "2026-11-19"]);
    assert_eq!(facts.robots[0].rule, RobotsRule::NoFollow);
    assert!(facts.has_password);
}

#[test]
fn a_limit_on_links_is_reported() {
    let headers = [("Content-Type", "text/html")];
    let body = b"<a href=1><a href=2><a href=1><a href=3>";
    let response = Response { requested: URL, url: URL, status: 200, headers: &headers, body, is_cut: false };
    let facts = PageFacts::with_links(&response, 1);
    assert_eq!((facts.links.len(), facts.omitted_links), (1, 2));
}

#[test]
fn pages_that_scripts_fill() {
    let words = "word ".repeat(80);
    for (body, is_empty) in [
        ("<script src=a></script><div id=root></div>", true),
        (
            "<div id=app> <!-- a --> </div><script></script><p>Some text that stands for a footer of the page, all in all.</p>",
            true,
        ),
        (
            "<noscript>You need to enable JavaScript</noscript><script></script><p>Loading, please wait for a moment or two or three</p>",
            true,
        ),
        ("<app-root></app-root><script></script>", true),
        ("<div id=root></div>", false),
        (&*format!("<script></script><div id=root><p>{words}</p></div>"), false),
        (&*format!("<script></script><noscript>Enable JavaScript</noscript><p>{words}</p>"), false),
        ("<script></script><p>A short page of more than fifty letters is not empty at all.</p>", false),
    ] {
        assert_eq!(html(&format!("<body>{body}")).is_empty_without_javascript, is_empty, "{body}");
    }
}

#[test]
fn other_types() {
    let facts =
        read(&[("content-type", "application/pdf"), ("x-robots-tag", "noindex")], b"<title>a</title>");
    assert_eq!((facts.is_html, facts.title, facts.robots.len()), (false, None, 1));
    for (body, is_html) in
        [(&b" <!DOCTYPE html>a"[..], true), (b"<?xml version='1.0'?><urlset>", false), (b"a", false)]
    {
        assert_eq!(read(&[], body).is_html, is_html);
    }
    let xhtml = read(&[("content-type", "application/xhtml+xml")], b"<script/><title>a</title>");
    assert_eq!(xhtml.title.as_deref(), Some("a"));
    assert_eq!(html("<script/><title>a</title>").title, None);
}

#[test]
fn encodings() {
    let title =
        |content_type: &str, body: &[u8]| read(&[("content-type", content_type)], body).title.unwrap();
    assert_eq!(title("text/html; charset=windows-1252", b"<title>\x80</title>"), "€");
    assert_eq!(title("text/html; charset=\"ISO-8859-2\"", b"<title>\xb1</title>"), "ą");
    assert_eq!(title("text/html; charset=iso-8859-2", b"\xef\xbb\xbf<title>\xc4\x85</title>"), "ą");
    assert_eq!(
        title("text/html", b"<meta http-equiv=content-type content='text/html; charset=koi8-r'><title>\xc1"),
        "а"
    );
    assert_eq!(title("text/html", b"<meta charset=utf-16><title>\xc4\x85</title>"), "ą");
    assert_eq!(title("text/html", "<title>ą</title>".as_bytes()), "ą");
    assert_eq!(title("text/html", b"<title>\xe4</title>"), "ä");
    assert_eq!(title("text/html; charset=utf-16le", b"<\0t\0i\0t\0l\0e\0>\0a\0"), "a");
    assert_eq!(title("text/html; charset=utf-8", b"<title>\xff</title>"), "\u{fffd}");
}

#[test]
fn dates_of_structured_data() {
    let dates = |json: &str| {
        let facts = html(&format!("<script type=' application/LD+json'>{json}</script>"));
        (facts.dates.iter().map(|date| date.text.clone()).collect::<Vec<_>>(), facts.invalid_json_ld)
    };
    let found = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let graph =
        r#"{"@graph": [{"dateModified": "2026-11-01", "comment": {"datePublished": "2026-11-02"}}, 1]}"#;
    assert_eq!(dates(graph), (found(&["2026-11-01"]), 0));
    assert_eq!(dates(r#"[{"datePublished": "2026"}, {"dateModified": 5}]"#), (found(&["2026"]), 0));
    assert_eq!(dates(r#"{"dateModified": "2026",}"#), (found(&[]), 1));
    assert_eq!(dates("not JSON"), (found(&[]), 0));
    let deep = format!("{}{}", r#"{"dateModified":"2026","a":"#.repeat(5000), "}".repeat(5000));
    assert_eq!(dates(&deep), (found(&[]), 1));
}

#[test]
fn parts_of_pages_have_neither_a_head_nor_a_body_nor_a_doctype() {
    for part in
        ["", "<div>menu</div>", "<svg><title>logo</title></svg>", "<p>a<link rel=stylesheet href=a>", "word"]
    {
        assert!(html(part).is_fragment, "{part}");
    }
    for page in
        ["\n<!DOCTYPE html><p>a", "<p>a<body>", "<HTML>", "<head>", "<title>a</title>", "<meta name=a><p>a"]
    {
        assert!(!html(page).is_fragment, "{page}");
    }
    assert!(!read(&[("content-type", "application/pdf")], b"%PDF").is_fragment);
}
