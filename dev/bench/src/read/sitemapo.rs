//! The crate sitemapo: its `Parser` reads from memory and parses each URL with the crate url.

use std::path::Path;

use ::sitemapo::{Parser, Record};

use super::tally::each_in_memory;
use crate::Result;

/// Reads the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    each_in_memory(dir, entries, |bytes, tally| {
        for record in Parser::new(bytes) {
            let Record::Entry(entry) = record? else {
                return Err("found a `<sitemap>` element in a urlset".into());
            };
            let loc = entry.location.as_str();
            tally.add(loc, entry.modified.is_some(), entry.frequency.is_some(), entry.priority.is_some());
        }
        Ok(())
    })
}
