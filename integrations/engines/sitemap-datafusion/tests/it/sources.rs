//! Tests of tables on a PostgreSQL server and in a bucket. A test is skipped if its server is missing.

use std::env;

use crate::support::{OPTIONS, Sandbox};

/// Returns the statement that creates a table from a query, or `None` if there is no PostgreSQL server.
#[cfg(feature = "postgres")]
fn table(name: &str, query: &str) -> Option<String> {
    let Ok(url) = env::var("DATABASE_URL") else {
        sitemap_tests::skip("there is no PostgreSQL server; run the tests with `dev/ci/with-postgres`");
        return None;
    };
    let query = query.replace('\'', "''");
    Some(format!(
        "CREATE EXTERNAL TABLE {name} STORED AS POSTGRES LOCATION '{url}' OPTIONS (query '{query}')"
    ))
}

#[cfg(feature = "postgres")]
const TYPES: &str = "\
SELECT true AS yes, 7::int2 AS small, 1234567890123 AS large, 0.8::numeric AS decimal, 0.25::float4 AS single,
       DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31 12:30:15.25' AS local,
       TIMESTAMPTZ '2026-01-31 12:30:15+02' AS moment, 'tea & cups' AS \"the \"\"text\"\"\", ARRAY[1, 2] AS other
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL -- the last";

#[cfg(feature = "postgres")]
#[tokio::test]
async fn each_type_of_postgres_is_converted() {
    let sandbox = Sandbox::new(1);
    let Some(table) = table("types", TYPES) else { return };
    sandbox.run(&table).await;
    assert_eq!(
        sandbox.text("SELECT * FROM types").await,
        "\
+------+-------+---------------+---------+--------+------------+-------------------------+----------------------+------------+-------+
| yes  | small | large         | decimal | single | day        | local                   | moment               | the \"text\" | other |
+------+-------+---------------+---------+--------+------------+-------------------------+----------------------+------------+-------+
| true | 7     | 1234567890123 | 0.8     | 0.25   | 2026-01-31 | 2026-01-31T12:30:15.250 | 2026-01-31T10:30:15Z | tea & cups | {1,2} |
|      |       |               |         |        |            |                         |                      |            |       |
+------+-------+---------------+---------+--------+------------+-------------------------+----------------------+------------+-------+"
    );
    assert_eq!(sandbox.number("SELECT count(*) FROM types").await, 2);
    assert_eq!(sandbox.number("SELECT count(*) FROM (SELECT day FROM types LIMIT 1)").await, 1);
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn rows_of_postgres_are_published() {
    let sandbox = Sandbox::new(2);
    let rows = "SELECT '/items/' || n AS loc, TIMESTAMPTZ '2026-01-31 00:00:00Z' + n * INTERVAL '1 second' AS lastmod,
                       0.5::numeric AS priority FROM generate_series(1, 50000) AS n";
    let Some(table) = table("items", rows) else { return };
    sandbox.run(&table).await;
    let out = sandbox.out();
    let options = OPTIONS.replace("buckets 1", "buckets 4, expect_urls 50000");
    assert_eq!(sandbox.number(&format!("COPY (SELECT * FROM items) TO '{out}' {options}")).await, 50_000);
    sandbox.run(&format!("CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '{out}'")).await;
    let newest =
        sandbox.text("SELECT loc, lastmod, priority FROM published ORDER BY lastmod DESC LIMIT 1").await;
    assert!(
        newest.contains("| https://www.example.com/items/50000 | 2026-01-31T13:53:20Z | 0.5      |"),
        "{newest}"
    );
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn errors_of_a_postgres_table_are_reported() {
    let sandbox = Sandbox::new(1);
    let create = |location: &str, options: &str| {
        format!("CREATE EXTERNAL TABLE x STORED AS POSTGRES LOCATION '{location}' {options}")
    };
    for (statement, message) in [
        (create("postgres://localhost/x", ""), "the option `query` is missing"),
        (
            create("postgres://localhost/x", "OPTIONS (table 'x')"),
            "`table` is not an option of a PostgreSQL table",
        ),
        (
            create("localhost:80:80", "OPTIONS (query 'SELECT 1')"),
            "write it as `postgres://user@host:5432/database`",
        ),
        (
            create("postgres://x@127.0.0.1:1/x", "OPTIONS (query 'SELECT 1')"),
            "PostgreSQL: error connecting to server",
        ),
    ] {
        let error = sandbox.error(&statement).await;
        assert!(error.contains(message), "{error}");
    }
    let Some(wrong) = table("x", "SELECT nothing FROM nowhere") else { return };
    let error = sandbox.error(&wrong).await;
    assert!(error.contains("PostgreSQL: relation \"nowhere\" does not exist"), "{error}");
    let error = sandbox.error(&table("x", "SELECT 1 AS a, 2 AS a").unwrap()).await;
    assert!(error.contains("the query has two columns `a`; give each column a different name"), "{error}");
    // This query fails only when its rows are read.
    sandbox.run(&table("late", "SELECT 1 / (n - 3) AS n FROM generate_series(1, 5) AS n").unwrap()).await;
    let error = sandbox.error("SELECT n FROM late").await;
    assert!(error.contains("PostgreSQL: division by zero"), "{error}");
}

#[cfg(feature = "buckets")]
#[tokio::test(flavor = "multi_thread")]
async fn files_in_a_bucket_are_tables() {
    let Ok(bucket) = env::var("SITEMAP_TEST_S3") else {
        sitemap_tests::skip(
            "there is no S3 server; run the tests with `dev/ci/with-s3` and set `AWS_…` to its credentials",
        );
        return;
    };
    let bucket = format!("s3://{}/sources", bucket.rsplit('/').next().unwrap());
    let sandbox = Sandbox::new(2);
    let rows = "SELECT '/items/' || value AS loc, DATE '2026-01-31' AS lastmod FROM generate_series(1, 1000)";
    for (format, name) in [("PARQUET", "pages.parquet"), ("CSV", "pages.csv"), ("JSON", "pages.json")] {
        sandbox.run(&format!("COPY ({rows}) TO '{bucket}/{name}' STORED AS {format}")).await;
        sandbox
            .run(&format!("CREATE EXTERNAL TABLE {format} STORED AS {format} LOCATION '{bucket}/{name}'"))
            .await;
        let copy = format!("COPY (SELECT loc, lastmod FROM {format}) TO '{bucket}/set/' {OPTIONS}");
        assert_eq!(sandbox.number(&copy).await, 1_000);
    }
    let missing = format!("CREATE EXTERNAL TABLE x STORED AS PARQUET LOCATION '{bucket}/none.parquet'");
    let error = sandbox.error(&missing).await;
    assert!(error.contains("none.parquet"), "{error}");
}
