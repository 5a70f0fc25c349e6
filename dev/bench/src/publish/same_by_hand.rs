//! The calls that the derive generates, written by hand. The difference between the times of `same_by_hand` and
//! `derived` is the cost of the derive.

use std::path::Path;

use sitemap_core::__private::{Literal, TemplateUrl};
use sitemap_core::value::{ToLastMod as _, ToPriority as _};
use sitemap_core::{ChangeFreq, Entry, EntryWriter, Error, SitemapEntry};

use crate::Result;
use crate::workload::Item;

struct Page(Item);

impl SitemapEntry for Page {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> std::result::Result<(), Error> {
        let mut url = TemplateUrl::absolute(out);
        url.literal(const { Literal::new("https://www.example.com/catalog/item-") });
        url.segment("id", &self.0.id)?;
        url.literal(const { Literal::new("?color=red&size=") });
        url.query("size", &self.0.size)?;
        out.add(
            Entry::new(url.loc()?)
                .with_lastmod(self.0.lastmod.to_last_mod()?)
                .with_changefreq(ChangeFreq::Weekly)
                .with_priority(self.0.priority.to_priority()?),
        )?;
        url.give_back(out);
        Ok(())
    }
}

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    super::derived::publish(dir, entries, Page)
}
