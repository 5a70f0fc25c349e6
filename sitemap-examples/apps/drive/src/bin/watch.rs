//! Reads a served set again and again while it is published anew, and checks that every answer is whole.
//!
//! `watch ADDRESS SECONDS` prints what it read and ends with an error if an answer failed or was torn.

use std::collections::HashSet;
use std::env;
use std::io::Read as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use drive::Connection;
use flate2::read::MultiGzDecoder;
use sitemap_read::SitemapReader;

fn main() -> ExitCode {
    match watch() {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("watch: {error}");
            ExitCode::FAILURE
        }
    }
}

fn watch() -> Result<String, shop::Error> {
    let mut args = env::args().skip(1);
    let (Some(address), Some(seconds)) = (args.next(), args.next()) else {
        return Err("usage: watch ADDRESS SECONDS".into());
    };
    let mut to = Connection::open(address.parse()?)?;
    let end = Instant::now() + Duration::from_secs_f64(seconds.parse()?);
    let (mut sets, mut answers, mut generations) = (0_u64, 0_u64, HashSet::new());
    while Instant::now() < end {
        let index = whole(&mut to, "/sitemap.xml")?;
        let children = locations(&index, "</sitemapindex>\n")?;
        let mut pages = 0;
        for child in &children {
            let path = child.strip_prefix(shop::BASE).ok_or("a file of another site")?;
            let packed = whole(&mut to, path)?;
            let mut xml = Vec::new();
            MultiGzDecoder::new(&packed[..])
                .read_to_end(&mut xml)
                .map_err(|error| format!("{path}: {error}"))?;
            pages += locations(&xml, "</urlset>\n").map_err(|error| format!("{path}: {error}"))?.len();
        }
        if pages != 2_607 {
            return Err(format!("a set of {pages} pages").into());
        }
        sets += 1;
        answers += 1 + children.len() as u64;
        generations.insert(index);
    }
    Ok(format!("{answers} answers, {sets} sets of {} generations, all whole", generations.len()))
}

/// A body of the announced length: one that ends before is an error of the connection.
fn whole(to: &mut Connection, path: &str) -> Result<Vec<u8>, shop::Error> {
    let response = to.get(path).map_err(|error| format!("{path}: {error}"))?;
    match response.status {
        200 => Ok(response.body),
        status => Err(format!("{path}: status {status}").into()),
    }
}

/// The addresses in a document that is complete and without a finding.
fn locations(xml: &[u8], end: &str) -> Result<Vec<String>, shop::Error> {
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
