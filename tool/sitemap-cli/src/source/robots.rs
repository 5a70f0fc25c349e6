//! The sitemaps that a robots.txt lists.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use sitemap_core::publish::files::FEED;
use sitemap_core::robots;
use sitemap_read::quoted;
use url::Url;

use super::Place;
use super::client::{Network, Refused};
use super::local::Children;
use crate::error::{Outcome, Stop, system_message};
use crate::number::counted;
use crate::terminal::say;

/// The maximum number of bytes to read from a robots.txt. Google has the same limit.
const MAX_BYTES: u64 = 500 * 1024;

/// The contents of a robots.txt that concern sitemaps.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Robots {
    /// The sitemaps without duplicates, in the order of their lines.
    pub(super) sitemaps: Vec<Url>,
    /// The number of `Sitemap:` lines that contain no URL.
    broken: u64,
    /// The `Sitemap:` lines with a relative URL, with their numbers.
    relative: Vec<(u64, String)>,
    /// The number of `Sitemap:` lines that name a robots.txt, as if it were a sitemap.
    names_itself: u64,
    is_cut: bool,
    /// The document is a web page, as some servers return for any path.
    is_page: bool,
}

impl Robots {
    /// Downloads a robots.txt.
    pub(super) fn fetch(network: &Network, url: &Url) -> Result<Self, Refused> {
        let document = network.fetch(url)?;
        Ok(Self::read(document.spooled.path(), Some(&document.url))
            .map_err(|error| system_message(&error))?)
    }

    /// Reads a file. If the URL of the robots.txt is known, accepts relative URLs too, although the protocol doesn't
    /// allow them.
    fn read(path: &Path, url: Option<&Url>) -> io::Result<Self> {
        let mut text = Vec::new();
        inflated(File::open(path)?)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
        let is_cut = text.len() as u64 > MAX_BYTES;
        if is_cut {
            text.pop();
        }
        let is_page = text.trim_ascii_start().starts_with(b"<");
        Ok(Self { is_cut, is_page, ..Self::parse(&text, url) })
    }

    /// Reads the robots.txt next to a file, if there is one.
    pub(super) fn beside(file: &Path) -> Option<Self> {
        Self::read(&file.with_file_name("robots.txt"), None).ok()
    }

    fn parse(text: &[u8], base: Option<&Url>) -> Self {
        let mut found = Self::default();
        for line in robots::sitemaps(text) {
            let value = line.value();
            if base.is_some() && !value.is_empty() && Url::parse(value).is_err() {
                found.relative.push((line.line(), value.to_owned()));
            }
            let url = match base {
                _ if value.is_empty() => None,
                Some(base) => base.join(value).ok(),
                None => Url::parse(value).ok(),
            };
            match url.filter(|url| matches!(url.scheme(), "http" | "https")) {
                Some(url) if is_robots(url.path()) => found.names_itself += 1,
                Some(url) if found.sitemaps.contains(&url) => {}
                Some(url) => found.sitemaps.push(url),
                None => found.broken += 1,
            }
        }
        found
    }

    /// Returns the places of the sitemaps. Prints each place, and how many lines were skipped. `name` is the path or
    /// URL of the robots.txt.
    pub(super) fn places(self, name: &str, place: impl Fn(Url) -> Place) -> Vec<Place> {
        if self.is_page {
            say(&format!("warning: `{name}` is a web page, not a robots.txt"));
        }
        if self.is_cut {
            say(&format!("`{name}` has more than {MAX_BYTES} bytes; the rest was left out, as Google does"));
        }
        if self.broken > 0 {
            let lines = counted(self.broken, "`Sitemap:` line");
            say(&format!("{lines} of `{name}` left out: no http or https URL"));
        }
        for (line, value) in &self.relative {
            say(&format!("warning: line {line} of `{name}` has no absolute URL, found {}", quoted(value)));
        }
        if self.names_itself > 0 {
            say(&format!("warning: `{name}` lists a robots.txt as a sitemap; left out"));
        }
        let (found, feeds) = without_feeds(self.sitemaps);
        for url in &feeds {
            say(&format!("left out `{url}`, which lists the last changes of the sitemaps"));
        }
        let announced = |url: Url| {
            let text = url.to_string();
            let place = place(url);
            match &place {
                Place::File(path) => say(&format!("found `{}` for `{text}` in `{name}`", path.display())),
                _ => say(&format!("found `{text}` in `{name}`")),
            }
            place
        };
        found.into_iter().map(announced).collect()
    }
}

/// Returns the sitemaps in a robots.txt on disk. A sitemap in the same folder or below is read from disk, just like the
/// child sitemaps of an index. All others are read from their URLs.
pub(super) fn of_file(path: &Path) -> Outcome<Vec<Place>> {
    let robots = Robots::read(path, None).map_err(|error| Stop::io("read", path, &error))?;
    let name = path.display().to_string();
    let urls: Vec<String> = robots.sitemaps.iter().map(Url::to_string).collect();
    let children = Children::new(path, &urls);
    let places =
        robots.places(&name, |url| children.file(&url).map_or_else(|_| Place::Url(url), Place::File));
    if places.is_empty() {
        return Err(Stop::new(format!("`{name}` lists no sitemap; give the path or URL of a sitemap")));
    }
    Ok(places)
}

/// Returns `true` if a path or a URL's path ends with `robots.txt`.
pub(super) fn is_robots(path: &str) -> bool {
    path.rsplit(['/', '\\']).next() == Some("robots.txt")
}

/// Separates the sitemaps to read from the feeds that updates publish. The pages of a feed are also in the sitemaps
/// next to it, so a feed is read only if there is nothing else.
fn without_feeds(found: Vec<Url>) -> (Vec<Url>, Vec<Url>) {
    let is_feed = |url: &Url| url.path().rsplit('/').next() == Some(FEED);
    let (feeds, others): (Vec<Url>, Vec<Url>) = found.into_iter().partition(is_feed);
    if others.is_empty() { (feeds, others) } else { (others, feeds) }
}

/// Decompresses a file in gzip format. Returns other files unchanged.
pub(super) fn inflated(mut file: File) -> io::Result<Box<dyn Read>> {
    let mut start = [0; 2];
    let is_gzip = file.read_exact(&mut start).is_ok() && start == [0x1F, 0x8B];
    file.seek(SeekFrom::Start(0))?;
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
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
        let base = Url::parse("https://example.com/robots.txt").unwrap();
        let text = b"User-agent: *\nSitemap: https://example.com/a.xml # main\nDisallow: /x\n\
                     site-map: https://other.example/b.xml\nSitemap:\nsitemap: /d.xml\n\
                     Sitemap: https://example.com/a.xml\nSitemap: ftp://example.com/e.xml";
        let names = |robots: &Robots| -> Vec<String> { robots.sitemaps.iter().map(Url::to_string).collect() };
        let with_base = Robots::parse(text, Some(&base));
        assert_eq!(
            names(&with_base),
            ["https://example.com/a.xml", "https://other.example/b.xml", "https://example.com/d.xml"]
        );
        assert_eq!(with_base.broken, 2);
        let without = Robots::parse(text, None);
        assert_eq!(names(&without), ["https://example.com/a.xml", "https://other.example/b.xml"]);
        assert_eq!(without.broken, 3);
    }
}
