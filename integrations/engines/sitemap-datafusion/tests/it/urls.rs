//! Tests of URLs that tables spell in different ways.

use crate::support::Sandbox;

const BASE: &str = "https://bücher.example";

/// Three spellings of the same pages: a host outside ASCII, Cyrillic, spaces, escapes, full URLs and paths.
const SPELLINGS: [[&str; 6]; 3] = [
    ["/ä", "/книги/1", "/tea for two", "/%D0%B0", "/q?x=ä y", "/plain"],
    [
        "https://bücher.example/%C3%A4",
        "https://BÜCHER.example/книги/1",
        "https://bücher.example:443/tea for two",
        "/%D0%B0",
        "https://xn--bcher-kva.example/q?x=%C3%A4%20y",
        "https://xn--bcher-kva.example/plain",
    ],
    [
        "https://xn--bcher-kva.example/%C3%A4",
        "https://xn--bcher-kva.example/%D0%BA%D0%BD%D0%B8%D0%B3%D0%B8/1",
        "/tea%20for%20two",
        "https://xn--bcher-kva.example/%D0%B0",
        "/q?x=%C3%A4%20y",
        "/plain",
    ],
];

fn values(locs: &[&str], more: &str) -> String {
    let rows: Vec<_> = locs.iter().map(|loc| format!("('{loc}'{more})")).collect();
    format!("(VALUES {})", rows.join(", "))
}

fn copy(sandbox: &Sandbox, rows: &str, options: &str) -> String {
    format!("COPY ({rows}) TO '{}' STORED AS SITEMAP OPTIONS (base '{BASE}'{options})", sandbox.out())
}

async fn published(spelling: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new(2);
    let rows = format!("SELECT column1 AS loc FROM {}", values(spelling, ""));
    assert_eq!(sandbox.number(&copy(&sandbox, &rows, ", buckets 64")).await, 6);
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{}'", sandbox.out())).await;
    sandbox
}

#[tokio::test(flavor = "multi_thread")]
async fn each_spelling_gives_the_same_shards() {
    let mut sets = Vec::new();
    for spelling in &SPELLINGS {
        sets.push(published(spelling).await.files());
    }
    assert!(sets[0] == sets[1] && sets[1] == sets[2]);
    assert_eq!(sets[0].len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_spelling_finds_its_page() {
    let sandbox = published(&SPELLINGS[0]).await;
    let query = "SELECT loc FROM pages WHERE loc = sitemap_loc('https://bücher.example', '/книги/1')";
    let plan = sandbox.text(&format!("EXPLAIN {query}")).await;
    assert!(plan.contains("files=1 ") || plan.contains("files=1\n") || plan.contains("files=1,"), "{plan}");
    for spelling in &SPELLINGS {
        let missing = format!(
            "SELECT count(*) FROM (SELECT sitemap_loc('{BASE}', column1) AS loc FROM {}) AS wanted
             WHERE NOT EXISTS (SELECT 1 FROM pages WHERE pages.loc = wanted.loc)",
            values(spelling, "")
        );
        assert_eq!(sandbox.number(&missing).await, 0);
        let rows =
            format!("SELECT column1 AS loc, column2 AS lastmod FROM {}", values(spelling, ", '2026-02-01'"));
        let changed = sandbox.number(&copy(&sandbox, &rows, ", mode 'update'")).await;
        // The first update changes all pages, and the others none.
        assert_eq!(changed, if spelling == &SPELLINGS[0] { 6 } else { 0 });
    }
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_in_several_rows_is_listed_once_and_counted() {
    let sandbox = Sandbox::new(2);
    let rows = format!("SELECT column1 AS loc FROM {}", values(&SPELLINGS.concat(), ""));
    for _ in 0..2 {
        let report = sandbox.text(&copy(&sandbox, &rows, ", buckets 4")).await;
        let cells: Vec<_> = report.lines().nth(3).unwrap().split('|').map(str::trim).collect();
        assert_eq!((cells[1], cells[6]), ("6", "12"), "{report}");
    }
    let error = sandbox.error(&copy(&sandbox, &rows, ", buckets 4, on_duplicate 'stop'")).await;
    assert!(error.contains("occurs in several rows"), "{error}");
    let report = sandbox.text(&copy(&sandbox, &rows, ", mode 'update'")).await;
    assert!(report.contains("| 12             |"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_not_a_url_is_null_or_an_error() {
    let sandbox = Sandbox::new(1);
    let query = "SELECT count(sitemap_loc('https://example.com', column1)) FROM (VALUES ('ftp://a/'), (NULL), ('/a'))";
    assert_eq!(sandbox.number(query).await, 1);
    let error = sandbox.error("SELECT sitemap_loc('example', '/a')").await;
    assert!(error.contains("the base URL of `sitemap_loc`: "), "{error}");
}
