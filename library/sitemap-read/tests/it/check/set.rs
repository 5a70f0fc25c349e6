//! Tests the rules about whole sets: an index and its child sitemaps.

use sitemap_core::{Dialect, Loc};
use sitemap_read::{Checker, OpenError, OpenedSitemap, Rule, SitemapSource};

use super::{Files, NOTHING, found, index, lines, options, urlset};

const INDEX: &str = "https://example.com/sitemap.xml";
const A: &str = "https://example.com/a.xml";
const B: &str = "https://example.com/b.xml";

fn listing(children: &[&str]) -> String {
    let child = |loc: &&str| format!("<sitemap><loc>{loc}</loc></sitemap>\n");
    index(&children.iter().map(child).collect::<String>())
}

fn pages(paths: &[&str]) -> String {
    let page = |path: &&str| format!("<url><loc>https://example.com/{path}</loc></url>\n");
    urlset(&paths.iter().map(page).collect::<String>())
}

#[test]
fn a_set_without_fault() {
    let mut files = Files::new([(INDEX, listing(&[A, B])), (A, pages(&["1", "2"])), (B, pages(&["3"]))]);
    let report = files.check(options(), INDEX);
    assert_eq!(lines(&report, true), NOTHING);
    assert_eq!(report.files().iter().map(sitemap_read::FileReport::name).collect::<Vec<_>>(), [INDEX, A, B]);
    assert_eq!((report.pages(), report.files()[0].entries()), (3, 2));
}

#[test]
fn child_missing() {
    let mut files = Files::new([(INDEX, listing(&[A, B])), (A, pages(&["1"]))]);
    let report = files.check(options(), INDEX);
    assert_eq!(lines(&report, true), ["https://example.com/sitemap.xml:child-missing 3:15"]);
    assert_eq!(
        super::message(&report),
        "the child sitemap cannot be opened: HTTP status 404, found \"https://example.com/b.xml\""
    );
}

#[test]
fn page_in_two_files() {
    let mut files = Files::new([(INDEX, listing(&[A, B])), (A, pages(&["1", "2"])), (B, pages(&["3", "2"]))]);
    let report = files.check(options(), INDEX);
    assert_eq!(lines(&report, true), ["https://example.com/b.xml:page-in-two-files 3:11"]);
    assert_eq!(
        super::message(&report),
        "the page is also listed in https://example.com/a.xml, found \"https://example.com/2\""
    );
    assert_eq!(lines(&files.check(options().duplicates(false), INDEX), true), NOTHING);
}

const RECENT: &str = "https://example.com/sitemap-recent-00000-1-99aa06d3014798d8.xml.gz";

/// Returns a urlset of pages with dates. An empty date means no `lastmod`.
fn dated_pages(pages: &[(&str, &str)]) -> String {
    let page = |(path, date): &(&str, &str)| {
        let lastmod = if date.is_empty() { String::new() } else { format!("<lastmod>{date}</lastmod>") };
        format!("<url><loc>https://example.com/{path}</loc>{lastmod}</url>\n")
    };
    urlset(&pages.iter().map(page).collect::<String>())
}

#[test]
fn the_recent_section_repeats_pages_with_their_dates() {
    let a = dated_pages(&[("1", "2026-01-01"), ("2", "2026-01-02"), ("3", "")]);
    let check = |listed: &[&str], recent: &[(&str, &str)]| {
        let files = [(INDEX, listing(listed)), (A, a.clone()), (RECENT, dated_pages(recent))];
        let report = Files::new(files)
            .check(options().levels(sitemap_read::Levels::new().allow(Rule::GzipName)), INDEX);
        assert_eq!(report.pages(), 3);
        (lines(&report, true), super::message(&report))
    };
    for listed in [[RECENT, A], [A, RECENT]] {
        assert_eq!(check(&listed, &[("2", "2026-01-02"), ("3", "")]).0, NOTHING);
        for (recent, place, message) in [
            (("1", "2026-01-31"), "2:47", "the page has the date 2026-01-01, but the date 2026-01-31 in"),
            (("1", ""), "2:47", "the page has the date 2026-01-01, but no date in"),
            (("3", "2026-01-31"), "4:11", "the page has no date, but the date 2026-01-31 in"),
        ] {
            let (found, text) = check(&listed, &[("2", "2026-01-02"), recent]);
            assert_eq!(found, [format!("{A}:recent-date-differs {place}")]);
            let url = format!("\"https://example.com/{}\"", recent.0);
            assert_eq!(text, format!("{message} {RECENT}, found {url}"));
        }
    }
    // The recent section itself must not list a page twice.
    let (found, _) = check(&[RECENT, A], &[("2", "2026-01-02"), ("2", "2026-01-02")]);
    assert_eq!(found, [format!("{RECENT}:duplicate-loc 3:11")]);
}

#[test]
fn all_dates_of_the_recent_section_may_be_equal() {
    let early = (0..10).map(|n| (format!("a{n}"), format!("2026-01-31T10:00:0{n}Z")));
    let late = (0..10).map(|n| (format!("b{n}"), "2026-01-31T12:00:00Z".to_owned()));
    let all: Vec<(String, String)> = early.chain(late).collect();
    let text = |pages: &[(String, String)]| {
        dated_pages(&pages.iter().map(|(path, date)| (path.as_str(), date.as_str())).collect::<Vec<_>>())
    };
    let check = |name: &str| {
        let files = [(INDEX, listing(&[name, A])), (A, text(&all)), (name, text(&all[10..]))];
        lines(&Files::new(files).check(options(), INDEX), true).len()
    };
    assert_eq!(check("https://example.com/sitemap-recent-00000-1-99aa06d3014798d8.xml"), 0);
    // Another program may use this name, so the file isn't treated as a recent section.
    assert_eq!(check("https://example.com/sitemap-recent-1.xml"), 11);
}

#[test]
fn nested_index() {
    let inner = "https://example.com/inner.xml";
    let mut files = Files::new([
        (INDEX, listing(&[A, inner])),
        (A, pages(&["1"])),
        (inner, listing(&[B])),
        (B, pages(&["#fragment"])),
    ]);
    let report = files.check(options(), INDEX);
    assert_eq!(
        lines(&report, true),
        ["https://example.com/sitemap.xml:nested-index 3:15", "https://example.com/b.xml:loc-fragment 2:11"]
    );
}

#[test]
fn index_too_deep() {
    let loc = |depth: usize| format!("https://example.com/{depth}.xml");
    let of_depth = |indexes: usize| {
        let mut files = Files::default();
        for depth in 0..indexes {
            files.by_loc.insert(loc(depth), listing(&[&loc(depth + 1)]).into_bytes());
        }
        files.by_loc.insert(loc(indexes), pages(&["#fragment"]).into_bytes());
        lines(
            &files.check(options().levels(sitemap_read::Levels::new().allow(Rule::NestedIndex)), &loc(0)),
            true,
        )
    };
    assert_eq!(of_depth(3), ["https://example.com/3.xml:loc-fragment 2:11"]);
    assert_eq!(of_depth(4), ["https://example.com/2.xml:index-too-deep 2:15"]);
}

#[test]
fn index_loop() {
    let inner = "https://example.com/inner.xml";
    let mut files = Files::new([(INDEX, listing(&[inner])), (inner, listing(&[INDEX, inner]))]);
    assert_eq!(
        lines(&files.check(options(), INDEX), true),
        [
            "https://example.com/sitemap.xml:nested-index 2:15",
            "https://example.com/inner.xml:index-loop 2:15",
            "https://example.com/inner.xml:duplicate-child 3:15",
            "https://example.com/inner.xml:index-loop 3:15",
        ]
    );
    assert_eq!(files.opened, [inner]);
}

#[test]
fn duplicate_child() {
    let mut files = Files::new([(INDEX, listing(&[A, B, A])), (A, pages(&["1"])), (B, pages(&["2"]))]);
    assert_eq!(
        lines(&files.check(options(), INDEX), true),
        ["https://example.com/sitemap.xml:duplicate-child 4:15"]
    );
    assert_eq!(files.opened, [A, B]);
    assert_eq!(
        found(listing(&[A, A])),
        ["duplicate-child 3:15"],
        "the duplicate was not found without opening the children"
    );
    assert_eq!(found(listing(&[A, "https://example.com/A.xml"])), NOTHING);
}

#[test]
fn too_many_children() {
    let mut files = Files::new([(INDEX, listing(&[A, B])), (A, pages(&["1"])), (B, pages(&["2"]))]);
    assert_eq!(lines(&files.check(options().max_children(2), INDEX), true), NOTHING);
    let inner = "https://example.com/inner.xml";
    files.by_loc.insert(inner.to_owned(), listing(&[A, B]).into_bytes());
    files.by_loc.insert(INDEX.to_owned(), listing(&[inner]).into_bytes());
    let options = options().max_children(2).levels(sitemap_read::Levels::new().allow(Rule::NestedIndex));
    assert_eq!(
        lines(&files.check(options, INDEX), true),
        ["https://example.com/inner.xml:too-many-children 3:15"]
    );
}

fn dated(lastmod: &str) -> String {
    index(&format!("<sitemap>\n<loc>{A}</loc>\n<lastmod>{lastmod}</lastmod>\n</sitemap>"))
}

#[test]
fn index_lastmod_stale() {
    let page = |path: &str, lastmod: &str| {
        format!("<url><loc>https://example.com/{path}</loc><lastmod>{lastmod}</lastmod></url>")
    };
    let child = urlset(&(page("1", "2024-03-09T16:05:30Z") + &page("2", "2023-01-01")));
    let check = |lastmod: &str| {
        let mut files = Files::new([(INDEX, dated(lastmod)), (A, child.clone())]);
        lines(&files.check(options(), INDEX), false)
    };
    assert_eq!(check("2024-03-09T16:05:29Z"), ["index-lastmod-stale 4:10"]);
    assert_eq!(check("2024-03-09T16:05:30Z"), NOTHING);
    assert_eq!(check("2024-03-09T17:05:30+01:00"), NOTHING);
    assert_eq!(check("2024-03-08"), ["index-lastmod-stale 4:10"]);
    assert_eq!(check("2024-03-09"), NOTHING);
    // In the index, a child sitemap may have a later date than any of its pages.
    assert_eq!(check("2024-03-10"), NOTHING);
}

#[test]
fn mixed_dialects() {
    let child = |dialect: Dialect| {
        format!(
            "<urlset xmlns=\"{}\">\n<url><loc>https://example.com/</loc></url>\n</urlset>",
            dialect.namespace()
        )
    };
    let mut files = Files::new([(INDEX, listing(&[A])), (A, child(Dialect::V0_84))]);
    assert_eq!(
        lines(&files.check(options(), INDEX), true),
        ["https://example.com/sitemap.xml:mixed-dialects 2:15"]
    );
    let mut files = Files::new([(INDEX, listing(&[A])), (A, child(Dialect::V0_9))]);
    assert_eq!(lines(&files.check(options(), INDEX), true), NOTHING);
}

#[test]
fn a_child_that_is_not_a_sitemap_is_reported_for_its_own_file() {
    let mut files = Files::new([(INDEX, listing(&[A])), (A, "<html></html>".to_owned())]);
    assert_eq!(lines(&files.check(options(), INDEX), true), ["https://example.com/a.xml:file-html 1:1"]);
}

#[test]
fn a_set_of_one_sitemap() {
    let mut files = Files::new([(A, pages(&["1", "1"]))]);
    assert_eq!(lines(&files.check(options(), A), true), ["https://example.com/a.xml:duplicate-loc 3:11"]);
}

#[test]
fn a_source_learns_for_any_number_of_threads_which_sitemaps_may_have_findings() {
    const C: &str = "https://example.com/c.xml";

    let page = |own: &str, other: &str| {
        let link = |tag: &str| {
            format!(r#"<xhtml:link rel="alternate" hreflang="{tag}" href="https://example.com/{tag}"/>"#)
        };
        format!("<url><loc>https://example.com/{own}</loc>{}{}</url>\n", link(own), link(other))
    };
    // The links in the first sitemap are answered within that sitemap. The link in the last one is never answered.
    let files = [
        (INDEX, listing(&[A, B, C])),
        (A, urlset(&(page("en", "de") + &page("de", "en")))),
        (B, pages(&["b#top"])),
        (C, urlset(&page("fr", "it"))),
    ];
    for threads in [1, 2] {
        let mut files = Files::new(files.clone());
        let report = files.check(options().threads(threads), INDEX);
        assert_eq!(files.checked, [(A.into(), false), (B.into(), true), (C.into(), true)], "{threads}");
        let with_findings: Vec<_> = report.findings().map(|(file, _)| file.name()).collect();
        assert_eq!(with_findings, [B, C]);
    }
    let mut alone = Files::new([(A, pages(&["1"]))]);
    assert!(alone.check(options(), A).findings().next().is_none());
    assert_eq!(alone.checked, [(A.into(), false)]);
}

/// A source that doesn't open any sitemap. `Closed(true)` skips every sitemap, and `Closed(false)` ends the check.
struct Closed(bool);

impl SitemapSource for Closed {
    type Content = std::io::Empty;

    fn open(&mut self, _: &Loc<'_>, _: &str) -> Result<OpenedSitemap<std::io::Empty>, OpenError> {
        Err(if self.0 { OpenError::Skip } else { OpenError::Fatal("stopped".into()) })
    }
}

#[test]
fn a_source_can_skip_a_sitemap_or_stop() {
    let text = listing(&[A]);
    let mut checker = Checker::new(options());
    checker.check_set(OpenedSitemap::new("sitemap.xml", text.as_bytes()), &mut Closed(true)).unwrap();
    assert_eq!(lines(&checker.finish(), true), NOTHING);
    let mut checker = Checker::new(options());
    let stopped = checker.check_set(OpenedSitemap::new("sitemap.xml", text.as_bytes()), &mut Closed(false));
    assert_eq!(stopped.unwrap_err().to_string(), "stopped");
}

/// A source that skips one sitemap.
struct Without<'f>(&'f mut Files, &'static str);

impl SitemapSource for Without<'_> {
    type Content = std::io::Cursor<Vec<u8>>;

    fn open(&mut self, loc: &Loc<'_>, index: &str) -> Result<OpenedSitemap<Self::Content>, OpenError> {
        if loc.as_str() == self.1 { Err(OpenError::Skip) } else { self.0.open(loc, index) }
    }
}

#[test]
fn any_number_of_threads_knows_that_a_left_out_sitemap_may_list_a_version() {
    let both = "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/>\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>";
    let english = urlset(&format!("<url><loc>https://example.com/en</loc>{both}</url>\n"));
    let mut files = Files::new([(INDEX, listing(&[A, B])), (A, english), (B, pages(&["1"]))]);
    for (threads, skipped, expected) in
        [(1, "", &["https://example.com/a.xml:hreflang-not-listed"][..]), (1, B, &[]), (2, B, &[])]
    {
        let mut checker = Checker::new(options().threads(threads));
        let index = files.by_loc[INDEX].clone();
        checker.check_set(OpenedSitemap::new(INDEX, &*index), &mut Without(&mut files, skipped)).unwrap();
        let report = checker.finish();
        let found: Vec<_> =
            report.findings().map(|(file, finding)| format!("{}:{}", file.name(), finding.rule())).collect();
        assert_eq!(found, expected, "{threads} {skipped}");
    }
}

/// A source of sitemaps that fail while they are read.
struct Breaking;

impl SitemapSource for Breaking {
    type Content = BreaksOff;

    fn open(&mut self, loc: &Loc<'_>, _: &str) -> Result<OpenedSitemap<BreaksOff>, OpenError> {
        Ok(OpenedSitemap::new(loc.as_str(), BreaksOff))
    }
}

struct BreaksOff;

impl std::io::Read for BreaksOff {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("connection reset"))
    }
}

#[test]
fn file_unreadable() {
    let text = listing(&[A, B]);
    let mut checker = Checker::new(options());
    checker.check_set(OpenedSitemap::new("sitemap.xml", text.as_bytes()), &mut Breaking).unwrap();
    assert_eq!(
        lines(&checker.finish(), true),
        ["https://example.com/a.xml:file-unreadable 1:1", "https://example.com/b.xml:file-unreadable 1:1"]
    );
}
