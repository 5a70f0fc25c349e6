//! Tests for reports: what a reader sees, with hostile text and with many pages.

use std::time::{Duration, SystemTime};

use sitemap_core::LastMod;
use sitemap_pages::judge::{Answer, Translations};
use sitemap_pages::report::{Fetches, ReportBuilder, ReportPage};
use sitemap_read::{Finding, Rule, Severity, SitemapReader, Span};

fn span() -> Span {
    let mut reader = SitemapReader::from_slice(b"https://example.com/\n");
    reader.next().unwrap().unwrap().span()
}

fn report() -> ReportBuilder {
    ReportBuilder::new("https://example.com/", SystemTime::UNIX_EPOCH)
}

/// Returns how often a string occurs.
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
    assert!(!html.contains("Translations") && !html.contains("Answers") && !html.contains("How soon"));
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
    let mut page = ReportPage::new(evil, Answer::Unvisited);
    page.worst = Some(Severity::Error);
    report.page(&page);
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
    report.page(&ReportPage::new("https://example.com/a", answer));
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
        let mut page = ReportPage::new(url, answer);
        page.changed = changed;
        report.page(&page);
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
    assert!(
        html.contains("<p>3 more, whose URLs the filter finds; all are in <code>findings.csv</code>"),
        "{html}"
    );
    assert!(html.contains("<span class=count>103</span>"));
    assert_eq!(data(&html), ["[[\"https://example.com/\",103,100,3,\"100\\n101\\n102\"]]"]);
}

/// Returns the filter data of each rule.
fn data(html: &str) -> Vec<&str> {
    let scripts = html.split("<script type=\"application/json\">").skip(1);
    scripts.map(|script| script.split_once("</script>").unwrap().0).collect()
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
    // The first hundred examples are from section 0. Each of the next 180 sections has five.
    assert_eq!(count(&html, "<li><a "), 1_000);
    let of = |section: u32| count(&html, &format!("nofollow\" href=\"https://example.com/{section}/"));
    assert_eq!([0, 180, 181].map(of), [100, 5, 0]);
    // Nearly all URLs in 287 sections fit. Each of the last 12 sections has 50.
    assert!(html.contains("<p>59,000 more, of which 1,806 are only counted by section; all are"), "{html}");
    let by_section = "<p>By section: <a href=\"#findings\" data-section=\"https://example.com/0/\">https://example.com/0/</a> 200, ";
    assert_eq!(count(&html, by_section), 1);
    assert_eq!(count(&html, "</a> 200, others 58,000.</p>"), 1);
}

#[test]
fn findings_without_a_place_in_the_report_are_counted_by_section() {
    let mut report = report();
    let long = "x".repeat(300);
    for section in 0..1_200_u32 {
        for page in 0..if section < 2 { 900 } else { 2 } {
            let url = format!("https://example.com/{section}/{long}{page}");
            report.finding(&url, None, &Finding::new(Rule::OutOfScope, span(), "x"));
        }
    }
    let html = report.finish();
    let data: Vec<&str> = data(&html)[0].trim_matches(['[', ']']).split("],\n[").collect();
    assert_eq!(data.len(), 1_001, "a thousand sections, and the others");
    let numbers = |row: &str| -> Vec<u64> {
        let fields = row.rsplit_once(",\"").unwrap().0.split(',').skip(1);
        fields.map(|field| field.parse().unwrap()).collect()
    };
    let rows: Vec<_> = data.iter().map(|row| numbers(row)).collect();
    // Each row contains counts, examples and URLs. All counts are exact, and no section's URLs take more than their
    // share.
    assert_eq!(rows.iter().map(|row| row[0]).sum::<u64>(), 2 * 900 + 1_198 * 2);
    assert_eq!((&rows[0][..2], &rows[1][..2]), (&[900, 100][..], &[900, 5][..]));
    assert_eq!(rows.iter().map(|row| row[1]).sum::<u64>(), 1_000);
    assert_eq!(rows[1_000], [400, 0, 0], "sections past the limit have only a count");
    let listed: u64 = rows.iter().map(|row| row[2]).sum();
    assert!(
        rows[0][2] > 600 && rows[1][2] == 50 && (700..873).contains(&listed),
        "{listed} {:?}",
        &rows[..3]
    );
    let unlisted = 2 * 900 + 1_198 * 2 - 1_000 - listed;
    let more = 2 * 900 + 1_198 * 2 - 1_000;
    let grouped = |number: u64| format!("{},{:03}", number / 1_000, number % 1_000);
    let text =
        format!("<p>{} more, of which {} are only counted by section; all", grouped(more), grouped(unlisted));
    assert!(html.contains(&text), "{text}");
    assert!(html.len() < 256 * 1024 + 800 * 1_000 + 100_000, "{}", html.len());
}

#[test]
fn urls_that_could_deceive_are_only_counted() {
    let mut report = report();
    for number in 0..101 {
        let url = format!("https://example.com/\u{202e}{number}</script>");
        report.finding(&url, None, &Finding::new(Rule::OutOfScope, span(), "x"));
    }
    let html = report.finish();
    assert_eq!(data(&html), ["[[\"\",101,100,0,\"\"]]"]);
    assert!(html.contains("<p>By section: others 101.</p>") && !html.contains('\u{202e}'));
}

#[test]
fn a_report_about_a_crawl_names_no_sitemap() {
    let mut report = ReportBuilder::of_crawl("https://example.com/", None);
    let finding = Finding::new(Rule::PageMissing, span(), "the page answers with status 404");
    report.finding_of_crawl("https://example.com/a", &finding, || Some("https://example.com/<b>".to_owned()));
    report.finding_of_crawl("https://example.com/b", &finding, || None);
    let html = report.finish();
    assert!(html.contains("<p>0 pages crawled, 2 findings.</p>"), "{html}");
    assert_eq!(count(&html, "<span class=quiet>linked from https://example.com/&lt;b&gt;</span>"), 1);
    assert_eq!(count(&html, "<span class=quiet>"), 1);
    let body = html.split_once("<main>").unwrap().1.split_once("<script>").unwrap().0;
    assert!(!body.contains("listed") && !body.contains("entry"), "{body}");
}

#[test]
fn the_size_does_not_grow_with_the_number_of_pages() {
    let size = |pages: u32| {
        let mut report = report();
        for number in 0..pages {
            let url = format!("https://example.com/{}/{number}", number % 20_000);
            report.page(&ReportPage::new(&url, Answer::Status(200)));
        }
        report.finish()
    };
    let html = size(60_000);
    assert!(html.contains(">60,000 pages listed"), "{}", &html[..4_000]);
    assert!(html.contains("other sections</th><td>"));
    assert!(html.len() < 100_000, "{}", html.len());
}

fn day(day: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400)
}

#[test]
fn delays_are_those_of_the_first_request_after_each_change() {
    let mut fetches = Fetches::default();
    for page in 0..10 {
        let url = format!("https://example.com/blog/{page}");
        fetches.change(&url, day(100));
        // Requests in an arbitrary order, before and after the change.
        for after in [20 + page, 1 + page, 50] {
            fetches.fetch(&url, day(100 + after));
        }
        fetches.fetch(&url, day(99));
    }
    fetches.change("https://example.com/shop/tea", day(100));
    fetches.change("https://example.com/shop/old", day(3));
    fetches.fetch("https://example.com/shop/old", day(101));
    fetches.fetch("https://example.com/unknown", day(101));
    fetches.covers(day(90), day(120));
    fetches.covers(day(100), day(200));
    let mut report = report();
    report.fetches(fetches);
    let html = report.finish();
    let row = |cells: &str| assert!(html.contains(cells), "{cells}\n{html}");
    row("in logs from 1970-04-01 to 1970-07-20.");
    row("<p>1 page that changed before or after the logs does not count.</p>");
    row("https://example.com/blog/</th><td>10</td><td>10</td><td>0</td><td>5.0</td><td>9.0</td>\
         <td aria-hidden=true><i style=\"width:100%\">");
    row(
        "https://example.com/shop/</th><td>1</td><td>0</td><td>1</td><td></td><td></td><td aria-hidden=true></td>",
    );
    row("all sections</th><td>11</td><td>10</td><td>1</td><td>5.0</td><td>9.0</td>");
}

#[test]
fn logs_without_a_change_say_so() {
    let mut fetches = Fetches::default();
    fetches.change("https://example.com/", day(1));
    let mut report = report();
    report.fetches(fetches);
    let html = report.finish();
    assert!(html.contains("<p>The logs cover no change of a page."), "{html}");
}

#[test]
fn sections_of_fetches_are_bounded() {
    let evil = "https://example.com/<i>";
    let mut fetches = Fetches::default();
    fetches.covers(day(1), day(9));
    for section in 0..200 {
        fetches.change(&format!("{evil}{section}/a"), day(2));
    }
    let mut report = report();
    report.fetches(fetches);
    let html = report.finish();
    assert_eq!(count(&html, "/&lt;i&gt;"), 50);
    assert!(html.contains("other sections</th><td>150</td>"), "{html}");
    assert!(html.contains("all sections</th><td>200</td>"));
}
