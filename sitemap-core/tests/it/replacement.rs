//! Tests of a whole set in a directory: files, index, replacing the previous set, and errors.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::{IndexLastMod, OnInvalid, SetOptions};
use sitemap_core::{Dialect, Entry, Format, LastMod, Limits, Site, SitemapSet, Summary};
use tempfile::{TempDir, tempdir};

fn site() -> Site {
    Site::new("https://example.com").unwrap()
}

/// Returns a builder that omits the dates in the index, so that tests can compare its bytes.
fn builder() -> SetOptions {
    SitemapSet::builder(site()).index_lastmod(IndexLastMod::Omit)
}

fn limits(urls: u64, sitemaps: u64) -> Limits {
    let mut limits = Dialect::V0_9.limits();
    limits.urls = urls;
    limits.sitemaps = sitemaps;
    limits
}

fn publish(dir: &TempDir, builder: SetOptions, sections: &[(&str, &[&str])]) -> Summary {
    let mut run = builder.open(dir.path()).unwrap().replace().unwrap();
    for (name, paths) in sections {
        run.section(name).unwrap().add_all(*paths).unwrap();
    }
    run.commit().unwrap()
}

/// Returns the names and decompressed contents of all files except the manifest and the lock.
fn files(dir: &Path) -> BTreeMap<String, String> {
    let file = |entry: Result<fs::DirEntry, _>| {
        let entry = entry.unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        let mut text = String::new();
        if bytes.starts_with(&[0x1F, 0x8B]) {
            flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        } else {
            text = String::from_utf8(bytes).unwrap();
        }
        (entry.file_name().into_string().unwrap(), text)
    };
    let mut files: BTreeMap<_, _> = fs::read_dir(dir).unwrap().map(file).collect();
    files.remove(".sitemap-manifest.jsonl");
    files.remove(".sitemap.lock");
    files
}

fn names(dir: &Path) -> Vec<String> {
    files(dir).into_keys().collect()
}

fn urlset(paths: &[&str]) -> String {
    let urls = paths.iter().map(|path| format!("<url><loc>https://example.com{path}</loc></url>\n"));
    let urls = urls.collect::<Vec<_>>().concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    )
}

fn index(names: &[&str]) -> String {
    let sitemaps =
        names.iter().map(|name| format!("<sitemap><loc>https://example.com/{name}</loc></sitemap>\n"));
    let sitemaps = sitemaps.collect::<Vec<_>>().concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{sitemaps}</sitemapindex>\n"
    )
}

#[test]
fn one_file_is_the_entry_point_itself() {
    let dir = tempdir().unwrap();
    let summary = publish(&dir, builder(), &[("pages", &["/", "/about"])]);
    assert_eq!(files(dir.path()), BTreeMap::from([("sitemap.xml".into(), urlset(&["/", "/about"]))]));
    assert_eq!((summary.urls(), summary.files().len(), summary.indexes().len()), (2, 1, 0));
    assert_eq!(summary.bytes(), urlset(&["/", "/about"]).len() as u64);
    assert_eq!(summary.entry_point().as_str(), "https://example.com/sitemap.xml");
    assert_eq!(summary.files()[0].loc().as_str(), "https://example.com/sitemap.xml");
    assert_eq!(summary.robots_txt(), "Sitemap: https://example.com/sitemap.xml\n");
}

#[test]
fn sections_become_files_under_an_index() {
    let dir = tempdir().unwrap();
    let summary = publish(&dir, builder(), &[("pages", &["/"]), ("posts", &["/posts/1", "/posts/2"])]);
    assert_eq!(
        files(dir.path()),
        BTreeMap::from([
            ("sitemap.xml".into(), index(&["sitemap-pages-1.xml", "sitemap-posts-1.xml"])),
            ("sitemap-pages-1.xml".into(), urlset(&["/"])),
            ("sitemap-posts-1.xml".into(), urlset(&["/posts/1", "/posts/2"])),
        ])
    );
    assert_eq!((summary.urls(), summary.files().len(), summary.indexes().len()), (3, 2, 1));
}

#[test]
fn a_section_splits_into_as_many_files_as_it_needs() {
    let dir = tempdir().unwrap();
    let builder = builder().lower_limits(limits(2, 10));
    publish(&dir, builder, &[("p", &["/1", "/2", "/3", "/4", "/5"])]);
    assert_eq!(
        files(dir.path()),
        BTreeMap::from([
            ("sitemap.xml".into(), index(&["sitemap-p-1.xml", "sitemap-p-2.xml", "sitemap-p-3.xml"])),
            ("sitemap-p-1.xml".into(), urlset(&["/1", "/2"])),
            ("sitemap-p-2.xml".into(), urlset(&["/3", "/4"])),
            ("sitemap-p-3.xml".into(), urlset(&["/5"])),
        ])
    );
}

#[test]
fn exactly_full_is_still_one_file() {
    let dir = tempdir().unwrap();
    publish(&dir, builder().lower_limits(limits(2, 10)), &[("p", &["/1", "/2"])]);
    assert_eq!(names(dir.path()), ["sitemap.xml"]);
}

#[test]
fn splits_by_bytes_too() {
    let dir = tempdir().unwrap();
    let mut lower = Dialect::V0_9.limits();
    lower.bytes = urlset(&["/1", "/2"]).len() as u64;
    publish(&dir, builder().lower_limits(lower), &[("p", &["/1", "/2", "/3"])]);
    let files = files(dir.path());
    assert_eq!(files["sitemap-p-1.xml"], urlset(&["/1", "/2"]));
    assert_eq!(files["sitemap-p-2.xml"], urlset(&["/3"]));
}

#[test]
fn more_files_than_one_index_lists_get_further_indexes_and_robots_txt_names_all() {
    let dir = tempdir().unwrap();
    let summary =
        publish(&dir, builder().lower_limits(limits(1, 2)), &[("p", &["/1", "/2", "/3", "/4", "/5"])]);
    let files = files(dir.path());
    assert_eq!(files["sitemap.xml"], index(&["sitemap-p-1.xml", "sitemap-p-2.xml"]));
    assert_eq!(files["sitemap-2.xml"], index(&["sitemap-p-3.xml", "sitemap-p-4.xml"]));
    assert_eq!(files["sitemap-3.xml"], index(&["sitemap-p-5.xml"]));
    assert_eq!(summary.indexes().len(), 3);
    assert_eq!(
        summary.robots_txt(),
        "Sitemap: https://example.com/sitemap.xml\n\
         Sitemap: https://example.com/sitemap-2.xml\n\
         Sitemap: https://example.com/sitemap-3.xml\n"
    );
}

#[test]
fn gzip_compresses_the_files_and_counts_their_bytes_uncompressed() {
    let dir = tempdir().unwrap();
    let [one, two, three] = ["1", "2", "3"].map(|digit| format!("/{}", digit.repeat(100)));
    let mut lower = Dialect::V0_9.limits();
    lower.bytes = urlset(&[&one, &two]).len() as u64;
    let summary = publish(&dir, builder().gzip().lower_limits(lower), &[("p", &[&one, &two, &three])]);
    assert_eq!(
        files(dir.path()),
        BTreeMap::from([
            ("sitemap.xml".into(), index(&["sitemap-p-1.xml.gz", "sitemap-p-2.xml.gz"])),
            ("sitemap-p-1.xml.gz".into(), urlset(&[&one, &two])),
            ("sitemap-p-2.xml.gz".into(), urlset(&[&three])),
        ])
    );
    let on_disk = fs::metadata(dir.path().join("sitemap-p-1.xml.gz")).unwrap().len();
    assert_eq!(summary.files()[0].bytes(), lower.bytes);
    assert_eq!(summary.files()[0].stored_bytes(), on_disk);
    let header = &fs::read(dir.path().join("sitemap-p-1.xml.gz")).unwrap()[..10];
    assert_eq!(header[4..8], [0; 4], "the gzip header has a time, so equal pages get different bytes");
}

#[test]
fn a_single_file_is_plain_even_with_gzip() {
    let dir = tempdir().unwrap();
    let summary = publish(&dir, builder().gzip(), &[("p", &["/1"])]);
    assert_eq!(fs::read_to_string(dir.path().join("sitemap.xml")).unwrap(), urlset(&["/1"]));
    assert_eq!(names(dir.path()), ["sitemap.xml"]);
    assert_eq!(summary.files()[0].stored_bytes(), summary.files()[0].bytes());
}

#[test]
fn text_files_have_an_xml_index() {
    let dir = tempdir().unwrap();
    publish(&dir, builder().format(Format::Text), &[("p", &["/1", "/2"])]);
    assert_eq!(
        files(dir.path()),
        BTreeMap::from([
            ("sitemap.xml".into(), index(&["sitemap-p-1.txt"])),
            ("sitemap-p-1.txt".into(), "https://example.com/1\nhttps://example.com/2\n".into()),
        ])
    );
}

#[test]
fn the_older_dialect_reaches_files_and_index() {
    let dir = tempdir().unwrap();
    publish(&dir, builder().dialect(Dialect::V0_84), &[("a", &["/1"]), ("b", &["/2"])]);
    for (name, text) in files(dir.path()) {
        assert!(text.contains("xmlns=\"http://www.google.com/schemas/sitemap/0.84\""), "{name}");
    }
}

#[test]
fn a_site_in_a_directory_lists_its_files_there() {
    let dir = tempdir().unwrap();
    let site = Site::new("https://example.com:8443/shop").unwrap();
    let summary = publish(&dir, SitemapSet::builder(site), &[("a", &["/1"]), ("b", &["/2"])]);
    assert_eq!(summary.files()[0].loc().as_str(), "https://example.com:8443/shop/sitemap-a-1.xml");
    assert!(files(dir.path())["sitemap-a-1.xml"].contains("<loc>https://example.com:8443/shop/1</loc>"));
}

#[test]
fn sections_can_be_filled_in_turns() {
    let dir = tempdir().unwrap();
    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    for path in ["/1", "/2"] {
        run.section("a").unwrap().add(path).unwrap();
        run.section("b").unwrap().add(&format!("{path}b")).unwrap();
    }
    run.commit().unwrap();
    assert_eq!(files(dir.path())["sitemap-a-1.xml"], urlset(&["/1", "/2"]));
    assert_eq!(files(dir.path())["sitemap-b-1.xml"], urlset(&["/1b", "/2b"]));
}

#[test]
fn an_empty_section_leaves_no_file() {
    let dir = tempdir().unwrap();
    let summary = publish(&dir, builder(), &[("empty", &[]), ("p", &["/1"]), ("none", &[])]);
    assert_eq!(names(dir.path()), ["sitemap.xml"]);
    assert_eq!(summary.files().len(), 1);
}

#[test]
fn an_empty_set_is_an_error_and_the_old_set_stays() {
    let dir = tempdir().unwrap();
    publish(&dir, builder(), &[("p", &["/1"])]);
    let before = files(dir.path());

    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    run.section("p").unwrap();
    let error = run.commit().unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::EmptySet { skipped: 0 }));
    assert_eq!(
        error.to_string(),
        "there is no page to publish, so the published set stays as it is; check the source of the records"
    );
    assert_eq!(files(dir.path()), before);
}

#[test]
fn an_invalid_record_stops_the_run_and_the_old_set_stays() {
    let dir = tempdir().unwrap();
    publish(&dir, builder(), &[("p", &["/1"])]);
    let before = files(dir.path());

    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    let error = run.section("posts").unwrap().add_all(["/1", "/2", "ftp://x/", "/4"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "record 3 of section `posts`: `loc` must be an `http` or `https` URL, found \"ftp://x/\""
    );
    // Without the invalid record, the set would be incomplete, so it must not be published.
    let again = run.section("posts").unwrap().add("/5").unwrap_err();
    assert!(matches!(again.kind(), PublishErrorKind::Aborted { .. }));
    assert_eq!(
        run.commit().unwrap_err().to_string(),
        "an earlier error ended this run: record 3 of section `posts`: `loc` must be an `http` or `https` URL, found \
         \"ftp://x/\""
    );
    assert_eq!(files(dir.path()), before);
}

#[test]
fn invalid_records_are_skipped_and_reported_when_asked_for() {
    let dir = tempdir().unwrap();
    let mut run = builder().on_invalid(OnInvalid::Skip).open(dir.path()).unwrap().replace().unwrap();
    run.section("a").unwrap().add_all(["/1", "", "/3", "javascript:void(0)"]).unwrap();
    run.section("b").unwrap().add_all(["https://other.example/", "/2"]).unwrap();
    run.section("all-bad").unwrap().add("nothing").unwrap();
    let summary = run.commit().unwrap();
    assert_eq!((summary.urls(), summary.skipped()), (3, 4));
    let skipped: Vec<_> = summary.skipped_records().iter().map(ToString::to_string).collect();
    assert_eq!(
        skipped,
        [
            "record 2 of section `a`: `loc` is empty; every page needs an absolute URL",
            "record 4 of section `a`: `loc` must be an `http` or `https` URL, found \"javascript:void(0)\"",
            "record 1 of section `b`: `loc` is not under `https://example.com/`, the base URL of the sitemap's site, \
             found \"https://other.example/\"; publish the page with a site of its own, or allow its base URL with \
             `Site::also_list`",
            "record 1 of section `all-bad`: `loc` must be an absolute URL or a path on the site, found \"nothing\"; \
             start it with `https://`, `http://` or a single `/`",
        ]
    );
    assert_eq!(names(dir.path()), ["sitemap-a-1.xml", "sitemap-b-1.xml", "sitemap.xml"]);
    assert_eq!(files(dir.path())["sitemap-a-1.xml"], urlset(&["/1", "/3"]));
}

#[test]
fn a_record_larger_than_a_file_can_be_skipped_too() {
    let dir = tempdir().unwrap();
    let mut lower = Dialect::V0_9.limits();
    lower.urls = 2;
    lower.bytes = 300;
    let mut run = builder()
        .on_invalid(OnInvalid::Skip)
        .lower_limits(lower)
        .open(dir.path())
        .unwrap()
        .replace()
        .unwrap();
    let long = format!("/{}", "x".repeat(200));
    run.section("p").unwrap().add_all([long.as_str(), "/1", &long, "/2", "/3"]).unwrap();
    run.section("q").unwrap().add(&long).unwrap();
    let summary = run.commit().unwrap();
    assert_eq!((summary.urls(), summary.skipped()), (3, 3));
    assert_eq!(files(dir.path())["sitemap-p-1.xml"], urlset(&["/1", "/2"]));
    assert_eq!(files(dir.path())["sitemap-p-2.xml"], urlset(&["/3"]));
    assert_eq!(names(dir.path()).len(), 3);
}

#[test]
fn memory_keeps_only_the_first_thousand_skipped_records() {
    let dir = tempdir().unwrap();
    let mut run = builder().on_invalid(OnInvalid::Skip).open(dir.path()).unwrap().replace().unwrap();
    run.section("p").unwrap().add("/").unwrap();
    run.section("p").unwrap().add_all(std::iter::repeat_n("bad", 1_500)).unwrap();
    let summary = run.commit().unwrap();
    assert_eq!((summary.skipped(), summary.skipped_records().len()), (1_500, 1_000));
    assert_eq!(summary.skipped_records()[999].number(), 1_001);
}

#[test]
fn a_failing_source_stops_the_run() {
    let dir = tempdir().unwrap();
    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    let rows = [Ok("/1"), Err("connection lost"), Ok("/3")];
    let error = run.section("p").unwrap().try_add_all(rows).unwrap_err();
    assert_eq!(error.to_string(), "cannot read record 2 of section `p`: connection lost");
    assert!(run.commit().is_err());
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn a_publisher_that_is_dropped_leaves_nothing_behind() {
    for threads in [1, 3] {
        let dir = tempdir().unwrap();
        let builder = builder().gzip().threads(threads).lower_limits(limits(1, 10));
        let mut run = builder.open(dir.path()).unwrap().replace().unwrap();
        run.section("p").unwrap().add_all(["/1", "/2", "/3"]).unwrap();
        while names(dir.path()).len() < 2 {
            std::thread::yield_now();
        }
        drop(run);
        assert_eq!(names(dir.path()), [""; 0]);
    }
}

#[test]
fn section_names_must_be_safe_and_differ_in_more_than_case() {
    let dir = tempdir().unwrap();
    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    run.section("posts").unwrap();
    assert!(matches!(run.section("../posts").unwrap_err().kind(), PublishErrorKind::SectionName(_)));
    assert_eq!(
        run.section("Posts").unwrap_err().to_string(),
        "the names `Posts` and `posts` differ only in case; write `posts` or use another name"
    );
}

#[test]
fn an_unchanged_file_is_left_untouched_and_keeps_its_date_in_the_index() {
    let dir = tempdir().unwrap();
    let builder = || SitemapSet::builder(site());
    publish(&dir, builder(), &[("a", &["/1"]), ("b", &["/2"])]);
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(3600 * 24 * 365 * 40);
    for name in names(dir.path()) {
        fs::File::options().write(true).open(dir.path().join(name)).unwrap().set_modified(old).unwrap();
    }

    let summary = publish(&dir, builder(), &[("a", &["/1"]), ("b", &["/2", "/3"])]);
    let [a, b] = summary.files() else { panic!() };
    assert_eq!((a.changed(), b.changed()), (false, true));
    assert_eq!(a.lastmod(), Some(LastMod::try_from(old).unwrap()));
    assert!(b.lastmod().unwrap().timestamp() > a.lastmod().unwrap().timestamp());
    assert_eq!(fs::metadata(dir.path().join("sitemap-a-1.xml")).unwrap().modified().unwrap(), old);
    assert!(files(dir.path())["sitemap.xml"].contains(
        "<sitemap><loc>https://example.com/sitemap-a-1.xml</loc><lastmod>2009-12-22T00:00:00Z</lastmod></sitemap>"
    ));
}

#[test]
fn the_index_can_date_files_by_their_newest_page() {
    let dir = tempdir().unwrap();
    let page = |path: &str, lastmod: &str| {
        Entry::new(site().resolve(path.to_owned()).unwrap()).with_lastmod(lastmod.parse::<LastMod>().unwrap())
    };
    let builder =
        SitemapSet::builder(site()).index_lastmod(IndexLastMod::NewestPage).lower_limits(limits(2, 10));
    let mut run = builder.open(dir.path()).unwrap().replace().unwrap();
    let mut section = run.section("p").unwrap();
    section.add(&page("/1", "2024-05-01")).unwrap();
    section.add(&page("/2", "2024-04-01")).unwrap();
    section.add(&page("/3", "2023-01-01")).unwrap();
    section.add("/4").unwrap();
    section.add("/5").unwrap();
    let summary = run.commit().unwrap();
    let dates: Vec<_> =
        summary.files().iter().map(|file| file.lastmod().map(|date| date.to_string())).collect();
    assert_eq!(dates, [Some("2024-05-01".to_owned()), Some("2023-01-01".to_owned()), None]);
}

#[test]
fn a_missing_directory_is_made() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("deeper/public");
    let mut run = builder().open(&path).unwrap().replace().unwrap();
    run.section("p").unwrap().add("/").unwrap();
    run.commit().unwrap();
    assert_eq!(names(&path), ["sitemap.xml"]);
}

#[test]
fn an_output_directory_that_is_a_file_is_an_error() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "").unwrap();
    let error = builder().open(&path).and_then(|set| set.replace()).unwrap_err();
    assert!(matches!(error.kind(), PublishErrorKind::Io { .. }));
    assert!(
        error.to_string().starts_with(&format!("cannot create the directory `{}`: ", path.display())),
        "{error}"
    );
}

#[test]
fn an_entry_point_that_cannot_be_replaced_is_an_error_and_leaves_no_temporary_files() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("sitemap.xml")).unwrap();
    let mut run = builder().open(dir.path()).unwrap().replace().unwrap();
    run.section("p").unwrap().add("/").unwrap();
    let error = run.commit().unwrap_err();
    assert!(error.to_string().starts_with("cannot replace `"), "{error}");
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["sitemap.xml"]);
}

#[test]
fn foreign_files_are_not_touched() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("index.html"), "mine").unwrap();
    publish(&dir, builder(), &[("p", &["/1"])]);
    assert_eq!(fs::read_to_string(dir.path().join("index.html")).unwrap(), "mine");
}

#[test]
fn the_summary_prints_as_a_table() {
    let dir = tempdir().unwrap();
    let builder = builder().on_invalid(OnInvalid::Skip);
    let summary = publish(&dir, builder, &[("pages", &["/", "bad"]), ("posts", &["/1", "/2"])]);
    assert_eq!(
        summary.to_string(),
        "sitemap.xml                              2 sitemaps            262 bytes\n\
         sitemap-pages-1.xml                      1 URL                 153 bytes\n\
         sitemap-posts-1.xml                      2 URLs                198 bytes\n\
         3 URLs in 2 files, 1 invalid record skipped"
    );
}
