//! Tests of `COPY … STORED AS SITEMAP`.

use std::sync::Arc;

use datafusion::physical_plan::collect;

use crate::support::{OPTIONS, Sandbox};

#[tokio::test(flavor = "multi_thread")]
async fn the_shards_are_the_same_for_any_number_of_partitions() {
    let mut sets = Vec::new();
    for partitions in [1, 2, 7] {
        let sandbox = Sandbox::new(partitions);
        let count = sandbox
            .number(&format!(
                "COPY (SELECT 'https://www.example.com/' || value AS loc FROM generate_series(1, 20000))
                 TO '{}' STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 5, gzip true)",
                sandbox.out()
            ))
            .await;
        assert_eq!(count, 20_000);
        sets.push(sandbox.files());
        let plan = sandbox
            .text(&format!(
                "EXPLAIN COPY (SELECT '/' || value AS loc FROM generate_series(1, 20000)) TO '{}' STORED AS SITEMAP
                 OPTIONS (base 'https://www.example.com', buckets 5)",
                sandbox.out()
            ))
            .await;
        assert!(plan.contains("SitemapCommitExec") && plan.contains("SitemapWriteExec"), "{plan}");
        assert!(!plan.contains("SortExec"), "{plan}");
        assert_eq!(plan.contains("RepartitionExec: partitioning=Hash([bucket@0]"), partitions > 1, "{plan}");
    }
    assert_eq!(sets[0].len(), 6);
    assert!(sets[0] == sets[1] && sets[1] == sets[2]);
}

/// Publishes one row with these columns, and returns the part of its entry after `loc`.
async fn written(columns: &str) -> String {
    let sandbox = Sandbox::new(2);
    sandbox.run(&format!("COPY (SELECT '/a' AS loc, {columns}) TO '{}' {OPTIONS}", sandbox.out())).await;
    let (_, xml) = sandbox.files().into_iter().find(|(name, _)| name.contains("-00000-1-")).unwrap();
    let xml = String::from_utf8(xml).unwrap();
    xml.split("<url><loc>https://www.example.com/a</loc>")
        .nth(1)
        .unwrap()
        .split("</url>")
        .next()
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn dates_of_every_unit_with_and_without_a_zone() {
    for unit in ["Second", "Millisecond", "Microsecond", "Nanosecond"] {
        // 10:30 at UTC+1 is 09:30 in UTC.
        for (zone, hour) in [("None", 10), ("Some(\"UTC\")", 10), ("Some(\"+01:00\")", 9)] {
            let column = format!(
                "arrow_cast(TIMESTAMP '2026-01-31T10:30:05', 'Timestamp({unit}, {zone})') AS lastmod"
            );
            let moment = format!("<lastmod>2026-01-31T{hour:02}:30:05Z</lastmod>");
            assert_eq!(written(&column).await, moment, "{column}");
        }
    }
    // For dates before 1970, fractions of a second are rounded towards the past.
    let column = "arrow_cast(-1, 'Timestamp(Millisecond, None)') AS lastmod";
    assert_eq!(written(column).await, "<lastmod>1969-12-31T23:59:59Z</lastmod>");
    for column in [
        "DATE '2026-01-31' AS lastmod",
        "arrow_cast(DATE '2026-01-31', 'Date64') AS lastmod",
        "'2026-01-31' AS lastmod",
        "arrow_cast('2026-01-31', 'LargeUtf8') AS lastmod",
        "arrow_cast('2026-01-31', 'Dictionary(Int32, Utf8)') AS lastmod",
    ] {
        assert_eq!(written(column).await, "<lastmod>2026-01-31</lastmod>", "{column}");
    }
    for column in ["NULL AS lastmod", "CAST(NULL AS DATE) AS lastmod", "CAST(NULL AS TIMESTAMP) AS lastmod"] {
        assert_eq!(written(column).await, "", "{column}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn priorities_and_frequencies_of_every_type() {
    for (kind, value, priority) in [
        ("Float16", "0.5", "0.5"),
        ("Float32", "0.8", "0.8"),
        ("Float64", "0.8", "0.8"),
        ("Decimal128(3, 2)", "0.25", "0.25"),
        ("Decimal256(3, 2)", "0.25", "0.25"),
        ("Int8", "1", "1.0"),
        ("UInt64", "1", "1.0"),
        ("Utf8", "'0.40'", "0.4"),
    ] {
        let column = format!("arrow_cast({value}, '{kind}') AS priority");
        assert_eq!(written(&column).await, format!("<priority>{priority}</priority>"), "{kind}");
    }
    for kind in ["Utf8", "LargeUtf8", "Utf8View", "Dictionary(Int8, Utf8)"] {
        let column = format!("NULL AS priority, arrow_cast('daily', '{kind}') AS changefreq");
        assert_eq!(written(&column).await, "<changefreq>daily</changefreq>", "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_columns_are_planning_errors() {
    let sandbox = Sandbox::new(1);
    for (columns, message) in [
        ("1 AS loc", "`loc` has the type Int64; convert it to a text with `CAST`"),
        (
            "'/a' AS loc, 1767225600 AS lastmod",
            "`lastmod` has the type Int64; convert it to a timestamp, a date or a text",
        ),
        (
            "'/a' AS loc, true AS priority",
            "`priority` has the type Boolean; convert it to a number or a text",
        ),
        ("'/a' AS loc, 'x' AS title", "`title` is not a column of a sitemap"),
        ("'/a' AS url", "`url` is not a column of a sitemap"),
        ("'2026' AS lastmod", "the column `loc` is missing"),
    ] {
        let error = sandbox.error(&format!("COPY (SELECT {columns}) TO '{}' {OPTIONS}", sandbox.out())).await;
        assert!(error.contains(message), "{columns}: {error}");
    }
    let error = sandbox
        .error(&format!(
            "COPY (SELECT '/a' AS loc) TO '{}' STORED AS SITEMAP OPTIONS (base 'x')",
            sandbox.out()
        ))
        .await;
    assert!(error.contains("the option `buckets` is missing"), "{error}");
    assert!(sandbox.files().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_an_invalid_row_names_it_and_the_old_set_stays_published() {
    let sandbox = Sandbox::new(2);
    sandbox.run(&format!("COPY (SELECT '/old' AS loc) TO '{}' {OPTIONS}", sandbox.out())).await;
    let old = sandbox.index();
    for (row, message) in [
        (
            "'/b', '2026-02-30', NULL, NULL",
            "row \"https://www.example.com/b\": `lastmod` names a day that its month does not have, found \"2026-02-30\"",
        ),
        ("'/b', NULL, 'often', NULL", "unknown change frequency \"often\"; use one of"),
        (
            "'/b', NULL, NULL, 1.5",
            "row \"https://www.example.com/b\": sitemap priority must be between 0.0 and 1.0, found 1.5",
        ),
        ("'ftp://a/', NULL, NULL, NULL", "found \"ftp://a/\""),
        ("'https://other.example/', NULL, NULL, NULL", "found \"https://other.example/\""),
        ("NULL, NULL, NULL, NULL", "the `loc` of a row is NULL"),
    ] {
        let rows = format!(
            "SELECT column1 AS loc, column2 AS lastmod, column3 AS changefreq, column4 AS priority
             FROM (VALUES ('/a', '2026', 'daily', 0.5), ({row}), ('/c', NULL, NULL, NULL))"
        );
        let error = sandbox.error(&format!("COPY ({rows}) TO '{}' {OPTIONS}", sandbox.out())).await;
        assert!(error.contains(message), "{error}");
        assert!(row.starts_with("NULL") || error.contains("row \""), "{error}");
        assert_eq!(sandbox.index(), old);
        let skipping = OPTIONS.replace("buckets 1", "buckets 1, on_invalid skip");
        let other = Sandbox::new(2);
        assert_eq!(other.number(&format!("COPY ({rows}) TO '{}' {skipping}", other.out())).await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_published_without_a_page_or_with_too_few() {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    sandbox.run(&format!("COPY (SELECT '/old' AS loc) TO '{out}' {OPTIONS}")).await;
    let old = sandbox.index();
    let error = sandbox.error(&format!("COPY (SELECT '/a' AS loc WHERE false) TO '{out}' {OPTIONS}")).await;
    assert!(error.contains("no page to publish"), "{error}");
    let expecting = OPTIONS.replace("buckets 1", "buckets 1, expect_urls 2");
    let error = sandbox.error(&format!("COPY (SELECT '/a' AS loc) TO '{out}' {expecting}")).await;
    assert!(error.contains("the shards have 1 URL, but 2 are expected"), "{error}");
    assert_eq!(sandbox.index(), old);
    // The uncommitted shard of `/a` is still in the folder.
    assert_eq!(sandbox.files().len(), 3);
    let removing = OPTIONS.replace("buckets 1", "buckets 1, remove_uncommitted 0");
    sandbox.run(&format!("COPY (SELECT '/old' AS loc) TO '{out}' {removing}")).await;
    assert_eq!(sandbox.index(), old);
    assert_eq!(sandbox.files().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_would_lose_most_pages_publishes_nothing() {
    let sandbox = Sandbox::new(2);
    let copy = |pages: u32, option: &str| {
        let options = OPTIONS.replace("buckets 1", &format!("buckets 1{option}"));
        let rows = format!("SELECT '/' || value AS loc FROM generate_series(1, {pages})");
        format!("COPY ({rows}) TO '{}' {options}", sandbox.out())
    };
    assert_eq!(sandbox.number(&copy(1000, "")).await, 1000);
    let old = sandbox.index();
    let error = sandbox.error(&copy(10, "")).await;
    assert!(
        error.contains(
            "section `pages` would fall from 1000 pages to 10, and the limit is a loss of 30 %, from 100 pages on; \
             check the query, or allow the loss for this statement with `OPTIONS (allow_shrink 'smaller')`"
        ),
        "{error}"
    );
    assert_eq!(sandbox.index(), old);
    assert_eq!(sandbox.number(&copy(500, ", max_shrink '50%'")).await, 500);
    assert_eq!(sandbox.number(&copy(10, ", allow_shrink 'smaller'")).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_rows_than_memory_holds_are_sorted_on_disk() {
    let large = Sandbox::new(2);
    let rows = "SELECT 'https://www.example.com/a/long/path/that/takes/some/memory/' || value AS loc,
                       to_timestamp_seconds(value) AS lastmod
                FROM generate_series(1, 600000)";
    let sql = |sandbox: &Sandbox, buckets: u32| {
        let options = OPTIONS.replace("buckets 1", &format!("buckets {buckets}"));
        format!("COPY ({rows}) TO '{}' {options}", sandbox.out())
    };
    assert_eq!(large.number(&sql(&large, 24)).await, 600_000);
    for (partitions, mib) in [(2, 48), (2, 64), (4, 96)] {
        let small = Sandbox::with_memory(partitions, mib);
        assert_eq!(small.number(&sql(&small, 24)).await, 600_000);
        assert!(small.files() == large.files());
    }
    // Even the rows of a single hash bucket don't fit in memory.
    let large = Sandbox::new(2);
    assert_eq!(large.number(&sql(&large, 1)).await, 600_000);
    let small = Sandbox::with_memory(2, 48);
    assert_eq!(small.number(&sql(&small, 1)).await, 600_000);
    assert!(small.files() == large.files());
}

/// Publishes rows, and returns how many hash buckets were not rewritten because their rows were the same.
async fn unchanged(sandbox: &Sandbox, rows: &str, out: &str, options: &str) -> usize {
    let options = OPTIONS.replace("buckets 1", options);
    let sql = format!("COPY ({rows}) TO '{out}' {options}");
    let plan = sandbox.session.sql(&sql).await.unwrap().create_physical_plan().await.unwrap();
    collect(Arc::clone(&plan), sandbox.session.task_ctx())
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let mut node = plan;
    while node.name() != "SitemapWriteExec" {
        node = Arc::clone(node.children()[0]);
    }
    let unchanged = node.metrics().unwrap().sum_by_name("unchanged_buckets");
    unchanged.map_or(0, |count| count.as_usize())
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_buckets_on_disk_are_the_same_as_in_memory() {
    // With more than 1,024 buckets, rows are collected in two steps.
    let rows =
        "SELECT '/some/path/' || value AS loc, CASE WHEN value % 5 = 0 THEN 'b' ELSE 'a' END AS section,
                       CASE WHEN value = 77 THEN 'never' END AS lastmod
                FROM generate_series(1, 200000)";
    let options = "buckets 3000, on_invalid skip";
    let (large, small) = (Sandbox::with_memory(2, 1024), Sandbox::with_memory(3, 24));
    for sandbox in [&large, &small] {
        assert_eq!(unchanged(sandbox, rows, &sandbox.out(), options).await, 0);
    }
    let files = large.files();
    assert!(files.len() > 5_000 && files == small.files());
    // One of the files is the index, and one bucket contains an invalid row.
    assert_eq!(unchanged(&small, rows, &large.out(), options).await, files.len() - 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_sections_need_little_memory_or_are_refused() {
    let rows =
        "SELECT '/' || value AS loc, 'section' || (value % 1500) AS section FROM generate_series(1, 4500)";
    let (large, small) = (Sandbox::with_memory(1, 1024), Sandbox::with_memory(3, 24));
    for sandbox in [&large, &small] {
        let options = OPTIONS.replace("buckets 1", "buckets 2");
        assert_eq!(sandbox.number(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await, 4_500);
    }
    assert!(large.files().len() > 2_000 && large.files() == small.files());
    let rows = "SELECT '/' || value AS loc, 'section' || value AS section FROM generate_series(1, 50000)";
    let options = OPTIONS.replace("buckets 1", "buckets 1000");
    let error = small.error(&format!("COPY ({rows}) TO '{}' {options}", small.out())).await;
    assert!(
        error.contains(" sections of 1000 hash buckets do not fit in memory; use fewer of them, or"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_of_the_disk_also_holds_for_collected_rows() {
    let spill = sitemap_datafusion::Spill::default().limit(1_000_000);
    let session = sitemap_datafusion::session_with(16 * 1024 * 1024, Some(2), spill).unwrap();
    let sandbox = Sandbox::with_session(session);
    let rows = "SELECT '/some/path/' || value AS loc FROM generate_series(1, 600000)";
    let error = sandbox.error(&format!("COPY ({rows}) TO '{}' {OPTIONS}", sandbox.out())).await;
    assert!(error.contains("disk space"), "{error}");
    assert!(sandbox.files().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_with_the_same_rows_is_not_written_again() {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    let pages = "generate_series(1, 2000) AS pages(value)";
    let rows = "SELECT 'https://www.example.com/' || value AS loc, 0.5 AS priority FROM";
    let unchanged = async |rows: &str, options: &str| {
        unchanged(&sandbox, rows, &out, &format!("buckets 8{options}")).await
    };
    let all = format!("{rows} {pages}");
    assert_eq!(unchanged(&all, "").await, 0);
    let first = sandbox.files();
    assert_eq!(unchanged(&all, "").await, 8);
    assert_eq!(unchanged(&format!("{all} ORDER BY value DESC"), "").await, 8, "another order");
    assert!(sandbox.files() == first);

    // If one page is changed, added, removed or listed twice, one bucket is written.
    for (changed, count) in [
        (all.replace("0.5", "CASE WHEN value = 7 THEN 0.6 ELSE 0.5 END"), 2_000),
        (all.replace("2000", "2001"), 2_001),
        (all.replace("2000", "1999"), 1_999),
        (format!("{all} UNION ALL {rows} (VALUES (7)) AS more(value)"), 2_000),
    ] {
        assert_eq!(unchanged(&changed, &format!(", expect_urls {count}")).await, 7, "{changed}");
        let other = Sandbox::new(1);
        let options = OPTIONS.replace("buckets 1", "buckets 8");
        other.run(&format!("COPY ({changed}) TO '{}' {options}", other.out())).await;
        // The folder also contains the previous set's shard.
        assert_eq!(sandbox.index_without_dates(), other.index_without_dates(), "{changed}");
        assert_eq!(unchanged(&all, "").await, 7);
    }
    // Different settings write different files.
    assert_eq!(unchanged(&all, ", gzip true").await, 0);
    assert_eq!(unchanged(&all, ", also_list 'https://www.example.org'").await, 0);
    assert_eq!(unchanged(&all, "").await, 0);
    assert_eq!(unchanged(&all, ", rewrite true").await, 0);
    assert_eq!(unchanged(&all, "").await, 8);
    let images =
        all.replace("0.5 AS priority", "[named_struct('loc', 'https://cdn.example.net/a.jpg')] AS images");
    assert_eq!(unchanged(&images, "").await, 0);
    assert_eq!(unchanged(&images, "").await, 8);
    // A shard that was deleted is written again.
    assert_eq!(unchanged(&all, "").await, 0);
    let lost = shards_of(&sandbox, "pages").swap_remove(3);
    let bytes = sandbox.files()[&lost].clone();
    sandbox.write_bytes(&lost, b"");
    assert_eq!(unchanged(&all, "").await, 7);
    assert!(sandbox.files()[&lost] == bytes);
    // An update writes its buckets without recording which rows they came from.
    let update = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', mode 'update')";
    sandbox.run(&format!("COPY (SELECT 'https://www.example.com/new' AS loc) TO '{out}' {update}")).await;
    assert_eq!(unchanged(&all, "").await, 7);
    assert_eq!(unchanged(&all, "").await, 8);
    assert_eq!(sandbox.index_without_dates(), String::from_utf8_lossy(&first["sitemap.xml"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_with_an_invalid_row_is_reported_each_time() {
    let sandbox = Sandbox::new(2);
    let options = OPTIONS.replace("buckets 1", "buckets 4, on_invalid skip");
    let rows = "SELECT '/' || value AS loc, CASE WHEN value = 7 THEN 1.5 END AS priority
                FROM generate_series(1, 100)";
    for _ in 0..2 {
        let report = sandbox.text(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await;
        let cells: Vec<_> = report.lines().nth(3).unwrap().split('|').map(str::trim).collect();
        assert_eq!((cells[1], cells[5]), ("99", "1"), "{report}");
    }
    assert_eq!(unchanged(&sandbox, rows, &sandbox.out(), "buckets 4, on_invalid skip").await, 3);
    let error =
        sandbox.error(&format!("COPY ({rows}) TO '{}' {}", sandbox.out(), OPTIONS.replace("1)", "4)"))).await;
    assert!(error.contains("row \"https://www.example.com/7\": "), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_on_disk_has_the_same_order_and_the_same_invalid_rows() {
    // Each URL has three different entries, and one row in a thousand is invalid.
    let rows = "SELECT '/' || (value % 100000) AS loc,
                       CASE WHEN value % 3 = 0 THEN to_timestamp_seconds(value) END AS lastmod,
                       CASE WHEN value % 1000 = 7 THEN 1.5 ELSE value % 11 / 10.0 END AS priority,
                       CASE WHEN value % 2 = 0 THEN 'daily' END AS changefreq
                FROM generate_series(1, 300000)";
    let mut sets = Vec::new();
    for mib in [1024, 32] {
        let sandbox = Sandbox::with_memory(2, mib);
        let options = OPTIONS.replace("buckets 1", "buckets 1, on_invalid skip");
        let sql = format!("COPY ({rows}) TO '{}' {options}", sandbox.out());
        assert_eq!(sandbox.number(&sql).await, 99_900);
        let stop = sandbox.error(&sql.replace(", on_invalid skip", "")).await;
        assert!(
            stop.contains("row \"https://www.example.com/100007\": ") || stop.contains("found 1.5"),
            "{stop}"
        );
        sets.push(sandbox.files());
    }
    assert!(sets[0] == sets[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_join_that_sorts_needs_no_more_memory_than_its_share() {
    let small = Sandbox::with_memory(2, 64);
    small.run("SET datafusion.optimizer.prefer_hash_join = false").await;
    let rows = |from: u32| {
        format!(
            "SELECT 'https://www.example.com/a/long/path/that/takes/memory/' || value AS loc
                 FROM generate_series({from}, {})",
            from + 599_999
        )
    };
    let sql = format!("SELECT count(*) FROM ({}) a FULL JOIN ({}) b ON a.loc = b.loc", rows(1), rows(1001));
    assert_eq!(small.number(&sql).await, 601_000);
}

/// Publishes the sections `a` and `b` with one statement whose rows are unordered.
async fn two_sections() -> Sandbox {
    let sandbox = Sandbox::new(2);
    let rows = "SELECT '/' || value AS loc, CASE WHEN value % 2 = 0 THEN 'a' ELSE 'b' END AS section
                FROM generate_series(1, 400)";
    let sql = format!("COPY ({rows}) TO '{}' {}", sandbox.out(), OPTIONS.replace("buckets 1", "buckets 4"));
    assert_eq!(sandbox.number(&sql).await, 400);
    sandbox
}

fn shards_of(sandbox: &Sandbox, section: &str) -> Vec<String> {
    let (stem, index) = (format!("sitemap-{section}-"), sandbox.index());
    sandbox.files().into_keys().filter(|name| name.starts_with(&stem) && index.contains(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_statement_publishes_several_sections() {
    let sandbox = two_sections().await;
    assert_eq!((shards_of(&sandbox, "a").len(), shards_of(&sandbox, "b").len()), (4, 4));
    // The shards are the same as with a separate statement for each section.
    let (a, b) = (Sandbox::new(2), Sandbox::new(1));
    for (sandbox, section, rest) in [(&a, "a", 0), (&b, "b", 1)] {
        let rows =
            format!("SELECT '/' || value AS loc FROM generate_series(1, 400) WHERE value % 2 = {rest}");
        let options = OPTIONS.replace("buckets 1", &format!("buckets 4, section '{section}'"));
        sandbox.run(&format!("COPY ({rows}) TO '{}' {options}", sandbox.out())).await;
    }
    let mut files = sandbox.files();
    for (name, bytes) in a.files().into_iter().chain(b.files()).filter(|(name, _)| name != "sitemap.xml") {
        assert!(files.remove(&name).is_some_and(|found| found == bytes), "{name}");
    }
    assert_eq!(files.len(), 1);

    let sql = |section: &str, options: &str| {
        let options = OPTIONS.replace("buckets 1", &format!("buckets 4{options}"));
        format!("COPY (SELECT '/x' AS loc, {section} AS section) TO '{}' {options}", sandbox.out())
    };
    let before = sandbox.index();
    for (section, message) in [
        ("NULL", "row \"https://www.example.com/x\": `section` is NULL; write the section of the page"),
        ("'a/b'", "\"a/b\""),
        ("1", "`section` has the type Int64; convert it to a text with `CAST`"),
    ] {
        let error = sandbox.error(&sql(section, "")).await;
        assert!(error.contains(message), "{error}");
    }
    let error = sandbox.error(&sql("CAST(NULL AS TEXT)", ", on_invalid skip")).await;
    assert!(error.contains("no page to publish"), "{error}");
    assert_eq!(sandbox.index(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_replaces_the_sections_of_its_rows() {
    let sandbox = two_sections().await;
    let (a, b) = (shards_of(&sandbox, "a"), shards_of(&sandbox, "b"));
    let copy = |options: &str| {
        let options = OPTIONS.replace("buckets 1", &format!("buckets 4{options}"));
        let rows = "SELECT '/' || value AS loc, 'b' AS section FROM generate_series(1, 200)";
        format!("COPY ({rows}) TO '{}' {options}", sandbox.out())
    };
    assert_eq!(sandbox.number(&copy("")).await, 400);
    assert_eq!(shards_of(&sandbox, "a"), a);
    assert_ne!(shards_of(&sandbox, "b"), b);
    // A section that is missing from the rows is only removed if the statement asks for it.
    let before = sandbox.index();
    for allow in ["", ", allow_shrink 'smaller'"] {
        let error = sandbox.error(&copy(&format!(", mode 'replace_all'{allow}"))).await;
        assert!(error.contains("section `a` would fall from 200 pages to none"), "{error}");
        assert!(error.contains("allow_shrink 'empty'"), "{error}");
    }
    assert_eq!(sandbox.index(), before);
    assert_eq!(sandbox.number(&copy(", mode 'replace_all', allow_shrink 'empty'")).await, 200);
    assert_eq!(shards_of(&sandbox, "a").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_number_of_buckets_is_refused() {
    let sandbox = two_sections().await;
    let before = sandbox.files();
    for rows in ["SELECT '/x' AS loc, 'a' AS section", "SELECT '/x' AS loc"] {
        let options = |more: &str| OPTIONS.replace("buckets 1", &format!("buckets 5, section 'a'{more}"));
        let sql = |more: &str| format!("COPY ({rows}) TO '{}' {}", sandbox.out(), options(more));
        let error = sandbox.error(&sql("")).await;
        assert!(
            error.contains("section `a` is published with 4 buckets, but the statement has 5; write `buckets 4`, or allow"),
            "{error}"
        );
    }
    assert_eq!(sandbox.files().get("sitemap.xml"), before.get("sitemap.xml"));
    let options =
        OPTIONS.replace("buckets 1", "buckets 5, section 'a', allow_rebucket true, allow_shrink smaller");
    sandbox.run(&format!("COPY (SELECT '/x' AS loc) TO '{}' {options}", sandbox.out())).await;
    assert_eq!(shards_of(&sandbox, "a").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_began_first_and_ends_last_does_not_replace_a_newer_set() {
    use datafusion::arrow::datatypes::DataType;
    use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};
    use std::sync::atomic::{AtomicBool, Ordering};

    for mode in ["replace", "replace_all"] {
        let sandbox = Sandbox::new(2);
        let (out, is_done) = (sandbox.out(), AtomicBool::new(false));
        // Another run publishes the section while this statement reads its rows.
        let publish = move |arguments: &[ColumnarValue]| {
            if !is_done.swap(true, Ordering::SeqCst) {
                let builder = sitemap_core::SitemapSet::builder(
                    sitemap_core::Site::new("https://www.example.com").unwrap(),
                );
                let mut run =
                    builder.storage(sitemap_core::Directory::open(&out).unwrap()).replace().unwrap();
                run.section("pages").unwrap().add("/newer").unwrap();
                run.commit().unwrap();
            }
            Ok(arguments[0].clone())
        };
        sandbox.session.register_udf(create_udf(
            "publish_meanwhile",
            vec![DataType::Utf8View],
            DataType::Utf8View,
            Volatility::Volatile,
            Arc::new(publish),
        ));
        let options = OPTIONS.replace("buckets 1", &format!("buckets 1, mode '{mode}'"));
        let copy = |loc: &str| format!("COPY (SELECT {loc} AS loc) TO '{}' {options}", sandbox.out());
        let stale = copy("publish_meanwhile(arrow_cast('/older', 'Utf8View'))");
        let error = sandbox.error(&stale).await;
        assert!(error.contains("since this run started") && error.contains("; run again"), "{error}");
        assert!(sandbox.index().contains("https://www.example.com/newer"), "{}", sandbox.index());
        // The next statement reads the newer set.
        sandbox.run(&stale).await;
        assert!(!sandbox.index().contains("https://www.example.com/newer"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_of_another_program_is_replaced_only_as_a_whole() {
    let sandbox = Sandbox::new(1);
    let other = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>\
                 <loc>https://www.example.com/other</loc></url></urlset>";
    sandbox.write("sitemap.xml", other);
    let copy = format!("COPY (SELECT '/a' AS loc) TO '{}' {OPTIONS}", sandbox.out());
    let error = sandbox.error(&copy).await;
    assert!(error.contains("cannot keep the rest of the published set: `"), "{error}");
    assert!(error.contains("`OPTIONS (mode 'replace_all')`"), "{error}");
    assert_eq!(sandbox.index(), other);
    let copy = copy.replace("buckets 1", "buckets 1, mode 'replace_all'");
    assert_eq!(sandbox.number(&copy).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_column_of_partitions_can_be_the_section() {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    sandbox
        .run(&format!(
            "COPY (SELECT 'https://www.example.com/' || value AS loc, 'part-' || (value % 3) AS section
                   FROM generate_series(1, 300)) TO '{out}lake/' STORED AS PARQUET PARTITIONED BY (section)"
        ))
        .await;
    assert!(std::path::Path::new(&format!("{out}lake/section=part-1")).is_dir());
    let table = format!(
        "CREATE EXTERNAL TABLE lake STORED AS PARQUET PARTITIONED BY (section) LOCATION '{out}lake/'"
    );
    sandbox.run(&table).await;
    let options = "STORED AS SITEMAP OPTIONS (base 'https://www.example.com', buckets 1)";
    assert_eq!(
        sandbox.number(&format!("COPY (SELECT loc, section FROM lake) TO '{out}set/' {options}")).await,
        300
    );
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}set/'")).await;
    let found =
        sandbox.text("SELECT section, count(*) AS pages FROM pages GROUP BY section ORDER BY section").await;
    for section in ["part-0", "part-1", "part-2"] {
        assert!(found.contains(&format!("| {section}  | 100   |")), "{found}");
    }
}
