//! Measures a judgement of a state: `judge_speed make FILE PAGES` writes a state, and `judge_speed judge FILE` judges it.

use std::error::Error;
use std::time::{Duration, Instant, UNIX_EPOCH};

use sitemap_pages::facts::{PageFacts, Response};
use sitemap_pages::judge::{JudgeOptions, StateEvidence, judge};
use sitemap_pages::state::{ListedAlternate, ListedPage, RunKind, State};
use sitemap_pages::visit::{Outcome, Validators, Visit};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", file, pages] => make(file, pages.parse()?),
        ["judge", file] => measure(file),
        _ => Err("usage: judge_speed make FILE PAGES | judge FILE".into()),
    }
}

fn url(number: u64) -> String {
    format!("https://example.com/section-{}/page-{number}.html", number % 50)
}

fn html(number: u64) -> String {
    // Every tenth page names another canonical, and every twentieth is `noindex`.
    let canonical = if number % 10 == 3 { url(number - 1) } else { url(number) };
    let robots = if number % 20 == 7 { "<meta name=robots content=noindex>" } else { "" };
    let paragraphs: Vec<_> = (0..10).map(|part| format!("<p>Paragraph {part} of page {number}")).collect();
    let paragraphs = paragraphs.concat();
    let pair = number ^ 1;
    format!(
        "<!doctype html><html lang=en><title>Page {number} | Example</title><link rel=canonical href={canonical}>{robots}\
         <link rel=alternate hreflang=de href={other}><div>Menu</div><h1>Page {number}</h1>{paragraphs}<div>Imprint</div>",
        other = url(pair)
    )
}

fn make(file: &str, pages: u64) -> Result<(), Box<dyn Error>> {
    let mut state = State::create_or_open(file)?;
    let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    // The order of the listing is not that of the URLs.
    let listed = |number: u64| ListedPage {
        file: number / 50_000,
        position: number % 50_000 * 120,
        line: number % 50_000 + 2,
        column: 3,
        len: 60,
        loc: url(number),
        lastmod: Some("2026-11-22".to_owned()),
        alternates: vec![ListedAlternate { language: "de".to_owned(), url: url(number ^ 1) }],
    };
    let files: Vec<_> = (0..=pages / 50_000).map(|number| format!("sitemap-{number}.xml")).collect();
    state.set_listing(&files, (0..pages).map(listed))?;
    let run = state.begin_run(RunKind::Check, now)?;
    for number in 0..pages {
        let (url, body) = (url(number), html(number));
        let (headers, body) = (&[("content-type", "text/html")], body.as_bytes());
        let facts = Box::new(PageFacts::of(&Response {
            requested: &url,
            url: &url,
            status: 200,
            headers,
            body,
            is_cut: false,
        }));
        let outcome = Outcome::Page { facts, validators: Validators::default() };
        state.store(&run, &Visit { url, at: now, hops: Vec::new(), outcome })?;
    }
    state.finish_run(&run)?;
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

/// Returns the greatest memory of this process, as Linux counts it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |line| line.trim().to_owned())
}
