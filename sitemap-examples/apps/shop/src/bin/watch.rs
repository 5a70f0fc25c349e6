//! Reads a set repeatedly while it is being republished, and checks that every response is complete.
//!
//! `watch ADDRESS SECONDS` prints the number of responses and sets, and fails if a response is an error or incomplete.

use std::collections::HashSet;
use std::env;
use std::io::Read as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
use shop::drive::Client;
use sitemap_read::SitemapReader;

fn main() -> ExitCode {
    shop::end("watch", watch().map(|report| println!("{report}")))
}

fn watch() -> Result<String, shop::Error> {
    let mut args = env::args().skip(1);
    let (Some(address), Some(seconds)) = (args.next(), args.next()) else {
        return Err("usage: watch ADDRESS SECONDS".into());
    };
    let to = Client::of(&address);
    let end = Instant::now() + Duration::from_secs_f64(seconds.parse()?);
    let (mut sets, mut answers, mut generations) = (0_u64, 0_u64, HashSet::new());
    while Instant::now() < end {
        let index = fetch(&to, "/sitemap.xml")?;
        let children = urls(&index, "</sitemapindex>\n")?;
        let mut pages = 0;
        for child in &children {
            let path = child
                .strip_prefix(shop::BASE)
                .ok_or_else(|| format!("the index lists `{child}`, which is on another site"))?;
            let packed = fetch(&to, path)?;
            let mut xml = Vec::new();
            MultiGzDecoder::new(&packed[..])
                .read_to_end(&mut xml)
                .map_err(|error| format!("{path}: {error}"))?;
            pages += urls(&xml, "</urlset>\n").map_err(|error| format!("{path}: {error}"))?.len();
        }
        if pages != 2_607 {
            return Err(format!("the set has {pages} pages, expected 2607").into());
        }
        sets += 1;
        answers += 1 + children.len() as u64;
        generations.insert(index);
    }
    Ok(format!(
        "{answers} responses; all {sets} sets were complete and came from {} publications",
        generations.len()
    ))
}

/// Fetches a path and returns the body. An incomplete body is an error.
fn fetch(to: &Client, path: &str) -> Result<Vec<u8>, shop::Error> {
    let response = to.request("GET", path, &[]).map_err(|error| format!("{path}: {error}"))?;
    match response.status {
        200 => Ok(response.body),
        status => Err(format!("{path}: status {status}").into()),
    }
}

/// Returns the URLs in a document. Fails if the document is incomplete or has findings.
fn urls(xml: &[u8], end: &str) -> Result<Vec<String>, shop::Error> {
    if !xml.ends_with(end.as_bytes()) {
        return Err(format!("the document does not end with {end:?}").into());
    }
    let mut found = Vec::new();
    let mut reader = SitemapReader::from_slice(xml);
    while let Some(item) = reader.next()? {
        found.push(item.loc().as_str().to_owned());
    }
    let finding = reader.drain_findings().next();
    finding.map_or(Ok(found), |finding| Err(finding.to_string().into()))
}
