//! Measures how long it takes to read the facts of pages from files.
//!
//!     cargo run --release -p sitemap-pages --example facts_speed -- ROUNDS FILE...

#![expect(clippy::cast_precision_loss, reason = "sizes are small")]

use std::time::Instant;

use sitemap_pages::facts::{PageFacts, Response};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds =
        arguments.next().and_then(|rounds| rounds.parse().ok()).expect("the first argument is a number");
    let pages: Vec<(String, Vec<u8>)> = arguments
        .map(|file| {
            (format!("https://example.com/{file}"), std::fs::read(&file).expect("the file can be read"))
        })
        .collect();
    let bytes: usize = pages.iter().map(|(_, body)| body.len()).sum();
    let (mut best, mut links, mut blocks) = (f64::MAX, 0, 0);
    for _ in 0..rounds {
        (links, blocks) = (0, 0);
        let start = Instant::now();
        for (url, body) in &pages {
            let headers = [("content-type", "text/html; charset=utf-8")];
            let facts = PageFacts::of(&Response::new(url, 200, &headers, body));
            links += facts.links.len();
            blocks += facts.blocks.len();
        }
        best = start.elapsed().as_secs_f64().min(best);
    }
    let (size, number) = (bytes as f64, pages.len() as f64);
    println!(
        "{} pages, {:.1} KB, {:.1} links and {:.1} blocks a page",
        pages.len(),
        size / number / 1e3,
        links as f64 / number,
        blocks as f64 / number
    );
    println!("{:.0} MB/s, {:.1} µs for 30 KB", size / best / 1e6, best / size * 30e3 * 1e6);
}
