//! Findings that are not kept are counted, and the counts decide the status.

use std::collections::BTreeMap;
use std::io::Read as _;

use proptest::prelude::*;
use sitemap_read::{
    CheckOptions, Levels, OpenedSitemap, ReadLimits, ReadOptions, Rule, Severity, SitemapReader,
};

use super::{Checker, NOTHING, Report, found_with, lines, options, report, urlset};

const BAD: &str = "<url><loc>/a</loc></url>\n";

fn limited(findings: usize) -> ReadOptions {
    let mut limits = ReadLimits::default();
    limits.findings = findings;
    ReadOptions::new().limits(limits)
}

/// However many entries in a row are dropped, the findings after them are kept.
#[test]
fn findings_after_many_dropped_entries() {
    let document = urlset(&format!(
        "{}<url><loc>https://example.com/</loc><priority>9</priority></url>{}",
        BAD.repeat(2_500),
        "<p/>".repeat(2_500),
    ));
    let allow = Levels::new().allow(Rule::LocRelative).allow(Rule::ElementUnknown);
    let found = report(options().levels(allow), &document);
    assert_eq!(lines(&found, false), ["priority-invalid 2502:47"]);
    assert_eq!(found.count(Severity::Error), 1);
    let allowed: Vec<_> = found.files()[0].allowed().collect();
    assert_eq!(allowed, [(Rule::ElementUnknown, 2_500), (Rule::LocRelative, 2_500)]);
}

#[test]
fn a_baseline_knows_findings_that_are_only_counted() {
    let document = urlset(&format!("<url><loc>https://example.com/</loc>{}</url>", "</p>".repeat(2_500)));
    let recorded = report(options().record_baseline(true), &document).recorded().unwrap().clone();
    assert_eq!(recorded.findings(), 2_500);
    let known = report(options().baseline(recorded.clone()), &document);
    assert_eq!((lines(&known, false), known.worst()), (vec![], None));
    assert!(known.stale().unwrap().is_empty());
    let more = document.replace("</url>", "</p></url>");
    assert_eq!(report(options().baseline(recorded), more).count(Severity::Error), 1);
}

/// The fast path's entries are not checked again, so it must not read what XML forbids.
#[test]
fn values_with_forbidden_characters() {
    for value in [
        "<lastmod>2024-03-09@</lastmod>",
        "<lastmod>@2024-03-09</lastmod>",
        "<changefreq>@daily</changefreq>",
        "<priority>0.5@</priority>",
    ] {
        for forbidden in ["\u{B}", "\u{C}", "\u{1F}", "\u{FFFE}"] {
            let value = value.replace('@', forbidden);
            let document = urlset(&format!("<url><loc>https://example.com/?a&amp;b</loc>{value}</url>"));
            let found = found_with(options(), document);
            let is_found = found.iter().any(|line| line.starts_with("character-forbidden 2:"));
            assert!(is_found, "{value:?}: {found:?}");
        }
    }
    for loc in ["https://example.com/@", "@https://example.com/", "https://example.com/]]>"] {
        let loc = loc.replace('@', "\u{C}");
        assert_ne!(
            found_with(options(), urlset(&format!("<url><loc>{loc}</loc></url>"))),
            NOTHING,
            "{loc:?}"
        );
    }
}

/// A dropped entry is checked, even after an entry that isn't.
#[test]
fn violations_in_a_dropped_entry() {
    let document = urlset(
        "<url><loc>https://example.com/</loc></url>\n<url><loc>/a</loc><x:a xmlns:x='urn:x' b='1' b='2'/></url>",
    );
    assert_eq!(found_with(options(), document), ["loc-relative 3:11", "attribute-twice 3:46"]);
}

/// Returns the number of findings per rule: kept and omitted ones.
fn counts(mut reader: SitemapReader<'_>, takes_often: bool) -> BTreeMap<Rule, u64> {
    let mut counts = BTreeMap::new();
    loop {
        let next = reader.next().map(|item| item.is_some());
        if takes_often || !matches!(next, Ok(true)) {
            reader.drain_findings().for_each(|finding| *counts.entry(finding.rule()).or_default() += 1);
        }
        if !matches!(next, Ok(true)) {
            reader.omitted().for_each(|(rule, count)| *counts.entry(rule).or_default() += count);
            assert_eq!(counts.values().sum::<u64>(), reader.findings_total());
            return counts;
        }
    }
}

fn check(options: CheckOptions, document: &str, is_stream: bool) -> Report {
    let mut checker = Checker::new(options);
    if is_stream {
        let (start, end) = document.as_bytes().split_at(document.len() / 2);
        checker.check(OpenedSitemap::new("sitemap.xml", start.chain(end))).unwrap();
    } else {
        checker.check_slice("sitemap.xml", document.as_bytes()).unwrap();
    }
    checker.finish()
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<url><loc>https://example.com/</loc></url>",
        "<url><loc>https://example.com/?a=1&b=2</loc><lastmod>2024-03-09 10:00</lastmod></url>",
        "<url><loc>https://example.com/a</loc><priority>9</priority><x:a xmlns:x='urn:x' b='1' b='2'/></url>",
        "<url><loc>https://example.com/<priority>0.5</loc></url>",
        "<url><x:a/><loc>https://example.com/</loc><changefreq>Daily</changefreq>",
        BAD,
        "<url/>",
        "<url>",
        "</url>",
        "<p>",
        "</p>",
        "<a b='1' b='2'/>",
        "<!-- -- -->",
        "<!--",
        "]]>",
        "&nbsp;",
        "text & more",
        "<",
        "<!DOCTYPE urlset>",
        "</urlset>",
        "<urlset>",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' ",
        "\u{1}",
        "\n",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn limits_change_no_count(
        pieces in prop::collection::vec(piece(), 0..40),
        (is_bare, is_stream, takes_often) in any::<(bool, bool, bool)>(),
        (findings, per_rule) in (0..8_usize, 0..8_u64),
    ) {
        let document = if is_bare { pieces.concat() } else { urlset(&pieces.concat()) };
        let read = |limit| counts(SitemapReader::from_slice_with(document.as_bytes(), limited(limit)), takes_often);
        prop_assert_eq!(read(findings), read(usize::MAX));

        let all = options().max_findings_per_rule(u64::MAX).read(limited(usize::MAX));
        let few = options().max_findings_per_rule(per_rule).read(limited(findings));
        let (all, few) = (check(all, &document, false), check(few, &document, is_stream));
        prop_assert_eq!(few.counts(), all.counts());
        prop_assert_eq!(few.worst(), all.worst());
        prop_assert_eq!(all.findings().count() as u64, all.counts().values().sum::<u64>());
    }
}
