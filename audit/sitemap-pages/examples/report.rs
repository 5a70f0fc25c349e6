//! Writes a report about a made-up site to standard output, to look at in a browser.

use std::time::{Duration, SystemTime};

use sitemap_core::LastMod;
use sitemap_pages::judge::{Answer, Translations};
use sitemap_pages::report::{ReportBuilder, ReportPage};
use sitemap_read::{Finding, Rule, Severity, SitemapReader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_793_000_000);
    let mut report = ReportBuilder::new("https://www.example.com/sitemap.xml", time);
    let mut reader = SitemapReader::from_slice(b"https://www.example.com/\n");
    let span = reader.next()?.ok_or("no entry")?.span();
    let sections = ["products", "blog", "docs", "de", "fr", "help", "news", "tags", "authors", "jobs"];
    for (number, section) in sections.iter().enumerate() {
        for page in 0..2_000 / (number + 1) {
            let url = format!("https://www.example.com/{section}/{page}");
            let is_missing = page % 1_000 < number * 14 && page % 7 == 3;
            let is_moved = page % 31 == 2 * number;
            let worst = match (is_missing, is_moved) {
                (true, _) => Some(Severity::Error),
                (_, true) if number % 4 == 1 => Some(Severity::Warning),
                _ => None,
            };
            let month = 1 + (page * 7 + number) % 12;
            let changed = LastMod::parse(&format!("20{}-{month:02}-09", 24 + (page + number) % 3))?;
            let answer = match (is_missing, worst) {
                (true, _) => Answer::Status(404),
                (_, Some(_)) => Answer::Redirect(302),
                _ => Answer::Status(200),
            };
            let mut report_page = ReportPage::new(&url, answer);
            (report_page.worst, report_page.changed) = (worst, Some(&changed));
            report.page(&report_page);
            if is_missing {
                let finding = Finding::new(Rule::PageMissing, span, "the page answers with status 404");
                report.finding(&url, Some("sitemap.xml"), &finding);
            } else if worst.is_some() {
                let message = "the page redirects temporarily (status 302) to \"https://www.example.com/\"";
                let finding = Finding::new(Rule::PageRedirectedTemporarily, span, message);
                report.finding(&url, Some("sitemap.xml"), &finding);
            }
        }
    }
    let mut translations = Translations::default();
    for (from, to, links_back) in [
        ("en", "de", Some(true)),
        ("de", "en", Some(true)),
        ("en", "fr", Some(true)),
        ("fr", "en", Some(false)),
        ("en", "pt-BR", None),
    ] {
        translations.add(from, to, links_back);
    }
    report.translations(translations);
    report.note("the crawl is not complete: 120 URLs are deeper than 20 links; which pages no page links to is not known");
    println!("{}", report.finish());
    Ok(())
}
