//! The crate sitemap-xml-writer: its streaming `SitemapWriter` takes one borrowed `Url` at a time.
//!
//! The crate writes no line breaks, and writes UTC as `+00:00`. This contender passes the date as chrono's `DateTime`
//! and the priority as a string, because these input types are the fastest.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use ::sitemap_xml_writer::{Changefreq, SitemapIndexWriter, SitemapWriter, Url};

use crate::Result;
use crate::workload::{self, Item};

const PRIORITIES: [&str; 11] = ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"];

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    let mut index = SitemapIndexWriter::start(create(&workload::index_path(dir))?)?;
    for (ids, n) in workload::files(entries).zip(1..) {
        let mut sitemap = SitemapWriter::start(create(&workload::child_path(dir, n))?)?;
        for id in ids {
            let item = Item::nth(id);
            let loc = item.loc();
            let url = Url::loc(loc.as_str())?
                .lastmod(item.lastmod)?
                .changefreq(Changefreq::Weekly)?
                .priority(PRIORITIES[usize::from(item.tenths)])?;
            sitemap.write(url)?;
        }
        sitemap.end()?;
        sitemap.into_inner().flush()?;
        index.write(workload::child_url(n).as_str())?;
    }
    index.end()?;
    index.into_inner().flush()?;
    Ok(())
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path)?;
    Ok(BufWriter::with_capacity(workload::BUFFER, file))
}
