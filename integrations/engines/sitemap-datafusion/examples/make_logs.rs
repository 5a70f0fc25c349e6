//! Writes a month of an access log for the pages of `make_pages`, in the format `combined`: `make_logs PAGES FILE.log`.
//!
//! Google fetches two thirds of the pages at some time in January 2026, and pages of `/old/` that no longer exist. A
//! program with another address says that it is Googlebot, and people read all pages. Some lines are not requests.

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Write};

const GOOGLEBOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let (Some(pages), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("usage: make_logs PAGES FILE.log"));
    };
    let pages: u64 =
        pages.parse().map_err(|error| io::Error::other(format!("PAGES is {pages:?}: {error}")))?;
    let mut log = BufWriter::new(File::create(&file)?);
    for value in 1..=pages {
        let section = match value % 4 {
            0 => "articles",
            1 => "products",
            _ => "items",
        };
        let path = format!("/{section}/{}-{value}", value * 2_654_435_761 % 4_294_967_296);
        if value % 3 > 0 {
            // The address is one of 66.249.64.0/27.
            line(&mut log, value * 13, &format!("66.249.64.{}", value % 32), &path, 200, GOOGLEBOT)?;
        }
        line(&mut log, value * 31, "198.51.100.7", &path, 200, GOOGLEBOT)?;
        line(&mut log, value * 17, "203.0.113.9", &format!("{path}?from=mail"), 200, BROWSER)?;
        if value % 50 == 0 {
            line(&mut log, value * 7, "66.249.64.1", &format!("/old/{}", value % 7), 404, GOOGLEBOT)?;
            writeln!(log, "worker {value} restarted")?;
        }
    }
    log.flush()?;
    println!("wrote the requests of {pages} pages to {file}");
    Ok(())
}

fn line(log: &mut impl Write, seed: u64, ip: &str, path: &str, status: u16, agent: &str) -> io::Result<()> {
    let second = seed * 7_919 % (30 * 86_400);
    let (day, hour, minute) = (second / 86_400 + 1, second / 3_600 % 24, second / 60 % 60);
    let second = second % 60;
    let time = format!("{day:02}/Jan/2026:{hour:02}:{minute:02}:{second:02} +0000");
    writeln!(log, "{ip} - - [{time}] \"GET {path} HTTP/1.1\" {status} 5123 \"-\" \"{agent}\"")
}
