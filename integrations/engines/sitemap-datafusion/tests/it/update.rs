//! Tests of `COPY … OPTIONS (mode 'update')`.

use std::collections::BTreeSet;

use sitemap_core::{Directory, Site, SitemapSet};

use crate::support::Sandbox;

const BASE: &str = "https://www.example.com";

fn copy(sandbox: &Sandbox, rows: &str, options: &str) -> String {
    format!("COPY ({rows}) TO '{}' STORED AS SITEMAP OPTIONS (base '{BASE}'{options})", sandbox.out())
}

/// Publishes 200 pages each in the sections `posts` and `shop`, in eight buckets each.
async fn published() -> Sandbox {
    let sandbox = Sandbox::new(2);
    let rows = format!(
        "SELECT '{BASE}/posts/' || value AS loc, DATE '2026-01-31' AS lastmod, 'posts' AS section
         FROM generate_series(1, 200)
         UNION ALL SELECT '{BASE}/shop/' || value, NULL, 'shop' FROM generate_series(1, 200)"
    );
    assert_eq!(sandbox.number(&copy(&sandbox, &rows, ", buckets 8")).await, 400);
    let table = format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{}'", sandbox.out());
    sandbox.run(&table).await;
    sandbox
}

fn shards(sandbox: &Sandbox, section: &str) -> BTreeSet<String> {
    let stem = format!("sitemap-{section}-");
    let index = sandbox.index();
    sandbox.files().into_keys().filter(|name| name.starts_with(&stem) && index.contains(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_buckets_of_the_rows_are_written() {
    let sandbox = published().await;
    let (posts, shop) = (shards(&sandbox, "posts"), shards(&sandbox, "shop"));
    assert_eq!((posts.len(), shop.len()), (8, 8));
    let delta = format!(
        "SELECT '{BASE}/posts/7' AS loc, DATE '2026-02-01' AS lastmod, 'upsert' AS op
         UNION ALL SELECT '/posts/8', NULL, 'remove'
         UNION ALL SELECT '{BASE}/posts/none', NULL, 'remove'"
    );
    let update = copy(&sandbox, &delta, ", mode 'update', section 'posts'");
    assert_eq!(sandbox.number(&update).await, 2);
    assert_eq!(shards(&sandbox, "shop"), shop);
    let changed = shards(&sandbox, "posts");
    assert!((6..=7).contains(&posts.intersection(&changed).count()), "{changed:?}");
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 399);
    assert_eq!(sandbox.number("SELECT count(*) FROM pages WHERE loc LIKE '%/posts/8'").await, 0);
    assert_eq!(sandbox.number("SELECT count(*) FROM pages WHERE lastmod >= '2026-02-01'").await, 1);
    // Applying the same rows again changes nothing.
    let before = sandbox.files();
    assert_eq!(sandbox.number(&update).await, 0);
    assert!(sandbox.files() == before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_returns_what_it_did() {
    let sandbox = published().await;
    let delta = format!("SELECT '{BASE}/posts/7' AS loc, DATE '2026-02-01' AS lastmod");
    let update = copy(&sandbox, &delta, ", mode 'update', section 'posts'");
    let header = "| count | files_written | files_kept | files_removed | invalid_rows |";
    let report = sandbox.text(&update).await;
    assert!(report.contains(header), "{report}");
    assert!(
        report.contains("| 1     | 1             | 15         | 0             | 0            |"),
        "{report}"
    );
    let report = sandbox.text(&update).await;
    assert!(
        report.contains("| 0     | 0             | 0          | 0             | 0            |"),
        "{report}"
    );
    // The set's second change deletes the file that the first one replaced.
    let rows = "SELECT '/posts/1' AS loc, 'yearly' AS changefreq UNION ALL SELECT '/posts/2', 'never'";
    let replace = copy(&sandbox, rows, ", buckets 8, section 'posts', max_shrink 'off', on_invalid 'skip'");
    let report = sandbox.text(&replace).await;
    assert!(
        report.contains("| 202   | 2             | 8          | 1             | 0            |"),
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_update_changes_several_sections() {
    let sandbox = published().await;
    let delta = format!(
        "SELECT '{BASE}/posts/201' AS loc, 'posts' AS section UNION ALL SELECT '{BASE}/shop/201', 'shop'"
    );
    assert_eq!(sandbox.number(&copy(&sandbox, &delta, ", mode 'update'")).await, 2);
    let counts =
        sandbox.text("SELECT section, count(*) AS n FROM pages GROUP BY section ORDER BY section").await;
    assert!(counts.contains("| posts   | 201 |") && counts.contains("| shop    | 201 |"), "{counts}");

    let before = sandbox.index();
    let delta = format!("{delta} UNION ALL SELECT '{BASE}/news/1', 'news'");
    let error = sandbox.error(&copy(&sandbox, &delta, ", mode 'update'")).await;
    assert!(
        error.contains("has the sections `posts`, `shop`; name one of them with the option or the column"),
        "{error}"
    );
    let error = sandbox.error(&copy(&sandbox, &format!("SELECT '{BASE}/a' AS loc"), ", mode 'update'")).await;
    assert!(error.contains("has the sections `posts`, `shop`; name one of them"), "{error}");
    assert_eq!(sandbox.index(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_rows_stop_the_update_or_are_counted() {
    let sandbox = published().await;
    let before = sandbox.index();
    let good = format!("SELECT '{BASE}/posts/1' AS loc, DATE '2026-02-01' AS lastmod, 'upsert' AS op");
    for (row, message) in [
        ("'https://other.example/', NULL, 'upsert'", "page \"https://other.example/\" is not of the site"),
        ("'ftp://a/', NULL, 'upsert'", "found \"ftp://a/\""),
        ("NULL, NULL, 'upsert'", "the `loc` of a row is NULL"),
        ("'/posts/2', NULL, 'delete'", "row \"/posts/2\": `op` is \"delete\"; use `upsert` or `remove`"),
        ("'/posts/2', NULL, NULL", "row \"/posts/2\": `op` is NULL; use `upsert` or `remove`"),
    ] {
        let rows = format!("{good} UNION ALL SELECT {row}");
        let error = sandbox.error(&copy(&sandbox, &rows, ", mode 'update', section 'posts'")).await;
        assert!(error.contains(message), "{error}");
        assert_eq!(sandbox.index(), before);
        let other = published().await;
        let skipping = copy(&other, &rows, ", mode 'update', section 'posts', on_invalid skip");
        assert_eq!(other.number(&skipping).await, 1, "{row}");
    }
    let rows = format!("{good} UNION ALL SELECT '/posts/1', DATE '2026-02-02', 'upsert'");
    let error = sandbox.error(&copy(&sandbox, &rows, ", mode 'update', section 'posts'")).await;
    assert!(
        error.contains(
            "two different changes of the page \"https://www.example.com/posts/1\"; keep the last one"
        ),
        "{error}"
    );
    let rows = format!("{good} UNION ALL {good}");
    assert_eq!(sandbox.number(&copy(&sandbox, &rows, ", mode 'update', section 'posts'")).await, 1);
    let error = sandbox.error(&copy(&sandbox, &good, ", buckets 8, section 'posts'")).await;
    assert!(error.contains("the column `op` is only for updates"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_that_would_lose_most_pages_publishes_nothing() {
    let sandbox = published().await;
    let before = sandbox.files();
    let delta = format!(
        "SELECT '{BASE}/posts/' || value AS loc, 'remove' AS op, 'posts' AS section FROM generate_series(1, 150)"
    );
    let error = sandbox.error(&copy(&sandbox, &delta, ", mode 'update'")).await;
    assert!(
        error.contains("section `posts` would fall from 200 pages to 50")
            && error.contains("`OPTIONS (allow_shrink 'smaller')`"),
        "{error}"
    );
    assert!(sandbox.files() == before);
    assert_eq!(sandbox.number(&copy(&sandbox, &delta, ", mode 'update', allow_shrink 'smaller'")).await, 150);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_without_buckets_is_converted() {
    let sandbox = Sandbox::new(2);
    let (rows, options) = (format!("SELECT '{BASE}/posts/9999' AS loc"), ", mode 'update'");
    let error = sandbox.error(&copy(&sandbox, &rows, options)).await;
    assert!(error.contains("no set is published that could be updated"), "{error}");

    let site = Site::new(BASE).unwrap();
    let folder = Directory::open(sandbox.out()).unwrap();
    let mut run = SitemapSet::builder(site).storage(folder).replace().unwrap();
    run.section("posts").unwrap().add_all((0..9000).map(|id| format!("/posts/{id}"))).unwrap();
    run.commit().unwrap();
    assert_eq!(sandbox.number(&copy(&sandbox, &rows, options)).await, 1);
}
