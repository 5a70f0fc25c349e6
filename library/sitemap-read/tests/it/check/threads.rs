//! Tests that the report of a set doesn't depend on the number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read};

use sitemap_core::Loc;
use sitemap_read::{
    Baseline, CheckOptions, Checker, Engine, Known, Levels, OpenError, OpenedSitemap, Report, Rule,
    SitemapSource,
};

use super::every_rule::{gzip, versions};
use super::{Files, NAMESPACE, index, now, options, urlset};

const INDEX: &str = "https://example.com/sitemap.xml";
const OTHER: &str = "https://other.example";
const RECENT: &str = "https://example.com/sitemap-recent-00000-1-99aa06d3014798d8.xml.gz";

/// The source's response when a URL is opened.
#[derive(Clone)]
enum At {
    Bytes(Vec<u8>),
    /// The connection breaks while the document is read.
    Broken,
    /// The source ends the whole check.
    Fatal,
    Loop,
    Skip,
}

/// A set in memory that records the calls of the checker.
#[derive(Clone, Default)]
struct Site {
    at: BTreeMap<String, At>,
    opened: Vec<(String, String)>,
    asked: BTreeSet<(String, String)>,
    asked_twice: bool,
}

enum Content {
    Bytes(Cursor<Vec<u8>>),
    Broken,
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Bytes(bytes) => bytes.read(buffer),
            Self::Broken => Err(io::Error::other("connection reset")),
        }
    }
}

impl SitemapSource for Site {
    type Content = Content;

    fn open(&mut self, loc: &Loc<'_>, index: &str) -> Result<OpenedSitemap<Content>, OpenError> {
        self.opened.push((loc.to_string(), index.to_owned()));
        let content = match self.at.get(loc.as_str()) {
            None => return Err(OpenError::unavailable("HTTP status 404")),
            Some(At::Fatal) => return Err(OpenError::Fatal("no network".into())),
            Some(At::Loop) => return Err(OpenError::Loop),
            Some(At::Skip) => return Err(OpenError::Skip),
            Some(At::Broken) => Content::Broken,
            Some(At::Bytes(bytes)) => Content::Bytes(Cursor::new(bytes.clone())),
        };
        Ok(OpenedSitemap::new(loc.as_str(), content))
    }

    fn robots_lists(&mut self, sitemap: &Loc<'_>, origin: &str) -> Option<bool> {
        self.asked_twice |= !self.asked.insert((sitemap.to_string(), origin.to_owned()));
        Some(sitemap.as_str().ends_with("/allowed.xml") && origin == OTHER)
    }
}

impl Site {
    fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.put(name, At::Bytes(bytes.into()));
    }

    fn put(&mut self, name: &str, at: At) {
        self.at.insert(loc_of(name), at);
    }

    /// Checks the set. Returns the report, the error that ended the check, and the site with the recorded calls.
    fn check(&self, options: CheckOptions) -> (Report, Option<String>, Self) {
        let mut site = self.clone();
        let Some(At::Bytes(index)) = self.at.get(INDEX) else { panic!("no index") };
        let mut checker = Checker::new(options);
        let index = OpenedSitemap::new(INDEX, index.as_slice()).served_at(Loc::parse(INDEX).unwrap());
        let end = checker.check_set(index, &mut site);
        (checker.finish(), end.err().map(|error| error.to_string()), site)
    }
}

fn loc_of(name: &str) -> String {
    if name.contains("://") { name.to_owned() } else { format!("https://example.com/{name}") }
}

fn listing<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let child =
        |name| format!("<sitemap><loc>{}</loc><lastmod>2026-01-05</lastmod></sitemap>\n", loc_of(name));
    index(&names.into_iter().map(child).collect::<String>())
}

fn page(path: impl std::fmt::Display, lastmod: &str) -> String {
    format!("<url><loc>https://example.com/{path}</loc><lastmod>{lastmod}</lastmod></url>\n")
}

fn pages(numbers: impl Iterator<Item = u32>) -> String {
    numbers.map(|number| page(number, &format!("2026-01-{:02}", number % 28 + 1))).collect()
}

/// Returns a set with all kinds of mistakes that can only be found by comparing documents.
fn site() -> Site {
    let mut site = Site::default();
    site.add(
        "sitemap.xml",
        listing([
            "a.xml",
            "b.xml",
            "gone.xml",
            RECENT,
            "versions-1.xml",
            "allowed.xml",
            "foreign.xml",
            "a.xml",
            "nested.xml",
            "broken.xml",
            "page.html",
            "cut.xml.gz",
            "loop.xml",
            "skip.xml",
            "old.xml",
            "versions-2.xml",
            "sitemap.xml",
            "stray.xml",
            "list.txt",
            "strange.xml",
            "late.xml",
            "b.xml",
        ]),
    );
    // Large enough for several logs, with duplicates in the same file and in others.
    site.add("a.xml", urlset(&(pages(0..2_200) + &pages(10..20) + &page("3", "2026-01-04"))));
    site.add("b.xml", urlset(&(pages(2_000..3_100) + &page("b b", "2026-01") + &page("#x", "2035-01-01"))));
    let recent = page(5, "2026-01-31") + &page(6, "2026-01-07") + &page(5, "2026-01-31");
    site.add(RECENT, gzip(&urlset(&recent)));
    let of = |number: u32, list: &[(&str, &str)]| versions(&format!("v{number}"), list);
    let mutual: String = (0..450)
        .map(|n| {
            let (own, other) = (format!("v{n}"), format!("w{n}"));
            versions(&own, &[("en", &own), ("de", &other)])
        })
        .collect();
    site.add(
        "versions-1.xml",
        urlset(&(mutual + &of(9_000, &[("en", "v9001")]) + &of(9_002, &[("en", "3")]))),
    );
    let back: String = (0..425)
        .map(|n| {
            let (own, other) = (format!("w{n}"), format!("v{n}"));
            let more = if n % 50 == 0 { "fr" } else { "de" };
            let ignored = if n == 1 { "x!" } else { "en" };
            versions(&own, &[(more, &own), (ignored, &other)])
        })
        .collect();
    site.add("versions-2.xml", urlset(&back));
    let other = |n: u32| format!("<url><loc>{OTHER}/{n}</loc></url>\n");
    site.add("allowed.xml", urlset(&(0..50).map(other).collect::<String>()));
    site.add("foreign.xml", urlset(&(0..50).map(other).collect::<String>()));
    site.add("nested.xml", listing(["c.xml", "a.xml", "nested.xml", "deeper.xml", "sitemap.xml", "d.xml"]));
    site.add("deeper.xml", listing(["deepest.xml", "e.xml"]));
    site.add("deepest.xml", listing(["f.xml"]));
    for (name, start) in [("c.xml", 3_000), ("d.xml", 3_200), ("e.xml", 8_000), ("f.xml", 9_000)] {
        site.add(name, urlset(&pages(start..start + 300)));
    }
    site.put("broken.xml", At::Broken);
    site.add("page.html", "<!DOCTYPE html><html><body>No</body></html>");
    let zipped = gzip(&urlset(&pages(20_000..20_500)));
    site.add("cut.xml.gz", &zipped[..zipped.len() / 2]);
    site.put("loop.xml", At::Loop);
    site.put("skip.xml", At::Skip);
    site.add("old.xml", urlset(&pages(1..4)).replace(NAMESPACE, OLD));
    // A stray child sitemap entry, and markup that isn't well-formed.
    let stray = "<sitemap><loc>https://example.com/late.xml</loc></sitemap><url><loc>https://example.com/?a&b</loc></url>";
    site.add("stray.xml", urlset(&format!("{stray}<p>{}", pages(50..60))));
    let line = |n| format!("https://example.com/{}\n", n * 3);
    let lines = (0..1_500).map(line).collect::<String>();
    site.add("list.txt", lines + "nothing\nhttps://example.com/0\n");
    site.add("strange.xml", urlset("<url><priority>2</priority></url>").replace(NAMESPACE, ""));
    site.add("late.xml", urlset(&pages(1..3)));
    site
}

const OLD: &str = r#"xmlns="http://www.google.com/schemas/sitemap/0.84""#;

/// Checks the set with several numbers of threads. Asserts that all reports are equal, and returns one of them.
#[track_caller]
fn same(site: &Site, options: &CheckOptions) -> Report {
    let (report, end, alone) = site.check(options.clone());
    assert!(!alone.asked_twice);
    for threads in [2, 8] {
        let (other, other_end, together) = site.check(options.clone().threads(threads));
        assert_eq!(format!("{other:?}"), format!("{report:?}"), "{threads} threads");
        assert_eq!(other_end, end, "{threads} threads");
        assert_eq!(together.opened, alone.opened, "{threads} threads");
        assert_eq!(together.asked, alone.asked, "{threads} threads");
        assert!(!together.asked_twice, "{threads} threads");
    }
    report
}

fn all() -> CheckOptions {
    let all = now("2026-02-01T00:00:00Z").engine(Engine::Google).engine(Engine::Bing);
    all.engine(Engine::Yandex).max_findings_per_rule(u64::MAX)
}

#[test]
fn every_rule_across_documents() {
    let report = same(&site(), &all());
    let found = report.counts();
    for rule in [
        Rule::ChildMissing,
        Rule::ChildOutside,
        Rule::CrossSubmission,
        Rule::DuplicateChild,
        Rule::DuplicateLoc,
        Rule::FileHtml,
        Rule::FileUnreadable,
        Rule::GzipTruncated,
        Rule::HreflangIgnored,
        Rule::HreflangNotListed,
        Rule::HreflangNotReciprocal,
        Rule::HreflangSetsDiffer,
        Rule::IndexLastModStale,
        Rule::IndexLoop,
        Rule::IndexTooDeep,
        Rule::MixedDialects,
        Rule::NestedIndex,
        Rule::OutOfScope,
        Rule::PageInTwoFiles,
        Rule::RecentDateDiffers,
    ] {
        // The index is at the root of its host, so no child sitemap is outside its directory. Versions that no sitemap
        // lists aren't reported, because the skipped sitemap may list them.
        let expected = !matches!(rule, Rule::ChildOutside | Rule::HreflangNotListed);
        assert_eq!(found.contains_key(&rule), expected, "{rule}: {found:?}");
    }
    let mut complete = site();
    complete.at.retain(|_, at| !matches!(at, At::Skip));
    assert!(same(&complete, &all()).counts().contains_key(&Rule::HreflangNotListed));
    assert_eq!(found[&Rule::HreflangIgnored], 1);
}

#[test]
fn limits() {
    let site = site();
    for max in [0, 3] {
        let report = same(&site, &all().max_findings_per_rule(max));
        assert!(!report.omitted().is_empty());
    }
    let opened = site.check(all()).2.opened.len() as u64;
    for max in [0, 1, 6, 9, opened - 1, opened] {
        let report = same(&site, &all().max_children(max));
        assert_eq!(report.counts().contains_key(&Rule::TooManyChildren), max < opened, "{max}");
    }
    for max in [0, 1, 200] {
        let report = same(&site, &all().max_hreflang_pairs(max));
        assert_eq!(report.counts().contains_key(&Rule::HreflangUnchecked), max > 0, "{max}");
    }
    for max in [1, 2, 4] {
        let _ = same(&site, &all().max_index_depth(max));
    }
}

#[test]
fn other_options() {
    let site = site();
    let _ = same(&site, &options());
    let _ = same(&site, &all().duplicates(false));
    let _ = same(&site, &all().scope(false).same_site(false));
    let _ = same(&site, &all().also_lists(OTHER).unwrap());
    let levels = Levels::new().allow(Rule::PageInTwoFiles).deny(Rule::DuplicateLoc);
    let _ = same(&site, &all().levels_for(|file| file.ends_with("b.xml"), levels).max_findings_per_rule(4));
}

#[test]
fn baselines() {
    let site = site();
    let report = same(&site, &all().record_baseline(true).max_findings_per_rule(5));
    let recorded = report.recorded().unwrap();
    // The baseline contains half of the findings, and one that no longer occurs.
    let mut baseline = Baseline::new();
    recorded.iter().step_by(2).for_each(|known| baseline.add(known));
    baseline.add(Known { file: INDEX, rule: Rule::LocFragment, message: "gone", count: 1 });
    let report = same(&site, &all().baseline(baseline).max_findings_per_rule(5));
    assert!(!report.known().is_empty() && !report.stale().unwrap().is_empty());
}

#[test]
fn an_error_of_the_source_ends_the_check_after_the_documents_before() {
    for name in ["a.xml", "allowed.xml", "deeper.xml", "late.xml"] {
        let mut site = site();
        site.put(name, At::Fatal);
        let report = same(&site, &all());
        assert!(report.files().iter().all(|file| !file.name().ends_with(name)), "{name}");
    }
}

#[test]
fn a_stray_entry_of_a_child_sitemap_does_not_hide_the_child() {
    let stray = urlset("<sitemap><loc>https://example.com/b.xml</loc></sitemap>");
    let mut files = Files::new([
        (INDEX, listing(["a.xml", "nested.xml"])),
        ("https://example.com/a.xml", stray),
        ("https://example.com/nested.xml", listing(["b.xml"])),
        ("https://example.com/b.xml", urlset(&pages(0..1))),
    ]);
    let report = files.check(options(), INDEX);
    assert!(!report.counts().contains_key(&Rule::DuplicateChild));
    assert_eq!(report.files().last().unwrap().name(), "https://example.com/b.xml");
}

#[test]
fn a_checker_that_has_several_sets_compares_them() {
    let check = |threads| {
        let mut checker = Checker::new(all().threads(threads));
        for _ in 0..2 {
            let mut site = site();
            let index = OpenedSitemap::new(INDEX, Cursor::new(listing(["a.xml", "nested.xml", "b.xml"])));
            checker.check_set(index, &mut site).unwrap();
        }
        format!("{:?}", checker.finish())
    };
    assert_eq!(check(4), check(1));
}
