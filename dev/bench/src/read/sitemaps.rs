//! The crate sitemaps: its `SitemapsFile::read` returns all entries of a file, with their values as unparsed strings.

use std::path::Path;

use ::sitemaps::SitemapsFile;

use super::tally::each_in_memory;
use crate::Result;

/// Reads the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| {
        let file = SitemapsFile::read(bytes).map_err(|error| format!("{error:?}"))?;
        let SitemapsFile::Sitemap(sitemap) = file else {
            return Err("found an index instead of a urlset".into());
        };
        for entry in &sitemap.entries {
            tally.add(
                &entry.loc,
                entry.last_mod.is_some(),
                entry.change_freq.is_some(),
                entry.priority.is_some(),
            );
        }
        Ok(())
    })
}
