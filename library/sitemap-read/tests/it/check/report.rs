//! Tests the contents of a report.

use std::io::{self, Read};

use sitemap_read::{Checker, Finding, OpenedSitemap, Position, Rule, Severity, Span};

use super::{Files, NOTHING, at, found_with, index, options, report, urlset};

fn fragments(count: usize) -> String {
    let page = |number| {
        format!(
            "<url><loc>https://example.com/#{number}</loc></url>
"
        )
    };
    urlset(&(0..count).map(page).collect::<String>())
}

#[test]
fn findings_of_a_rule_are_capped_and_counted() {
    let report = report(options().max_findings_per_rule(3), fragments(10));
    assert_eq!(report.findings().count(), 3);
    assert_eq!(report.count(Severity::Warning), 10);
    assert_eq!(report.omitted().into_iter().collect::<Vec<_>>(), [(Rule::LocFragment, 7)]);
    assert_eq!(report.counts().into_iter().collect::<Vec<_>>(), [(Rule::LocFragment, 10)]);
    assert_eq!(report.files()[0].entries(), 10);
    assert_eq!(report.pages(), 10);
}

#[test]
fn a_rule_can_be_left_out() {
    assert_eq!(
        found_with(options().levels(sitemap_read::Levels::new().allow(Rule::LocFragment)), fragments(10)),
        NOTHING
    );
}

#[test]
fn findings_are_in_the_order_of_positions() {
    // The hreflang defect is found last, but comes first in the document.
    let document = urlset(
        "<url><loc>https://example.com/a/1</loc>\n\
         <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a/1\"/>\n\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/a/2\"/></url>\n\
         <url><loc>https://example.com/b</loc></url>",
    );
    let report = report(at("https://example.com/a/sitemap.xml"), &document);
    let found: Vec<_> =
        report.findings().map(|(_, finding)| (finding.span().start.line, finding.rule())).collect();
    assert_eq!(found, [(4, Rule::HreflangNotListed), (5, Rule::ScopeUnknown)]);
    let (file, finding) = report.findings().next().unwrap();
    assert_eq!(file.served_at().unwrap().as_str(), "https://example.com/a/sitemap.xml");
    let start = usize::try_from(finding.span().start.offset).unwrap();
    let marked = &document[start..][..usize::try_from(finding.span().len).unwrap()];
    assert_eq!(marked, "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/a/2\"/>");
}

#[test]
fn findings_about_pages_are_added_between_those_of_the_checker() {
    let options = options()
        .max_findings_per_rule(2)
        .levels(sitemap_read::Levels::new().allow(Rule::PageRefresh))
        .duplicates(false);
    let mut checker = Checker::new(options.clone());
    checker.check_slice("a.xml", fragments(3).as_bytes()).unwrap();
    checker.check_slice("b.xml", fragments(1).as_bytes()).unwrap();
    let mut report = checker.finish();
    let spans: Vec<_> = report.findings().map(|(_, finding)| finding.span()).collect();
    let finding = |rule, span: Span, message: &str| Finding::new(rule, span, message);
    let result = report.add_findings(&options, |add| {
        add(1, finding(Rule::PageMissing, spans[0], "b"));
        add(0, finding(Rule::PageNoindex, spans[1], "second page"));
        add(0, finding(Rule::PageDuplicate, spans[0], "first page"));
        add(0, finding(Rule::PageRefresh, spans[0], "disabled"));
        add(0, finding(Rule::LocFragment, spans[0], "over the limit"));
        add(7, finding(Rule::PageMissing, Span::new(Position::new(0, 1, 1), 0), "no such file"));
        "done"
    });
    assert_eq!(result, "done");
    let found: Vec<_> = report
        .findings()
        .map(|(file, finding)| format!("{} {} {}", file.name(), finding.span().start.line, finding.rule()))
        .collect();
    assert_eq!(
        found,
        [
            "a.xml 2 loc-fragment",
            "a.xml 2 page-duplicate",
            "a.xml 3 loc-fragment",
            "a.xml 3 page-noindex",
            "b.xml 1 page-missing",
            "b.xml 2 page-missing",
        ]
    );
    assert_eq!((report.count(Severity::Error), report.count(Severity::Warning)), (3, 6));
    assert_eq!(report.omitted().into_iter().collect::<Vec<_>>(), [(Rule::LocFragment, 3)]);
}

#[test]
fn a_failing_source_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("connection reset"))
        }
    }
    let mut checker = Checker::new(options());
    let error = checker.check(OpenedSitemap::new("a.xml", Broken)).unwrap_err();
    assert!(format!("{error:?}").contains("connection reset"), "{error:?}");
}

#[test]
fn any_bytes_give_a_report() {
    let mut state = 1_u32;
    let document =
        urlset("<url><loc>https://example.com/é</loc><lastmod>2024</lastmod><!-- é --><x:y z='1'/></url>")
            .into_bytes();
    for _ in 0..5_000 {
        let mut bytes = document.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = state as usize % bytes.len();
            match state >> 29 {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..(at + 7).min(bytes.len()))),
                _ => bytes[at] = state.to_le_bytes()[2],
            }
            if bytes.is_empty() {
                break;
            }
        }
        let _ = report(options(), bytes);
    }
}

#[test]
fn large_entries_take_linear_time() {
    let link = |number: usize| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/{number}\"/>\n")
    };
    let links: String = (0..10_000).map(link).collect();
    let dates = "<lastmod a=\"1\">2024</lastmod>\n".repeat(10_000);
    let document = urlset(&format!("<url><loc>https://example.com/</loc>{dates}{links}</url>"));
    let report = report(options(), document);
    assert_eq!(report.counts()[&Rule::AttributeUnknown], 10_000);
    assert_eq!(report.counts()[&Rule::HreflangTwice], 9_999);
}

#[test]
fn findings_about_entries_have_their_urls() {
    let mut files = Files::new([
        (
            "https://example.com/sitemap.xml",
            index(
                "<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n\
                 <sitemap><loc>https://example.com/b.xml</loc></sitemap>",
            ),
        ),
        (
            "https://example.com/a.xml",
            urlset(
                "<url><loc>https://example.com/a#b</loc></url>\n<url><loc>https://example.com/a#b</loc></url>\n\
                 <url><loc>https://example.com/de</loc>\
                 <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\
                 <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>",
            ),
        ),
    ]);
    let report = files.check(options(), "https://example.com/sitemap.xml");
    let found: Vec<_> =
        report.findings().map(|(_, finding)| (finding.rule(), finding.entry().unwrap_or_default())).collect();
    assert_eq!(
        found,
        [
            (Rule::ChildMissing, "https://example.com/b.xml"),
            (Rule::LocFragment, "https://example.com/a#b"),
            (Rule::LocFragment, "https://example.com/a#b"),
            (Rule::DuplicateLoc, "https://example.com/a#b"),
            (Rule::HreflangNotListed, "https://example.com/de"),
        ]
    );
    assert_eq!(super::report(options(), urlset("")).files()[0].findings()[0].entry(), None);
}

#[test]
fn findings_of_the_reader_name_their_entry() {
    let document = urlset(
        "<url><loc>https://example.com/a</loc></url>\n\
         <url><loc>https://example.com/b</loc><priority>2</priority></url>\n\
         <url><loc>relative</loc></url>\n\
         <url><loc>https://example.com/c</loc><lastmod>x</lastmod><video:video/></url>",
    );
    let report = report(options(), document);
    let found: Vec<_> = report.findings().map(|(_, finding)| (finding.rule(), finding.entry())).collect();
    let c = Some("https://example.com/c");
    assert_eq!(
        found,
        [
            (Rule::PriorityInvalid, Some("https://example.com/b")),
            (Rule::LocRelative, None),
            (Rule::LastModInvalid, c),
            (Rule::ExtensionIncomplete, c),
        ]
    );
}
