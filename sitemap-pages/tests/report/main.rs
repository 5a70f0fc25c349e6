//! Reports: what a reader of the page sees, with hostile text and with many pages.

use std::time::SystemTime;

use sitemap_core::LastMod;
use sitemap_pages::judge::{Answer, Translations};
use sitemap_pages::report::{ReportBuilder, ReportPage};
use sitemap_read::{Finding, Rule, Severity, SitemapReader, Span};

fn span() -> Span {
    let mut reader = SitemapReader::from_slice(b"https://example.com/\n");
    reader.next().unwrap().unwrap().span()
}

fn report() -> ReportBuilder {
    ReportBuilder::new("https://example.com/", SystemTime::UNIX_EPOCH)
}

/// Returns the number of times that a text occurs.
fn count(html: &str, text: &str) -> usize {
    html.matches(text).count()
}

#[test]
fn an_empty_report_says_that_nothing_was_found() {
    let html = report().finish();
    assert!(
        html.contains("<p>0 pages listed, 0 findings, as of <time>1970-01-01T00:00:00Z</time>.</p>"),
        "{html}"
    );
    assert!(html.contains("<p>Nothing was found.</p>"));
    assert!(html.contains("No date of a change is known yet."));
    assert!(!html.contains("Translations") && !html.contains("Answers"));
}

#[test]
fn a_report_without_a_time_has_none() {
    let html = ReportBuilder::new("example.com", None).finish();
    assert!(html.contains("<p>0 pages listed, 0 findings.</p>"), "{html}");
    assert!(!html.contains("1970"));
}

#[test]
fn text_of_the_site_is_escaped_everywhere() {
    let evil = "https://example.com/<script>alert(1)</script>\"'/\u{1b}[31m";
    let mut report = ReportBuilder::new(evil, SystemTime::UNIX_EPOCH);
    report.page(&ReportPage { url: evil, worst: Some(Severity::Error), ..ReportPage::default() });
    report.finding(evil, Some(evil), &Finding::new(Rule::OutOfScope, span(), evil));
    let mut translations = Translations::default();
    translations.add(evil, evil, Some(false));
    report.translations(translations);
    report.note(evil);
    let html = report.finish();
    assert_eq!(count(&html, "<script>"), 1, "only the report's own script");
    assert_eq!(count(&html, "<script>alert"), 0);
    assert!(count(&html, "&lt;script&gt;alert(1)&lt;/script&gt;") > 5, "{html}");
    assert!(!html.contains('\u{1b}'));
}

#[test]
fn nothing_is_loaded() {
    let mut report = report();
    let answer = Answer::Status(200);
    report.page(&ReportPage { url: "https://example.com/a", answer, ..ReportPage::default() });
    let html = report.finish();
    assert_eq!(count(&html, "<link rel=icon href=\"data:,\">"), 1);
    assert_eq!(count(&html, "<link"), 1);
    for loading in ["src=", "@import", "url(", "http://"] {
        assert_eq!(count(&html, loading), 0, "{loading}");
    }
}

#[test]
fn pages_are_counted_by_section_answer_and_month() {
    let mut report = report();
    let may: LastMod = LastMod::parse("2026-05-09").unwrap();
    let june = LastMod::parse("2026-06-01T10:00:00Z").unwrap();
    for (url, answer, changed) in [
        ("https://example.com/a/1", Answer::Status(200), Some(&may)),
        ("https://example.com/a/2", Answer::Status(200), Some(&june)),
        ("https://example.com/a/3", Answer::Failed, Some(&june)),
        ("https://example.com/a/4", Answer::Blocked, None),
        ("https://example.com/a/5", Answer::RobotsUnreachable, None),
        ("https://example.com/a/6", Answer::Redirect(301), None),
        ("https://example.com/a/7", Answer::RedirectNowhere, None),
        ("https://example.com/a/8", Answer::GivenUp, None),
        ("https://example.com/b/1", Answer::Unvisited, None),
    ] {
        report.page(&ReportPage { url, answer, changed, worst: None });
    }
    let html = report.finish();
    for row in [
        "/a/</th><td>8</td><td>0</td><td>0</td><td>0</td>",
        "/b/</th><td>1</td><td>0</td><td>0</td><td>1</td>",
        "200</th><td>2</td>",
        "no answer</th><td>1</td>",
        "blocked by robots.txt</th><td>1</td>",
        "robots.txt cannot be fetched</th><td>1</td>",
        "301 redirect</th><td>1</td>",
        "redirects without a page</th><td>1</td>",
        "the host asks to wait</th><td>1</td>",
        "not requested</th><td>1</td>",
        "2026-05</th><td>1</td><td aria-hidden=true><i style=\"width:50%\">",
        "2026-06</th><td>2</td><td aria-hidden=true><i style=\"width:100%\">",
        "unknown</th><td>6</td>",
    ] {
        assert_eq!(count(&html, row), 1, "{row}\n{html}");
    }
}

#[test]
fn findings_past_a_hundred_of_a_rule_are_counted() {
    let mut report = report();
    for number in 0..103 {
        let url = format!("https://example.com/{number}");
        report.finding(&url, None, &Finding::new(Rule::OutOfScope, span(), "outside"));
    }
    let html = report.finish();
    assert_eq!(count(&html, "<li><a "), 100);
    assert!(html.contains("<p>3 more; see them with"));
    assert!(html.contains("<span class=count>103</span>"));
}

#[test]
fn every_section_has_examples_up_to_a_limit() {
    let mut report = report();
    for section in 0..300 {
        for page in 0..200 {
            let url = format!("https://example.com/{section}/{page}");
            report.finding(&url, None, &Finding::new(Rule::OutOfScope, span(), "x"));
        }
    }
    let html = report.finish();
    // The first hundred are of section 0. Each of the next 180 sections has five.
    assert_eq!(count(&html, "<li><a "), 1_000);
    assert_eq!(count(&html, ">https://example.com/0/"), 100);
    assert_eq!(count(&html, ">https://example.com/180/"), 5);
    assert_eq!(count(&html, ">https://example.com/181/"), 0);
    assert!(html.contains("<form class=filter hidden data-more=\"59,000\">"));
    assert!(html.contains("<p>59,000 more; see them with"));
}

#[test]
fn the_size_does_not_grow_with_the_number_of_pages() {
    let size = |pages: u32| {
        let mut report = report();
        for number in 0..pages {
            let url = format!("https://example.com/{}/{number}", number % 20_000);
            report.page(&ReportPage { url: &url, answer: Answer::Status(200), ..ReportPage::default() });
        }
        report.finish()
    };
    let html = size(60_000);
    assert!(html.contains(">60,000 pages listed"), "{}", &html[..4_000]);
    assert!(html.contains("other sections</th><td>"));
    assert!(html.len() < 100_000, "{}", html.len());
}
