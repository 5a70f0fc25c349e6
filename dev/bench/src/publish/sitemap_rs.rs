//! The crate sitemap-rs: a `UrlSet` collects a file's owned `Url`s, and `UrlSet::write` writes them.
//!
//! The crate writes one element per line, indented with tabs. It writes UTC as `+00:00`, and the lowest and highest
//! priority as `0` and `1`. This contender calls `Url::new`, because `UrlBuilder::build` copies every field again. Like
//! the crate's examples, it writes to a `Vec`, which is faster than a `BufWriter`.

use std::fs;
use std::path::Path;

use ::sitemap_rs::sitemap::Sitemap;
use ::sitemap_rs::sitemap_index::SitemapIndex;
use ::sitemap_rs::url::{ChangeFrequency, Url};
use ::sitemap_rs::url_set::UrlSet;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::Result;
use crate::workload::{self, Item};

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    let mut sitemaps = Vec::new();
    for (ids, n) in workload::files(entries).zip(1..) {
        let urls = ids.map(|id| url(&Item::nth(id))).collect::<Result<_>>()?;
        let mut document = Vec::new();
        UrlSet::new(urls)?.write(&mut document)?;
        fs::write(workload::child_path(dir, n), document)?;
        sitemaps.push(Sitemap::new(workload::child_url(n), None));
    }
    let mut document = Vec::new();
    SitemapIndex::new(sitemaps)?.write(&mut document)?;
    fs::write(workload::index_path(dir), document)?;
    Ok(())
}

fn url(item: &Item) -> Result<Url> {
    let lastmod = Timestamp::from_second(item.lastmod.timestamp())?.to_zoned(TimeZone::UTC);
    let url = Url::new(
        item.loc(),
        Vec::new(),
        Some(lastmod),
        Some(ChangeFrequency::Weekly),
        Some(item.priority),
        None,
        None,
        None,
    )?;
    Ok(url)
}
