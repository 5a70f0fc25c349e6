//! Tests of the columns `alternates`, `images`, `videos` and `news`.

use crate::support::Sandbox;

const OPTIONS: &str = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 2)";

const ROWS: &str = "SELECT 'https://www.example.com/a' AS loc,
    MAP {'fr': 'https://www.example.com/fr/a', 'de': 'https://www.example.com/de/a'} AS alternates,
    [named_struct('loc', 'https://cdn.example.net/1.jpg'), named_struct('loc', 'https://cdn.example.net/2.jpg')] AS images,
    [named_struct('thumbnail_loc', 'https://cdn.example.net/t.jpg', 'title', 'Tea', 'description', 'Hot & strong',
                  'content_loc', 'https://cdn.example.net/tea.mp4', 'duration', 90, 'tags', ['tea', 'cups'])] AS videos,
    named_struct('publication', named_struct('name', 'The Example Times', 'language', 'en'),
                 'publication_date', '2026-01-31', 'title', 'Tea today') AS news
    UNION ALL SELECT 'https://www.example.com/b', NULL, NULL, NULL, NULL";

async fn published(sandbox: &Sandbox, rows: &str) {
    sandbox.run(&format!("COPY ({rows}) TO '{}' {OPTIONS}", sandbox.out())).await;
}

/// Returns the contents of all shards.
fn xml(sandbox: &Sandbox) -> String {
    let files = sandbox.files().into_iter().filter(|(name, _)| name.starts_with("sitemap-"));
    files.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_extensions_are_written() {
    let sandbox = Sandbox::new(2);
    published(&sandbox, ROWS).await;
    let xml = xml(&sandbox);
    let expected = "<url><loc>https://www.example.com/a</loc>\
        <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://www.example.com/de/a\"/>\
        <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://www.example.com/fr/a\"/>\
        <image:image><image:loc>https://cdn.example.net/1.jpg</image:loc></image:image>\
        <image:image><image:loc>https://cdn.example.net/2.jpg</image:loc></image:image>\
        <video:video><video:thumbnail_loc>https://cdn.example.net/t.jpg</video:thumbnail_loc>\
        <video:title>Tea</video:title><video:description>Hot &amp; strong</video:description>\
        <video:content_loc>https://cdn.example.net/tea.mp4</video:content_loc><video:duration>90</video:duration>\
        <video:tag>tea</video:tag><video:tag>cups</video:tag></video:video>\
        <news:news><news:publication><news:name>The Example Times</news:name><news:language>en</news:language>\
        </news:publication><news:publication_date>2026-01-31</news:publication_date>\
        <news:title>Tea today</news:title></news:news></url>";
    assert!(xml.contains(expected), "{xml}");
    assert!(xml.contains("<url><loc>https://www.example.com/b</loc></url>"), "{xml}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_table_reads_can_be_published_again_to_the_byte() {
    let (sandbox, again) = (Sandbox::new(2), Sandbox::new(1));
    published(&sandbox, ROWS).await;
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{}'", sandbox.out())).await;
    let query =
        "SELECT images[1]['loc'] AS image, videos[1]['duration'] AS seconds, videos[1]['tags'] AS tags,
                 news['publication']['name'] AS paper, alternates['fr'] AS french FROM pages ORDER BY loc";
    let found = sandbox.text(query).await;
    let row = "| https://cdn.example.net/1.jpg | 90      | [tea, cups] | The Example Times | https://www.example.com/fr/a |";
    assert!(found.contains(row), "{found}");
    assert_eq!(sandbox.number("SELECT count(*) FROM pages WHERE images IS NULL AND news IS NULL").await, 1);

    let rows = "SELECT loc, alternates, images, videos, news FROM pages";
    sandbox.run(&format!("COPY ({rows}) TO '{}' {OPTIONS}", again.out())).await;
    assert!(sandbox.files() == again.files());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_writes_extensions() {
    let sandbox = Sandbox::new(2);
    published(&sandbox, "SELECT 'https://www.example.com/' || value AS loc FROM generate_series(1, 9)").await;
    let rows = "SELECT 'https://www.example.com/7' AS loc, [named_struct('loc', 'https://cdn.example.net/7.jpg')] AS images";
    let options = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', mode 'update')";
    assert_eq!(sandbox.number(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await, 1);
    let entry = "<url><loc>https://www.example.com/7</loc>\
                 <image:image><image:loc>https://cdn.example.net/7.jpg</image:loc></image:image></url>";
    assert!(xml(&sandbox).contains(entry));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_large_bucket_keep_their_extensions_on_disk() {
    let rows = "SELECT 'https://www.example.com/' || value AS loc,
                [named_struct('loc', 'https://cdn.example.net/' || repeat('i', 100) || value)] AS images
                FROM generate_series(1, 40000)";
    let options = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 1)";
    let (roomy, tight) = (Sandbox::with_memory(1, 1024), Sandbox::with_memory(1, 12));
    for sandbox in [&roomy, &tight] {
        sandbox.run(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await;
    }
    assert!(xml(&roomy).contains("<image:loc>https://cdn.example.net/"));
    assert!(roomy.files() == tight.files());
}

#[tokio::test(flavor = "multi_thread")]
async fn unsuitable_columns_are_refused_before_anything_is_read() {
    let sandbox = Sandbox::new(1);
    for (column, message) in [
        (
            "'/a.jpg' AS images",
            "`images` has the type Utf8; use a list of structs, for example `[named_struct('loc', …)]`",
        ),
        (
            "[named_struct('url', '/a.jpg')] AS images",
            "`url` is not a value of `images`; the values are `loc`, ",
        ),
        (
            "['/a.jpg'] AS images",
            "`images` has the type Utf8; use a struct, for example `named_struct('loc', …)`",
        ),
        (
            "named_struct('publication', 'The Times') AS news",
            "`news.publication` has the type Utf8; use a struct",
        ),
        (
            "['de'] AS alternates",
            "`alternates` has the type List(Utf8); use a map from the language to the URL",
        ),
    ] {
        let error = sandbox
            .error(&format!("COPY (SELECT '/a' AS loc, {column}) TO '{}' {OPTIONS}", sandbox.out()))
            .await;
        assert!(error.contains(message), "{error}");
    }
    assert!(sandbox.files().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_value_stops_the_statement_or_is_counted() {
    let sandbox = Sandbox::new(1);
    let rows = "SELECT '/a' AS loc, [named_struct('loc', 'no url')] AS images UNION ALL SELECT '/b', NULL";
    let error = sandbox.error(&format!("COPY ({rows}) TO '{}' {OPTIONS}", sandbox.out())).await;
    assert!(error.contains("row \"https://www.example.com/a\": `image:loc`: "), "{error}");
    let options = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 2, on_invalid skip)";
    let report = sandbox.text(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await;
    assert!(
        report.contains("| 1     | 1             | 0          | 0             | 1            |"),
        "{report}"
    );
}
