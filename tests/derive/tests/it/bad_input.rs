//! Tests of records with invalid values. Each causes an error that names the record, and nothing of the record is
//! written.

use std::fs;
use std::path::Path;

use sitemap_core::publish::OnInvalid;
use sitemap_core::value::LastModError;
use sitemap_core::{LastMod, Replacement, Site, SitemapEntry, SitemapSet};

#[derive(SitemapEntry)]
struct Row {
    loc: String,
    #[sitemap(lastmod, with = parse)]
    updated: &'static str,
    priority: f64,
}

fn parse(text: &str) -> Result<LastMod, LastModError> {
    text.parse()
}

fn row(loc: impl Into<String>, updated: &'static str, priority: f64) -> Row {
    Row { loc: loc.into(), updated, priority }
}

/// Returns invalid records, each with a part of the expected error message.
fn bad_rows() -> Vec<(Row, &'static str)> {
    let loc = |loc: &str| row(loc, "2026-01-31", 0.5);
    let lastmod = |updated| row("/x", updated, 0.5);
    let priority = |priority| row("/x", "2026-01-31", priority);
    vec![
        (loc(""), "`loc` is empty"),
        (loc("about.html"), "must be an absolute URL"),
        (loc("ftp://www.example.com/"), "must be an `http` or `https` URL"),
        (loc("javascript:alert(1)"), "must be an `http` or `https` URL"),
        (loc(&format!("/{}", "x".repeat(2_048 - 24))), "at most 2047 characters after encoding, found 2048"),
        (loc(&format!("/{}", "ü".repeat(400))), "at most 2047 characters after encoding, found 2424"),
        (loc("https://example.com/"), "is not under `https://www.example.com/`"),
        (loc("http://www.example.com/"), "is not under `https://www.example.com/`"),
        (loc("https://www.example.com:8443/"), "is not under `https://www.example.com/`"),
        (loc("/a/../../x"), "`..` path segment"),
        (loc("/a\u{0}b"), "holds the character U+0000"),
        (loc("/a\u{1}b"), "holds the character U+0001"),
        (loc("/a\u{FFFE}b"), "holds the character U+FFFE"),
        (lastmod("2024-02-30"), "a day that its month does not have, found \"2024-02-30\""),
        (lastmod("2024-02-01T24:00Z"), "write 24:00 as 00:00 of the next day"),
        (lastmod("2016-12-31T23:59:60Z"), "second 60 as 59"),
        (lastmod("0000-01-01"), "a year from 0001 to 9999"),
        (lastmod("10000-01-01"), "must be a W3C datetime"),
        (lastmod("2024-02-01T10:00"), "a time without an offset"),
        (priority(f64::NAN), "between 0.0 and 1.0, found NaN"),
        (priority(-0.1), "between 0.0 and 1.0, found -0.1"),
        (priority(1.000_000_1), "between 0.0 and 1.0, found 1.0000001"),
    ]
}

fn start(out: &Path, on_invalid: OnInvalid) -> Replacement {
    let site = Site::new("https://www.example.com").unwrap();
    SitemapSet::builder(site).on_invalid(on_invalid).open(out).unwrap().replace().unwrap()
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).unwrap().next().is_none()
}

#[test]
fn an_invalid_record_stops_the_run_with_its_number_and_leaves_nothing() {
    for (bad, words) in bad_rows() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = start(dir.path(), OnInvalid::Stop);
        let rows = [row("/good", "2026", 0.5), bad, row("/never", "2026", 0.5)];
        let error = run.section("rows").unwrap().add_all(rows).unwrap_err().to_string();
        assert!(error.starts_with("record 2 of section `rows`: ") && error.contains(words), "{error}");
        // If an invalid value is not the URL, the error names its field and page.
        let of_row = [
            "`updated` of `Row` at \"https://www.example.com/x\": ",
            "`priority` of `Row` at \"https://www.example.com/x\": ",
        ];
        let names_page = of_row.iter().any(|start| error.contains(start));
        assert_eq!(names_page, !error.contains("`loc`"), "{error}");
        drop(run);
        assert!(is_empty(dir.path()), "{words}");
    }
}

#[test]
fn invalid_records_are_skipped_and_reported_by_number() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = start(dir.path(), OnInvalid::Skip);
    let bad = bad_rows();
    let count = bad.len() as u64;
    for (bad, _) in bad_rows() {
        run.section("rows").unwrap().add(&bad).unwrap();
    }
    run.section("rows").unwrap().add(&row("/good", "2026", 1.0)).unwrap();
    let summary = run.commit().unwrap();
    assert_eq!((summary.urls(), summary.skipped()), (1, count));
    for ((skipped, (_, words)), number) in summary.skipped_records().iter().zip(bad).zip(1..) {
        assert_eq!((skipped.section(), skipped.number()), ("rows", number));
        assert!(skipped.to_string().contains(words), "{skipped}");
    }
    let xml = fs::read_to_string(dir.path().join("sitemap.xml")).unwrap();
    assert!(xml.contains(
        "\n<url><loc>https://www.example.com/good</loc><lastmod>2026</lastmod><priority>1.0</priority></url>\n</urlset>\n"
    ));
}

#[test]
fn non_ascii_urls_are_encoded_not_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = start(dir.path(), OnInvalid::Stop);
    run.section("rows").unwrap().add(&row("/ümlat.html&q=name", "2026-01-31", 0.0)).unwrap();
    run.commit().unwrap();
    let xml = fs::read_to_string(dir.path().join("sitemap.xml")).unwrap();
    assert!(xml.contains("<loc>https://www.example.com/%C3%BCmlat.html&amp;q=name</loc>"), "{xml}");
    assert!(xml.contains("<priority>0.0</priority>"), "{xml}");
}
