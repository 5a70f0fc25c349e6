//! The sitemaps of a site, found through its robots.txt.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use flate2::read::MultiGzDecoder;
use sitemap_core::publish::FEED;
use sitemap_core::robots;
use url::Url;

use super::Place;
use super::client::{Network, Refused};
use crate::error::{Outcome, Stop, system_message};
use crate::terminal::say;

/// The maximum number of bytes read from a robots.txt. Google has the same limit.
const MAX_BYTES: u64 = 500 * 1024;

/// The common paths of sitemaps, tried if robots.txt lists none.
const COMMON_PATHS: [&str; 3] = ["/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz"];

/// Returns the sitemaps that a site's robots.txt lists, or else the first sitemap found at a common path.
pub(super) fn discover(network: &Network, site: &Url) -> Outcome<Vec<Place>> {
    let robots = join(site, "/robots.txt")?;
    let why = match sitemaps(network, &robots) {
        Ok(found) if !found.is_empty() => {
            let (found, feeds) = without_feeds(found);
            for url in &feeds {
                say(&format!("left out `{url}`, which lists the last changes of the sitemaps"));
            }
            for url in &found {
                say(&format!("found `{url}` in `{robots}`"));
            }
            return Ok(found.into_iter().map(Place::Url).collect());
        }
        Ok(_) => "lists no sitemap".to_owned(),
        // The host failed, so it would also fail for the common paths.
        Err(refused) if !refused.is_absent() => {
            return Err(Stop::new(format!("`{robots}`: {refused}")));
        }
        Err(refused) => refused.to_string(),
    };
    say(&format!("`{robots}`: {why}; trying the common paths"));
    for path in COMMON_PATHS {
        let url = join(site, path)?;
        if network.fetch(&url).is_ok() {
            say(&format!("found `{url}`"));
            return Ok(vec![Place::Url(url)]);
        }
    }
    Err(Stop::new(format!("no sitemap found for `{site}`; give the URL of a sitemap")))
}

/// Splits sitemaps into those to read and the feeds that updates publish. The pages of such a feed are also in the
/// sitemaps next to it, so it is read only if there is nothing else.
fn without_feeds(found: Vec<Url>) -> (Vec<Url>, Vec<Url>) {
    let is_feed = |url: &Url| url.path().rsplit('/').next() == Some(FEED);
    let (feeds, others): (Vec<Url>, Vec<Url>) = found.into_iter().partition(is_feed);
    if others.is_empty() { (feeds, others) } else { (others, feeds) }
}

fn join(site: &Url, path: &str) -> Outcome<Url> {
    site.join(path).map_err(|error| Stop::new(format!("`{site}`: {error}")))
}

/// Returns the sitemaps that a robots.txt lists, each once.
pub(super) fn sitemaps(network: &Network, robots: &Url) -> Result<Vec<Url>, Refused> {
    let document = network.fetch(robots)?;
    let mut text = Vec::new();
    File::open(document.spooled.path())
        .and_then(inflated)
        .and_then(|robots| robots.take(MAX_BYTES).read_to_end(&mut text))
        .map_err(|error| system_message(&error))?;
    Ok(parse(&text, &document.url))
}

/// Decompresses a robots.txt that the server sent as gzip.
fn inflated(mut file: File) -> io::Result<Box<dyn Read>> {
    let mut start = [0; 2];
    let is_gzip = file.read_exact(&mut start).is_ok() && start == [0x1F, 0x8B];
    file.seek(SeekFrom::Start(0))?;
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

/// Returns the URLs of the `Sitemap:` lines. Also accepts relative URLs, which the protocol does not allow.
fn parse(text: &[u8], robots: &Url) -> Vec<Url> {
    let mut found = Vec::new();
    for line in robots::sitemaps(text) {
        if let Ok(url) = robots.join(line.value())
            && !line.value().is_empty()
            && !found.contains(&url)
        {
            found.push(url);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feed_of_a_set_is_left_out_next_to_its_sitemaps() {
        let urls = |names: &[&str]| -> Vec<Url> {
            names.iter().map(|name| Url::parse(&format!("https://example.com/{name}")).unwrap()).collect()
        };
        let (set, feed) = (urls(&["sitemap.xml"]), urls(&["a/sitemap-changes.atom"]));
        assert_eq!(without_feeds([set.clone(), feed.clone()].concat()), (set, feed.clone()));
        assert_eq!(without_feeds(feed.clone()), (feed, vec![]));
        let other = urls(&["sitemap.xml", "blog.atom"]);
        assert_eq!(without_feeds(other.clone()), (other, vec![]));
    }

    #[test]
    fn each_sitemap_is_taken_once_in_the_order_of_lines() {
        let robots = Url::parse("https://example.com/robots.txt").unwrap();
        let text = b"User-agent: *\nSitemap: https://example.com/a.xml # main\nDisallow: /x\n\
                     site-map: https://other.example/b.xml\nSitemap:\nsitemap: /d.xml\n\
                     Sitemap: https://example.com/a.xml";
        let found: Vec<_> = parse(text, &robots).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            ["https://example.com/a.xml", "https://other.example/b.xml", "https://example.com/d.xml"]
        );
    }
}
