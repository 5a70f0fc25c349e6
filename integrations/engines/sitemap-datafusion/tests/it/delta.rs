//! Tests of Delta tables, and of what has changed in them. `integrations/engines/delta/check.py` tries tables of another writer.

use std::fs;

use datafusion::prelude::SessionContext;
use deltalake_core::DeltaTable;
use tempfile::TempDir;
use url::Url;

use crate::support::Sandbox;

const BASE: &str = "https://www.example.com";

/// A session, and a Delta table in a folder.
struct Lake {
    sandbox: Sandbox,
    folder: TempDir,
}

impl Lake {
    /// Creates a table with the change data feed. Version 0 has the rows of a query.
    async fn new(rows: &str, partitions: &[&str]) -> Self {
        let lake = Self { sandbox: Sandbox::new(2), folder: tempfile::tempdir().unwrap() };
        fs::create_dir(lake.folder.path().join("table")).unwrap();
        let written = lake.table().await.write(batches(rows).await);
        let feed = [("delta.enableChangeDataFeed", Some("true"))];
        let partitions: Vec<_> = partitions.iter().map(|name| (*name).to_owned()).collect();
        let _ = written.with_partition_columns(partitions).with_configuration(feed).await.unwrap();
        lake
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    async fn table(&self) -> DeltaTable {
        DeltaTable::try_from_url(Url::from_directory_path(self.path("table")).unwrap()).await.unwrap()
    }

    async fn insert(&self, rows: &str) {
        let _ = self.table().await.write(batches(rows).await).await.unwrap();
    }

    async fn update(&self, column: &str, value: &str, predicate: &str) {
        let _ =
            self.table().await.update().with_predicate(predicate).with_update(column, value).await.unwrap();
    }

    async fn delete(&self, predicate: &str) {
        let _ = self.table().await.delete().with_predicate(predicate).await.unwrap();
    }

    /// Returns the statement that creates a table of the session.
    fn create(&self, name: &str, options: &str) -> String {
        let options = options.replace("POSITION", &format!("position '{}'", self.path("position")));
        let options = if options.is_empty() { options } else { format!("OPTIONS ({options})") };
        format!(
            "CREATE OR REPLACE EXTERNAL TABLE {name} STORED AS DELTATABLE LOCATION '{}' {options}",
            self.path("table")
        )
    }

    fn copy(&self, rows: &str, options: &str) -> String {
        format!(
            "COPY ({rows}) TO '{}' STORED AS SITEMAP OPTIONS (base '{BASE}', {options})",
            self.sandbox.out()
        )
    }

    /// Publishes all pages, and saves the position.
    async fn publish(&self) -> u64 {
        self.sandbox.run(&self.create("pages", "POSITION")).await;
        self.sandbox
            .number(&self.copy("SELECT loc, lastmod FROM pages", "buckets 8, save_position 'pages'"))
            .await
    }

    /// Publishes what has changed since the position. The option `save_position` is left out if `saves` is false.
    async fn publish_changes(&self, saves: bool) -> u64 {
        self.sandbox.run(&self.create("changes", "changes_since 'position', POSITION")).await;
        let save = if saves { ", save_position 'changes'" } else { "" };
        self.sandbox
            .number(&self.copy("SELECT loc, lastmod, op FROM changes", &format!("mode 'update'{save}")))
            .await
    }

    fn position(&self) -> String {
        let text = fs::read_to_string(self.path("position")).unwrap();
        text.rsplit_once("\"version\":").unwrap().1.trim_end_matches('}').to_owned()
    }

    /// Fails if the published set and the table differ in a page or its date.
    async fn expect_equal(&self) {
        self.sandbox.run(&self.create("pages", "")).await;
        let published = format!(
            "CREATE OR REPLACE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '{}'",
            self.sandbox.out()
        );
        self.sandbox.run(&published).await;
        let differing = "SELECT count(*) FROM (
             SELECT loc, lastmod FROM published FULL JOIN (SELECT loc AS wanted, lastmod AS date FROM pages)
             ON loc = wanted AND lastmod = date WHERE loc IS NULL OR wanted IS NULL)";
        assert_eq!(self.sandbox.number(differing).await, 0);
    }
}

async fn batches(rows: &str) -> Vec<datafusion::arrow::record_batch::RecordBatch> {
    SessionContext::new().sql(rows).await.unwrap().collect().await.unwrap()
}

fn pages(numbers: &str, day: u32) -> String {
    format!(
        "SELECT '{BASE}/' || value AS loc, arrow_cast(TIMESTAMP '2026-01-{day:02}T00:00:00', 'Timestamp(Microsecond, Some(\"UTC\"))')
         AS lastmod FROM generate_series({numbers})"
    )
}

const NEWER: &str = "arrow_cast(TIMESTAMP '2026-01-20T00:00:00', 'Timestamp(Microsecond, Some(\"UTC\"))')";

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_the_last_state_of_each_page() {
    let lake = Lake::new(&pages("1, 5", 1), &[]).await;
    lake.update(
        "lastmod",
        "arrow_cast(TIMESTAMP '2026-01-10T00:00:00', 'Timestamp(Microsecond, Some(\"UTC\"))')",
        "loc LIKE '%/1'",
    )
    .await;
    lake.update("lastmod", NEWER, "loc LIKE '%/1'").await;
    lake.delete("loc LIKE '%/2'").await;
    lake.insert(&pages("6, 6", 6)).await;
    lake.delete("loc LIKE '%/6'").await;
    lake.delete("loc LIKE '%/3'").await;
    lake.insert(&pages("3, 3", 8)).await;
    lake.update("loc", "loc || '0'", "loc LIKE '%/4'").await;
    lake.sandbox.run(&lake.create("changes", "changes_since '0'")).await;
    assert_eq!(
        lake.sandbox.text("SELECT loc, CASE WHEN op = 'upsert' THEN lastmod END AS lastmod, op FROM changes ORDER BY loc").await,
        "\
+----------------------------+----------------------+--------+
| loc                        | lastmod              | op     |
+----------------------------+----------------------+--------+
| https://www.example.com/1  | 2026-01-20T00:00:00Z | upsert |
| https://www.example.com/2  |                      | remove |
| https://www.example.com/3  | 2026-01-08T00:00:00Z | upsert |
| https://www.example.com/4  |                      | remove |
| https://www.example.com/40 | 2026-01-01T00:00:00Z | upsert |
| https://www.example.com/6  |                      | remove |
+----------------------------+----------------------+--------+"
    );
    // Nothing has changed since the newest version, and only the pages 1 and 2 between the versions 1 and 3.
    lake.sandbox.run(&lake.create("none", "changes_since '8'")).await;
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM none").await, 0);
    lake.sandbox.run(&lake.create("some", "changes_since '1', version '3'")).await;
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM some WHERE _commit_version IN (2, 3)").await, 2);
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM some").await, 2);
    // An earlier version of the table has its rows.
    lake.sandbox.run(&lake.create("first", "version '0'")).await;
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM first WHERE loc LIKE '%/2'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_kept_equal_to_a_table() {
    let lake = Lake::new(&pages("1, 200", 1), &[]).await;
    assert_eq!((lake.publish().await, lake.position().as_str()), (200, "0"));
    lake.expect_equal().await;
    lake.update("lastmod", NEWER, "loc LIKE '%/17_'").await;
    lake.delete("loc LIKE '%/5'").await;
    // A run that ends before it saves its position is repeated.
    assert_eq!((lake.publish_changes(false).await, lake.position().as_str()), (11, "0"));
    lake.insert(&pages("201, 203", 3)).await;
    assert_eq!((lake.publish_changes(true).await, lake.position().as_str()), (3, "3"));
    lake.expect_equal().await;
    let before = lake.sandbox.files();
    assert_eq!((lake.publish_changes(true).await, lake.position().as_str()), (0, "3"));
    assert!(lake.sandbox.files() == before);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_that_have_expired_are_an_error() {
    let lake = Lake::new(&pages("1, 100", 1), &[]).await;
    assert_eq!(lake.publish().await, 100);
    let before = lake.sandbox.files();
    lake.delete("loc LIKE '%/5'").await;
    lake.update("lastmod", NEWER, "loc LIKE '%/17'").await;
    lake.insert(&pages("101, 101", 1)).await;
    lake.sandbox.run(&lake.create("changes", "changes_since 'position', POSITION")).await;
    let update = lake.copy("SELECT loc, lastmod, op FROM changes", "mode 'update', save_position 'changes'");
    let expired = "what changed since version 0 has expired: ";
    let remedy = "; publish all rows again, from a table without `changes_since`";
    // The files of changed rows are gone.
    let feed = format!("{}/_change_data", lake.path("table"));
    fs::rename(&feed, lake.path("kept")).unwrap();
    let error = lake.sandbox.error(&update).await;
    assert!(error.contains(expired) && error.contains(remedy), "{error}");
    fs::rename(lake.path("kept"), &feed).unwrap();
    // A version of the log is gone.
    deltalake_core::checkpoints::create_checkpoint(&lake.table().await, None).await.unwrap();
    fs::remove_file(format!("{}/_delta_log/{:020}.json", lake.path("table"), 1)).unwrap();
    let error = lake.sandbox.error(&update).await;
    assert!(error.contains(expired) && error.contains(remedy), "{error}");
    assert!(lake.sandbox.files() == before);
    assert_eq!(lake.position(), "0");
    // All rows are published again, and the next changes follow.
    assert_eq!((lake.publish().await, lake.position().as_str()), (100, "3"));
    lake.delete("loc LIKE '%/6'").await;
    assert_eq!((lake.publish_changes(true).await, lake.position().as_str()), (1, "4"));
    lake.expect_equal().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn partitions_are_sections() {
    let rows = format!(
        "SELECT '{BASE}/' || value AS loc, CASE WHEN value % 2 = 0 THEN 'even' ELSE 'odd' END AS section
                        FROM generate_series(1, 100)"
    );
    let lake = Lake::new(&rows, &["section"]).await;
    lake.sandbox.run(&lake.create("pages", "")).await;
    assert_eq!(lake.sandbox.number(&lake.copy("SELECT loc, section FROM pages", "buckets 4")).await, 100);
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM pages WHERE section = 'even'").await, 50);
    // A page moves to another section: it is removed from one and added to the other.
    lake.update("section", "'odd'", "loc LIKE '%/8'").await;
    lake.sandbox.run(&lake.create("changes", "changes_since '0', key 'loc section'")).await;
    assert_eq!(
        lake.sandbox.text("SELECT loc, section, op FROM changes ORDER BY op").await,
        "\
+---------------------------+---------+--------+
| loc                       | section | op     |
+---------------------------+---------+--------+
| https://www.example.com/8 | even    | remove |
| https://www.example.com/8 | odd     | upsert |
+---------------------------+---------+--------+"
    );
    assert_eq!(
        lake.sandbox.number(&lake.copy("SELECT loc, section, op FROM changes", "mode 'update'")).await,
        2
    );
    let table =
        format!("CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '{}'", lake.sandbox.out());
    lake.sandbox.run(&table).await;
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM published WHERE section = 'odd'").await, 51);
    assert_eq!(lake.sandbox.number("SELECT count(*) FROM published WHERE loc LIKE '%/8'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_with_positions_are_errors() {
    let lake = Lake::new(&pages("1, 10", 1), &[]).await;
    let changes = lake.create("changes", "changes_since 'position', POSITION");
    let error = lake.sandbox.error(&changes).await;
    assert!(error.contains("there is no position yet; publish all rows first"), "{error}");
    let error = lake.sandbox.error(&lake.copy("SELECT 'x' AS loc", "buckets 1, save_position 'none'")).await;
    assert!(error.contains("`save_position` names the table \"none\", which has no position"), "{error}");
    let error = lake.sandbox.error(&lake.create("later", "changes_since '7'")).await;
    assert!(
        error.contains("the changes start at version 7, but the newest version that is read is 0"),
        "{error}"
    );
    let error = lake.sandbox.error(&lake.create("early", "version '7'")).await;
    assert!(error.contains("cannot read version 7, which may have expired, of the Delta table"), "{error}");
    let error = lake.sandbox.error(&lake.create("keyed", "changes_since '0', key 'slug'")).await;
    assert!(error.contains("the Delta table has no column `slug`"), "{error}");
    assert_eq!(lake.publish().await, 10);
    // Another session holds the lock until it ends.
    let other = Sandbox::new(1);
    let error = other.error(&changes).await;
    assert!(error.contains("another run uses the position"), "{error}");
    // The position of another table does not count.
    let text = fs::read_to_string(lake.path("position")).unwrap();
    let (_, version) = text.rsplit_once(',').unwrap();
    fs::write(lake.path("position"), format!("{{\"table\":\"another\",{version}")).unwrap();
    let error = lake.sandbox.error(&changes).await;
    assert!(
        error.contains("the position is that of another Delta table, with the identity another"),
        "{error}"
    );
    fs::write(lake.path("position"), "12").unwrap();
    let error = lake.sandbox.error(&changes).await;
    assert!(error.contains("is not the position of a Delta table"), "{error}");
}

#[cfg(feature = "buckets")]
#[tokio::test(flavor = "multi_thread")]
async fn tables_and_positions_may_be_in_a_bucket() {
    let Ok(bucket) = std::env::var("SITEMAP_TEST_S3") else {
        sitemap_tests::skip(
            "there is no S3 server; run the tests with `dev/ci/with-s3` and set `AWS_…` to its credentials",
        );
        return;
    };
    let place = format!("s3://{}/lake-{}", bucket.rsplit('/').next().unwrap(), std::process::id());
    let sandbox = Sandbox::new(2);
    let create = |name: &str, options: &str| {
        format!(
            "CREATE EXTERNAL TABLE {name} STORED AS DELTATABLE LOCATION '{place}/table'
             OPTIONS ({options}position '{place}/position')"
        )
    };
    let error = sandbox.error(&create("missing", "")).await;
    assert!(error.contains("cannot read the Delta table `s3://"), "{error}");
    // The statement has registered the schemes of buckets, so that the table can be written.
    let url = Url::parse(&format!("{place}/table/")).unwrap();
    let table = DeltaTable::try_from_url(url).await.unwrap();
    let feed = [("delta.enableChangeDataFeed", Some("true"))];
    let table = table.write(batches(&pages("1, 20", 1)).await).with_configuration(feed).await.unwrap();
    let copy = |rows: &str, options: &str| {
        format!("COPY ({rows}) TO '{place}/set/' STORED AS SITEMAP OPTIONS (base '{BASE}', {options})")
    };
    sandbox.run(&create("pages", "")).await;
    let all = copy("SELECT loc, lastmod FROM pages", "buckets 2, save_position 'pages'");
    assert_eq!(sandbox.number(&all).await, 20);
    let _ = table.delete().with_predicate("loc LIKE '%/7'").await.unwrap();
    sandbox.run(&create("changes", "changes_since 'position', ")).await;
    let update = copy("SELECT loc, lastmod, op FROM changes", "mode 'update', save_position 'changes'");
    assert_eq!(sandbox.number(&update).await, 1);
    sandbox.run(&create("later", "changes_since 'position', ")).await;
    assert_eq!(sandbox.number("SELECT count(*) FROM later").await, 0);
}
