//! Tests tables in a bucket. Skipped if there is no server.

use std::env;

use crate::support::{OPTIONS, Sandbox};

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
