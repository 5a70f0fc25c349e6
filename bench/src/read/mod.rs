//! The contenders that read: each takes every value of every entry of the set's files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::publish::{Contender, Layout};
use crate::workload::{self, Item};

mod check;
mod ours;
mod quick_xml_loop;
mod sitemap;
mod sitemapo;
mod sitemaps;

/// Every contender, in the order of the table; the first one is what the others are compared with.
pub const READERS: &[Contender] = &[
    reader("quick_xml_loop", quick_xml_loop::texts),
    reader("quick_xml_values", quick_xml_loop::values),
    reader("quick_xml_ns", quick_xml_loop::namespaces),
    reader("ours_slice", ours::slice),
    reader("ours_stream", ours::stream),
    reader("ours_general", ours::general),
    reader("ours_check", check::run),
    reader("sitemapo", sitemapo::run),
    reader("sitemaps", sitemaps::run),
    reader("sitemap", sitemap::run),
];

const fn reader(name: &'static str, run: fn(&Path, u64) -> Result<()>) -> Contender {
    Contender { name, run, layout: Layout::Own }
}

/// What a contender made of the files, to see that it left nothing out.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    entries: u64,
    /// Bytes of all addresses.
    loc: u64,
    /// Entries with each of the other three values.
    lastmod: u64,
    changefreq: u64,
    priority: u64,
}

impl Tally {
    fn add(&mut self, loc: &str, lastmod: bool, changefreq: bool, priority: bool) {
        self.entries += 1;
        self.loc += loc.len() as u64;
        self.lastmod += u64::from(lastmod);
        self.changefreq += u64::from(changefreq);
        self.priority += u64::from(priority);
    }

    fn check(&self, entries: u64) -> Result<()> {
        // Enough rows to tell a decoded address from one that is not.
        let sample = Item::nth(0).loc().len() as u64;
        let is_whole = [self.entries, self.lastmod, self.changefreq, self.priority] == [entries; 4];
        if !is_whole || self.loc < entries * sample || self.loc > entries * (sample + 8) {
            return Err(format!("read {self:?} of {entries} entries").into());
        }
        Ok(())
    }
}

/// The set's files, without the index.
fn paths(dir: &Path, entries: u64) -> impl Iterator<Item = PathBuf> {
    workload::files(entries).zip(1..).map(move |(_, n)| workload::child_path(dir, n))
}

/// Reads every file into memory, one at a time and into the same buffer, and has it tallied.
fn each_in_memory(
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
