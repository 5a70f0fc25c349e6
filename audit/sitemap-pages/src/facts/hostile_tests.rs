//! Tests with pages designed to break a reader. Reading each takes time linear in its length, and none causes a panic.

use proptest::prelude::*;

use super::{PageFacts, Response};

fn read(body: &[u8], content_type: &str) -> PageFacts {
    let url = "https://example.com/a/";
    let headers = [("Content-Type", content_type)];
    PageFacts::of(&Response { requested: url, url, status: 200, headers: &headers, body, is_cut: true })
}

#[test]
fn large_pages() {
    const SIZE: usize = if cfg!(debug_assertions) { 1 << 20 } else { 5 << 20 };
    for piece in [
        "<",
        "</",
        "<!",
        "<a ",
        "<a href=\"",
        "<!--",
        "<!-- ->",
        "<div>",
        "</div>",
        "<div></p>",
        "<nav><td>",
        "<table><td>",
        "<template>",
        "<script>",
        "<script><!--<script>",
        "<title>",
        "&amp",
        "&",
        "\0",
        "<p>1 ",
        "1 May ",
        "© ",
        "<a href=../>",
        "<a href=x#",
        "<meta name=robots content=a,a>",
        "<link rel=canonical href=x>",
        "<time datetime=1>",
        "<img src=a-b-c.png>",
        "<p class='a a a a a a'>",
        "<noscript>",
        "<svg>",
        "</svg>",
        "<base href=x>",
        "\u{a0}",
        "a=",
    ] {
        let page = piece.repeat(SIZE / piece.len());
        let facts = read(page.as_bytes(), "text/html; charset=utf-8");
        assert!(facts.is_html && facts.blocks.len() <= crate::content::Blocks::MAX, "{piece}");
        assert!(
            facts.robots.len() <= 1000 && facts.canonicals.len() <= 1000 && facts.dates.len() <= 1000,
            "{piece}"
        );
    }
    let attributes = format!("<a {}", "b=c ".repeat(SIZE / 4));
    assert_eq!(read(attributes.as_bytes(), "text/html").links, []);
    let targets =
        (0..200_000).fold(String::new(), |targets, number| targets + &format!("<a href=/{number}>"));
    let facts = read(targets.as_bytes(), "text/html");
    assert_eq!((facts.links.len(), facts.omitted_links), (10_000, 190_000));
    let list = format!("<meta name=robots content={}>", "a,".repeat(SIZE / 2));
    let facts = read(list.as_bytes(), "text/html");
    assert_eq!((facts.robots.len(), facts.omitted), (1000, 1000));
    let robots = "<meta name=robots content=noindex>".repeat(3000);
    let facts = read(robots.as_bytes(), "text/html");
    assert_eq!((facts.robots.len(), facts.omitted), (1000, 2000));
}

#[test]
fn deep_nesting() {
    let depth = 100_000;
    let page = format!(
        "{}<p>Deep</p>{}<p>After</p>",
        "<div><section>".repeat(depth),
        "</section></div>".repeat(depth)
    );
    assert_eq!(read(page.as_bytes(), "text/html").blocks.len(), 2);
    let page = format!("<main>{}<nav><p>Link</p></main><p>After</p>", "<div>".repeat(depth));
    assert_eq!(read(page.as_bytes(), "text/html").blocks.len(), 1, "the end of `<main>` ends what is in it");
}

const WORDS: [&str; 44] = [
    "<",
    ">",
    "\"",
    "'",
    "=",
    "/",
    " ",
    "&",
    "#",
    ";",
    "<head>",
    "</head>",
    "<body>",
    "<title>",
    "</title>",
    "<main>",
    "</main>",
    "<article>",
    "<nav>",
    "</nav>",
    "<table>",
    "<td>",
    "</table>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<script type=application/ld+json>",
    "{\"dateModified\":\"2026\"}",
    "</script>",
    "<a href=",
    "../b#c",
    "<link rel='canonical alternate' hreflang=de href=/d>",
    "<meta name=robots content='unavailable_after: 1,'>",
    "<meta http-equiv=refresh content='0;url=é'>",
    "<base href=//>",
    "<time datetime='May 1, 2026'>",
    "21 May 2026 10:03",
    "3 days ago",
    "© 2026",
    "\0",
    "é",
    "\u{a0}",
    "年1",
];

proptest! {
    #[test]
    fn any_page(
        words in proptest::collection::vec(0..WORDS.len(), 0..60),
        noise in proptest::collection::vec(any::<u8>(), 0..40),
        at in any::<prop::sample::Index>(),
        charset in prop::sample::select(vec!["", "; charset=utf-8", "; charset=utf-16", "; charset=shift_jis", "; charset=x"]),
        headers in proptest::collection::vec("[-a-z:;,<>=\" 0-9é]{0,20}", 4),
    ) {
        let mut body: Vec<u8> = words.iter().flat_map(|&word| WORDS[word].bytes()).collect();
        let place = at.index(body.len() + 1);
        body.splice(place..place, noise);
        let content_type = format!("text/html{charset}");
        let headers = [
            ("content-type", &*content_type), ("link", &*headers[0]), ("x-robots-tag", &*headers[1]),
            ("refresh", &*headers[2]), ("last-modified", &*headers[3]),
        ];
        let url = "https://example.com/a/b";
        let response = Response { requested: url, url, status: 200, headers: &headers, body: &body, is_cut: false };
        prop_assert_eq!(PageFacts::of(&response), PageFacts::of(&response));
    }
}
