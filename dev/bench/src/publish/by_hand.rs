//! This project, with `SitemapEntry` implemented by hand.

use std::path::Path;

use sitemap_core::value::{ToLastMod as _, ToPriority as _};
use sitemap_core::{ChangeFreq, Entry, EntryWriter, Error, SitemapEntry};

use crate::Result;
use crate::workload::Item;

struct Page(Item);

impl SitemapEntry for Page {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> std::result::Result<(), Error> {
        let loc =
            out.site().resolve(format!("/catalog/item-{}?color=red&size={}", self.0.id, self.0.size))?;
        out.add(
            Entry::new(loc)
                .with_lastmod(self.0.lastmod.to_last_mod()?)
                .with_changefreq(ChangeFreq::Weekly)
                .with_priority(self.0.priority.to_priority()?),
        )
    }
}

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    super::derived::publish(dir, entries, Page)
}
