//! This project's `SitemapReader`, from memory, from files, and without its fast path.

use std::fs::File;
use std::path::Path;

use sitemap_read::{Item, ReadOptions, SitemapReader};

use super::tally::{Tally, each_in_memory, paths};
use crate::Result;

/// Reads from memory.
pub fn slice(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| read(SitemapReader::from_slice(bytes), tally))
}

/// Reads the files as streams.
pub fn stream(dir: &Path, entries: u64) -> Result<()> {
    let mut tally = Tally::default();
    for path in paths(dir, entries) {
        read(SitemapReader::from_reader(File::open(path)?), &mut tally)?;
    }
    tally.check(entries)
}

/// Reads from memory with the general parser only.
pub fn general(dir: &Path, entries: u64) -> Result<()> {
    let options = ReadOptions::new().without_fast_path();
    each_in_memory(dir, entries, |bytes, tally| read(SitemapReader::from_slice_with(bytes, options), tally))
}

fn read(mut reader: SitemapReader<'_>, tally: &mut Tally) -> Result<()> {
    while let Some(item) = reader.next()? {
        let Item::Page(page) = item else { return Err("found a `<sitemap>` element in a urlset".into()) };
        let entry = page.entry();
        tally.add(
            entry.loc().as_str(),
            entry.lastmod().is_some(),
            entry.changefreq().is_some(),
            entry.priority().is_some(),
        );
    }
    Ok(())
}
