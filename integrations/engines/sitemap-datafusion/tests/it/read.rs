//! Tests of `CREATE EXTERNAL TABLE … STORED AS SITEMAP`.

use datafusion::arrow::record_batch::RecordBatch;
use sitemap_core::publish::shards::{PublishedShards, RecentCounts, ShardCommit};
use sitemap_core::{Directory, Entry, LastMod, Site, SitemapSet};

use crate::support::Sandbox;

async fn published() -> Sandbox {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    sandbox
        .run(&format!(
            "COPY (SELECT '/posts/' || value AS loc, DATE '2026-01-01' + CAST(value % 28 AS INT) AS lastmod,
                          'weekly' AS changefreq, 0.5 AS priority FROM generate_series(1, 3000))
             TO '{out}' STORED AS SITEMAP
             OPTIONS (base 'https://www.example.com', section 'blog-posts', buckets 3, gzip true)"
        ))
        .await;
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}'")).await;
    sandbox
}

#[tokio::test(flavor = "multi_thread")]
async fn a_published_set_is_read_from_its_index() {
    let sandbox = published().await;
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 3_000);
    assert_eq!(sandbox.number("SELECT count(DISTINCT loc) FROM pages").await, 3_000);
    assert_eq!(sandbox.number("SELECT count(DISTINCT sitemap) FROM pages").await, 3);
    assert_eq!(
        sandbox
            .number("SELECT count(*) FROM pages WHERE lastmod >= '2026-01-28' AND section = 'blog-posts'")
            .await,
        107
    );
    let page = sandbox
        .text("SELECT loc, lastmod, changefreq, priority, section FROM pages WHERE loc LIKE '%/7'")
        .await;
    assert!(
        page.contains(
            "| https://www.example.com/posts/7 | 2026-01-08T00:00:00Z | weekly     | 0.5      | blog-posts |"
        ),
        "{page}"
    );
    assert_eq!(sandbox.number("SELECT count(*) FROM (SELECT loc FROM pages LIMIT 10)").await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_can_be_filtered_and_written_again() {
    let (sandbox, other) = (published().await, Sandbox::new(2));
    let out = other.out();
    let sql = format!(
        "COPY (SELECT loc, lastmod FROM pages WHERE lastmod < '2026-01-08') TO '{out}' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', buckets 2)"
    );
    let kept = sandbox.number(&sql).await;
    other.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}sitemap.xml'")).await;
    assert_eq!(other.number("SELECT count(*) FROM pages").await, kept);
    assert_eq!(
        other.number("SELECT count(*) FROM pages WHERE priority IS NULL AND changefreq IS NULL").await,
        kept
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_file_is_a_table_too() {
    let sandbox = Sandbox::new(3);
    sandbox.write("urls.txt", "https://www.example.com/a\nhttps://www.example.com/b\n");
    let location = format!("{}urls.txt", sandbox.out());
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{location}'")).await;
    assert_eq!(
        sandbox.number("SELECT count(*) FROM pages WHERE sitemap = 'urls.txt' AND lastmod IS NULL").await,
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_a_sitemap_is_an_error_when_the_table_is_created() {
    let sandbox = Sandbox::new(1);
    let out = sandbox.write("page.html", "<html></html>").out();
    for (statement, message) in [
        (format!("LOCATION '{out}'"), "cannot open `sitemap.xml` in `"),
        (format!("LOCATION '{out}page.html'"), "cannot read `page.html`: "),
        ("LOCATION 'ftp://example.com/'".to_owned(), "ftp://example.com/"),
        (
            format!("LOCATION '{out}page.html' OPTIONS (gzip true)"),
            "`gzip` is not an option of a sitemap table",
        ),
    ] {
        let error =
            sandbox.error(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP {statement}")).await;
        assert!(error.contains(message), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_a_missing_file_names_it() {
    let sandbox = Sandbox::new(2);
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>\
                 <loc>https://www.example.com/gone.xml</loc></sitemap></sitemapindex>";
    let out = sandbox.write("sitemap.xml", index).out();
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}'")).await;
    let error = sandbox.error("SELECT count(*) FROM pages").await;
    assert!(error.contains("cannot open `gone.xml` in `"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_ends_too_early_is_an_error_and_not_a_smaller_count() {
    let sandbox = published().await;
    let files = sandbox.files();
    let (name, bytes) = files.iter().find(|(name, _)| name.contains("-00001-")).unwrap();
    sandbox.write_bytes(name, &bytes[..bytes.len() - 100]);
    let error = sandbox.error("SELECT count(lastmod) FROM pages").await;
    assert!(error.contains(&format!("cannot read all of `{name}`: ")), "{error}");
    assert!(error.contains("error[gzip-truncated]: the compressed file ends too early"), "{error}");
    sandbox.write("sitemap.xml", "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://www.example.com/</loc></url>");
    let error = sandbox.error("SELECT count(*) FROM pages").await;
    assert!(
        error.contains("error[truncated]: the document ends before its root element is closed"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn dates_keep_their_precision_through_a_table_and_back() {
    let (sandbox, again) = (Sandbox::new(2), Sandbox::new(2));
    let dates = ["2026", "2026-01", "2026-01-31", "2026-01-31T10:30Z", "2026-01-31T10:30:05.25+02:00"];
    let rows: Vec<_> = dates.iter().map(|date| format!("('/{date}', '{date}', 'a')")).collect();
    let rows = format!("VALUES {}, ('/none', NULL, 'b')", rows.join(", "));
    let options = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 2)";
    let rows = format!("SELECT column1 AS loc, column2 AS lastmod, column3 AS section FROM ({rows})");
    let rows = format!("SELECT 'https://www.example.com' || loc AS loc, lastmod, section FROM ({rows})");
    sandbox.run(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await;
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{}'", sandbox.out())).await;
    let found = sandbox.text("SELECT loc, lastmod_text, lastmod FROM pages ORDER BY loc").await;
    assert!(
        found.contains(
            "/2026-01-31                   | 2026-01-31                   | 2026-01-31T00:00:00Z |"
        ),
        "{found}"
    );
    let rows = "SELECT loc, lastmod_text AS lastmod, section FROM pages";
    sandbox.run(&format!("COPY ({rows}) TO '{}' {options}", again.out())).await;
    assert_eq!(sandbox.files().len(), again.files().len());
    assert!(sandbox.files() == again.files());
}

#[tokio::test(flavor = "multi_thread")]
async fn children_in_folders_are_not_mistaken_for_a_file_of_the_same_name() {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    let index = |paths: [&str; 2]| {
        let sitemaps =
            paths.map(|path| format!("<sitemap><loc>https://www.example.com{path}</loc></sitemap>"));
        let xmlns = "http://www.sitemaps.org/schemas/sitemap/0.9";
        format!("<sitemapindex xmlns=\"{xmlns}\">{}</sitemapindex>", sitemaps.concat())
    };
    sandbox.write("sitemap.xml", &index(["/de/map.txt", "/fr/map.txt"]));
    sandbox.write("map.txt", "https://www.example.com/unrelated\n");
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}'")).await;
    let error = sandbox.error("SELECT count(*) FROM pages").await;
    assert!(error.contains("cannot open `") && error.contains("/map.txt` in `"), "{error}");

    for language in ["de", "fr"] {
        std::fs::create_dir(format!("{out}{language}")).unwrap();
        sandbox.write(&format!("{language}/map.txt"), &format!("https://www.example.com/{language}/\n"));
    }
    let found = sandbox.text("SELECT loc, sitemap, section FROM pages ORDER BY loc").await;
    assert!(found.contains("| https://www.example.com/de/ | de/map.txt | map     |"), "{found}");
    assert!(found.contains("| https://www.example.com/fr/ | fr/map.txt | map     |"), "{found}");
    // The folder that serves both children doesn't have to exist.
    sandbox.write("sitemap.xml", &index(["/maps/de/map.txt", "/maps/fr/map.txt"]));
    assert_eq!(sandbox.number("SELECT count(DISTINCT loc) FROM pages").await, 2);
}

/// Publishes the sections `posts` and `shop` from full URLs, in 8 hash buckets each.
async fn published_by_url() -> Sandbox {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    sandbox
        .run(&format!(
            "COPY (SELECT 'https://www.example.com/posts/' || value AS loc, DATE '2026-01-31' AS lastmod, 'posts' AS section
                   FROM generate_series(1, 200)
                   UNION ALL SELECT 'https://www.example.com/shop/' || value, NULL, 'shop' FROM generate_series(1, 100))
             TO '{out}' STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 8)"
        ))
        .await;
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}'")).await;
    sandbox
}

/// Returns how many files a query reads, or `None` if it reads none.
async fn files_read(sandbox: &Sandbox, query: &str) -> Option<usize> {
    let plan = sandbox.text(&format!("EXPLAIN {query}")).await;
    let scan = plan.split("SitemapScanExec: ").nth(1)?;
    scan.split("files=").nth(1)?.split_whitespace().next()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_reads_only_files_that_may_have_its_rows() {
    let sandbox = published_by_url().await;
    for (filter, files, rows) in [
        ("loc = 'https://www.example.com/posts/7'", 2, 1),
        ("loc = 'https://www.example.com/posts/7' AND section = 'posts'", 1, 1),
        (
            "loc IN ('https://www.example.com/posts/7', 'https://www.example.com/posts/8') AND section = 'posts'",
            2,
            2,
        ),
        ("loc <> 'https://www.example.com/posts/7'", 16, 299),
        ("section = 'shop'", 8, 100),
        ("section <> 'shop'", 8, 200),
        ("section IN ('shop', 'posts')", 16, 300),
        ("lastmod >= '2026-01-31'", 8, 200),
        ("lastmod > '2026-01-31'", 0, 0),
        ("lastmod < '2026-02-01'", 8, 200),
        ("lastmod IS NULL", 16, 100),
        ("lastmod IS NOT NULL", 8, 200),
        ("lastmod > '2026-01-31' OR section = 'shop'", 8, 100),
        ("loc LIKE '%/7'", 16, 2),
    ] {
        let query = format!("SELECT loc FROM pages WHERE {filter}");
        assert_eq!(files_read(&sandbox, &query).await.unwrap_or_default(), files, "{filter}");
        let found = sandbox.run(&query).await.iter().map(RecordBatch::num_rows).sum::<usize>();
        assert_eq!(found, rows, "{filter}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_all_pages_comes_from_the_manifest() {
    let sandbox = published_by_url().await;
    let (all, some) = ("SELECT count(*) FROM pages", "SELECT count(*) FROM pages WHERE section = 'shop'");
    assert_eq!((files_read(&sandbox, all).await, files_read(&sandbox, some).await), (None, Some(8)));
    assert_eq!((sandbox.number(all).await, sandbox.number(some).await), (300, 100));
    assert_eq!(sandbox.number("SELECT count(*) FROM (SELECT loc FROM pages LIMIT 7)").await, 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_of_another_set_is_not_trusted() {
    let sandbox = published_by_url().await;
    let index = sandbox.index();
    let end = index.find("<sitemap><loc>https://www.example.com/sitemap-shop").unwrap();
    sandbox.write("sitemap.xml", &format!("{}</sitemapindex>", &index[..end]));
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 200);
    assert_eq!(files_read(&sandbox, "SELECT loc FROM pages WHERE section = 'shop'").await, Some(8));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_the_recent_section_count_once() {
    let sandbox = Sandbox::new(2);
    let storage = Directory::open(sandbox.out()).unwrap();
    let site = Site::new("https://www.example.com").unwrap();
    let builder = || SitemapSet::builder(site.clone());
    let mut shards = builder().write_shards(storage.clone(), "posts", 1).unwrap();
    let mut recent = builder().write_recent(storage.clone());
    let page =
        |path| Entry::new(site.resolve(path).unwrap()).with_lastmod(LastMod::date(2026, 1, 31).unwrap());
    for path in ["/posts/1", "/posts/2"] {
        shards.add(0, &page(path)).unwrap();
    }
    recent.add(0, &page("/posts/2")).unwrap();
    let mut commit = ShardCommit::new(builder());
    commit.add(shards.finish().unwrap().into_rows().remove(0)).unwrap();
    let file = recent.finish().unwrap().into_rows().pop();
    let commit = commit.recent(&PublishedShards::default(), file, RecentCounts::default()).unwrap();
    commit.publish(storage).unwrap();
    assert!(sandbox.index().contains("recent"), "{}", sandbox.index());
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{}'", sandbox.out())).await;
    assert_eq!(sandbox.number("SELECT count(*) FROM pages").await, 2);
    assert_eq!(sandbox.number("SELECT count(lastmod) FROM pages").await, 2);
    std::fs::remove_file(format!("{}.sitemap-manifest.jsonl", sandbox.out())).unwrap();
    assert_eq!(sandbox.number("SELECT count(lastmod) FROM pages").await, 2);
}
