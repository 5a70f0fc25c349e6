//! Measures how long it takes to judge the pages in a state file.
//!
//!     judge_speed make STATE PAGES FOLDER [PARAGRAPHS]   writes a state, and its sitemaps to a folder
//!     judge_speed judge STATE                            judges the pages of the state

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::judge::{JudgeOptions, StateEvidence, judge};
use sitemap_pages::state::{ListedAlternate, ListedPage, RunKind, State};
use sitemap_pages::visit::{Outcome, Validators, Visit};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", state, pages, folder] => make(state, pages.parse()?, Path::new(folder), 10),
        ["make", state, pages, folder, paragraphs] => {
            make(state, pages.parse()?, Path::new(folder), paragraphs.parse()?)
        }
        ["judge", state] => measure(state),
        _ => Err("usage: judge_speed make STATE PAGES FOLDER [PARAGRAPHS] | judge STATE".into()),
    }
}

fn url(number: u64) -> String {
    format!("https://example.com/section-{}/page-{number}.html", number % 50)
}

fn html(number: u64, paragraphs: u64) -> String {
    // Each odd page is the German version of the page before it. Every tenth page names another canonical, and every
    // twentieth is `noindex`.
    let canonical = if number % 10 == 3 { url(number - 1) } else { url(number) };
    let robots = if number % 20 == 7 { "<meta name=robots content=noindex>" } else { "" };
    let paragraphs: Vec<_> =
        (0..paragraphs).map(|part| format!("<p>Paragraph {part} of page {number}")).collect();
    let paragraphs = paragraphs.concat();
    let (even, odd) = (url(number & !1), url(number | 1));
    format!(
        "<!doctype html><html lang=en><title>Page {number} | Example</title><link rel=canonical href={canonical}>{robots}\
         <link rel=alternate hreflang=en href={even}><link rel=alternate hreflang=de href={odd}><div>Menu</div><h1>Page {number}</h1>{paragraphs}<div>Imprint</div>"
    )
}

/// The number of entries in a sitemap.
const ENTRIES: u64 = 50_000;

fn make(file: &str, pages: u64, folder: &Path, paragraphs: u64) -> Result<(), Box<dyn Error>> {
    write_sitemaps(folder, pages)?;
    let mut state = State::create_or_open(file)?;
    let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    // The listing is in a different order than the URLs.
    let listed = |number: u64| {
        let mut page = ListedPage::new(number / ENTRIES, url(number));
        (page.position, page.len) = (number % ENTRIES * 120, 60);
        (page.line, page.column) = (number % ENTRIES + 2, 3);
        page.lastmod = Some("2026-11-22".to_owned());
        page.alternates = vec![
            ListedAlternate::new("en".to_owned(), url(number & !1)),
            ListedAlternate::new("de".to_owned(), url(number | 1)),
        ];
        page
    };
    let files: Vec<_> = (0..=pages / ENTRIES).map(|number| format!("sitemap-{number}.xml")).collect();
    state.set_listing(&files, (0..pages).map(listed))?;
    let run = state.begin_run(RunKind::Check, now)?;
    for number in 0..pages {
        let (url, body) = (url(number), html(number, paragraphs));
        let (headers, body) = (&[("content-type", "text/html")], body.as_bytes());
        let facts = Box::new(PageFacts::of(&Response::new(&url, 200, headers, body)));
        let outcome = Outcome::Page { facts, validators: Validators::default() };
        state.store(&run, &Visit::new(url, now, outcome))?;
    }
    state.finish_run(&run)?;
    Ok(())
}

/// Writes the sitemaps and their index.
fn write_sitemaps(folder: &Path, pages: u64) -> Result<(), Box<dyn Error>> {
    const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const SITEMAP: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    const XHTML: &str = "xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
    fs::create_dir_all(folder)?;
    let mut index = format!("{HEAD}<sitemapindex {SITEMAP}>\n");
    for first in (0..pages).step_by(usize::try_from(ENTRIES)?) {
        let mut urlset = format!("{HEAD}<urlset {SITEMAP} {XHTML}>\n");
        for number in first..pages.min(first + ENTRIES) {
            write!(urlset, "<url><loc>{}</loc><lastmod>2026-11-22</lastmod>", url(number))?;
            for (language, version) in [("en", number & !1), ("de", number | 1)] {
                let version = url(version);
                write!(urlset, "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{version}\"/>")?;
            }
            urlset.push_str("</url>\n");
        }
        let name = format!("sitemap-{}.xml", first / ENTRIES);
        fs::write(folder.join(&name), urlset + "</urlset>\n")?;
        writeln!(index, "<sitemap><loc>https://example.com/{name}</loc></sitemap>")?;
    }
    fs::write(folder.join("sitemap.xml"), index + "</sitemapindex>\n")?;
    Ok(())
}

fn measure(file: &str) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let state = State::open(file)?;
    let judgement = judge(&StateEvidence::new(&state), &JudgeOptions::new(), &mut |_| {})?;
    println!("{}", judgement.table);
    println!("findings: {:?}", judgement.counts);
    println!("{:.1} s, memory: {}", begun.elapsed().as_secs_f64(), peak());
    Ok(())
}

/// Returns this process's peak memory use, as reported by Linux.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |line| line.trim().to_owned())
}
