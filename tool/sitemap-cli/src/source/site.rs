//! The sitemaps of a site: those in its robots.txt, and those at the usual paths.

use sitemap_read::{DocumentKind, Item, ReadOptions, SitemapReader};
use std::fs::File;
use std::path::Path;
use url::Url;

use super::Place;
use super::client::{Fetched, Network, Refused};
use super::robots::Robots;
use crate::error::{Outcome, Stop};
use crate::terminal::say;

/// The usual paths of sitemaps.
///
/// Sources: the examples of sitemaps.org (`sitemap.xml`, `sitemap.xml.gz`, `sitemap_index.xml`, `sitemap.txt`);
/// Yoast SEO and Rank Math (`sitemap_index.xml`); Astro and Gatsby (`sitemap-index.xml`); `WordPress` 5.5
/// (`wp-sitemap.xml`).
const USUAL_PATHS: [&str; 6] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/wp-sitemap.xml",
    "/sitemap.xml.gz",
    "/sitemap.txt",
];

/// Returns a site's sitemaps. If robots.txt lists none, returns the first one found at a usual path. With `probe`,
/// returns those in robots.txt and all found at the usual paths.
pub(super) fn sitemaps(
    network: &Network,
    site: &Url,
    options: ReadOptions,
    probe: bool,
) -> Outcome<Vec<Place>> {
    let robots = join(site, "/robots.txt")?;
    let why = match Robots::fetch(network, &robots) {
        Ok(found) => {
            let mut places = found.places(robots.as_str(), Place::Url);
            if probe {
                add_usual(network, site, options, &mut places)?;
            }
            if !places.is_empty() {
                return Ok(places);
            }
            "lists no sitemap".to_owned()
        }
        // The host has failed, so requests for the usual paths would fail too.
        Err(refused) if !refused.is_absent() => {
            return Err(Stop::new(format!("`{robots}`: {refused}")));
        }
        Err(refused) => {
            let mut places = Vec::new();
            if probe {
                say(&format!("`{robots}`: {refused}"));
                add_usual(network, site, options, &mut places)?;
            }
            if !places.is_empty() {
                return Ok(places);
            }
            refused.to_string()
        }
    };
    if !probe {
        say(&format!("`{robots}`: {why}; trying the usual paths"));
        for path in USUAL_PATHS {
            let url = join(site, path)?;
            match network.fetch(&url) {
                Ok(found) if is_sitemap(&found, options) => {
                    say(&format!("found `{url}`"));
                    return Ok(vec![Place::Url(url)]);
                }
                Err(refused) if !refused.is_absent() => {
                    say(&format!("warning: cannot read `{url}`: {refused}"));
                }
                _ => {}
            }
        }
    }
    Err(Stop::new(format!("no sitemap found for `{site}`; give the URL of a sitemap")))
}

/// Returns the sitemaps in a robots.txt. With `probe`, also returns those at the usual paths of its site.
pub(super) fn of_robots(
    network: &Network,
    robots: &Url,
    options: ReadOptions,
    probe: bool,
) -> Outcome<Vec<Place>> {
    let found = Robots::fetch(network, robots);
    let found = found.map_err(|why| Stop::new(format!("cannot read `{robots}`: {why}")))?;
    let mut places = found.places(robots.as_str(), Place::Url);
    if probe {
        add_usual(network, robots, options, &mut places)?;
    }
    if places.is_empty() {
        let remedy = if probe { "" } else { ", or look at the usual paths with `--probe`" };
        return Err(Stop::new(format!("`{robots}` lists no sitemap; give the URL of a sitemap{remedy}")));
    }
    Ok(places)
}

/// Adds sitemaps at the usual paths that aren't in the list yet.
fn add_usual(network: &Network, site: &Url, options: ReadOptions, places: &mut Vec<Place>) -> Outcome<()> {
    let urls = USUAL_PATHS.iter().map(|path| join(site, path)).collect::<Outcome<Vec<_>>>()?;
    let urls: Vec<_> = urls.into_iter().filter(|url| !places.contains(&Place::Url(url.clone()))).collect();
    let started: Vec<_> = urls.iter().map(|url| network.client.start(url, &network.spool, true)).collect();
    for (url, started) in urls.into_iter().zip(started) {
        let fetched = started.map_err(Refused::from).and_then(|started| network.client.finish(started));
        match fetched {
            Ok(fetched) => {
                let leads_to = Place::Url(fetched.url.clone());
                if is_sitemap(&fetched, options) && !places.contains(&leads_to) {
                    say(&format!("found `{url}` at a usual path"));
                    places.push(leads_to);
                }
            }
            Err(refused) if refused.is_absent() => {}
            Err(refused) => say(&format!("warning: cannot read `{url}`: {refused}")),
        }
    }
    Ok(())
}

/// Returns `true` if a document is a sitemap. Some servers return a web page for any path.
fn is_sitemap(fetched: &Fetched, options: ReadOptions) -> bool {
    let is_text = Path::new(fetched.url.path()).extension().is_some_and(|extension| extension == "txt");
    let Ok(file) = File::open(fetched.spooled.path()) else { return false };
    let mut reader = SitemapReader::from_reader_with(file, options);
    match reader.document().map(|document| document.kind) {
        // Any text could be read as a list of URLs, so the text has to contain at least one URL.
        Ok(DocumentKind::Text) => is_text && matches!(reader.next(), Ok(Some(Item::Page(_)))),
        found => found.is_ok(),
    }
}

fn join(site: &Url, path: &str) -> Outcome<Url> {
    site.join(path).map_err(|error| Stop::new(format!("`{site}`: {error}")))
}
