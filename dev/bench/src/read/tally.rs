//! Passes the set's files to a reader, and counts the values that it finds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::workload::{self, Item};

/// The totals of the values that a reader found. They show whether it missed any.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    entries: u64,
    /// The total length of all URLs, in bytes.
    loc: u64,
    /// The number of entries with a `lastmod`.
    lastmod: u64,
    /// The number of entries with a `changefreq`.
    changefreq: u64,
    /// The number of entries with a `priority`.
    priority: u64,
}

impl Tally {
    pub(super) fn add(&mut self, loc: &str, lastmod: bool, changefreq: bool, priority: bool) {
        self.entries += 1;
        self.loc += loc.len() as u64;
        self.lastmod += u64::from(lastmod);
        self.changefreq += u64::from(changefreq);
        self.priority += u64::from(priority);
    }

    pub(super) fn check(&self, entries: u64) -> Result<()> {
        // A correct URL is at most eight bytes longer than the first. If a reader doesn't decode `&amp;`, each URL is
        // four bytes longer, and the total for a large set exceeds the limit below.
        let sample = Item::nth(0).loc().len() as u64;
        let is_whole = [self.entries, self.lastmod, self.changefreq, self.priority] == [entries; 4];
        if !is_whole || self.loc < entries * sample || self.loc > entries * (sample + 8) {
            return Err(
                format!("the reader found {self:?}, expected {entries} entries with all values").into()
            );
        }
        Ok(())
    }
}

/// Returns the paths of the set's child sitemaps.
pub(super) fn paths(dir: &Path, entries: u64) -> impl Iterator<Item = PathBuf> {
    workload::files(entries).zip(1..).map(move |(_, n)| workload::child_path(dir, n))
}

/// Loads each child sitemap into the same buffer, passes its bytes to `read`, and finally checks the totals.
pub(super) fn each_in_memory(
    dir: &Path,
    entries: u64,
    mut read: impl FnMut(&[u8], &mut Tally) -> Result<()>,
) -> Result<()> {
    use std::io::Read;

    let mut tally = Tally::default();
    let mut bytes = Vec::new();
    for path in paths(dir, entries) {
        bytes.clear();
        fs::File::open(path)?.read_to_end(&mut bytes)?;
        read(&bytes, &mut tally)?;
    }
    tally.check(entries)
}
