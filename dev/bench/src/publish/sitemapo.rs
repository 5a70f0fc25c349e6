//! The crate sitemapo: its `EntryBuilder` and `IndexBuilder` take one record at a time.
//!
//! The crate writes one element per line, indented with two spaces, and declares the namespaces of all extensions in
//! every file. It accepts only parsed `url::Url`s, so its cost includes parsing each URL.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use ::sitemapo::record::{Entry, Frequency, Priority, Sitemap};
use ::sitemapo::url::Url;
use ::sitemapo::{EntryBuilder, IndexBuilder};
use jiff::Timestamp;

use crate::Result;
use crate::workload::{self, Item};

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    let mut index = IndexBuilder::new(create(&workload::index_path(dir))?);
    for (ids, n) in workload::files(entries).zip(1..) {
        let mut urlset = EntryBuilder::new(create(&workload::child_path(dir, n))?);
        for id in ids {
            urlset.write(&entry(&Item::nth(id))?)?;
        }
        urlset.finish()?;
        index.write(&Sitemap::new(Url::parse(&workload::child_url(n))?))?;
    }
    index.finish()?;
    Ok(())
}

fn entry(item: &Item) -> Result<Entry> {
    let lastmod = Timestamp::from_second(item.lastmod.timestamp())?;
    let priority = Priority::new(item.priority)?;
    let entry = Entry::new(Url::parse(&item.loc())?)
        .with_modified(lastmod)
        .with_frequency(Frequency::Weekly)
        .with_priority(priority);
    Ok(entry)
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path)?;
    Ok(BufWriter::with_capacity(workload::BUFFER, file))
}
