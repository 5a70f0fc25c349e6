//! This project: records handed to a `Publisher`, every check on.

use std::path::Path;

use chrono::{DateTime, Utc};
use sitemap_core::{ChangeFreq, Entries, Entry, Error, Publisher, Site, SitemapEntry, ToLastMod, ToPriority, IndexLastMod};
use sitemap_core::__private::TemplateUrl;

use crate::Result;
use crate::workload::{self, Item};

struct Page {
    id: u64,
    size: u64,
    lastmod: DateTime<Utc>,
    priority: f32,
}

impl SitemapEntry for Page {
    fn entries(&self, out: &mut Entries<'_>) -> std::result::Result<(), Error> {
        let mut url = TemplateUrl::absolute(out);
        url.literal("https://www.example.com/catalog/item-");
        url.segment("id", &self.id)?;
        url.literal("?color=red&size=");
        url.query("size", &self.size)?;
        let entry = Entry::new(url.loc()?)
            .with_lastmod(<DateTime<Utc> as ToLastMod>::to_last_mod(&self.lastmod)?)
            .with_changefreq(ChangeFreq::Weekly)
            .with_priority(<f32 as ToPriority>::to_priority(&self.priority)?);
        out.add(entry)?;
        url.give_back(out);
        Ok(())
    }
}

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    let site = Site::new(workload::BASE)?;
    let mut publisher = Publisher::builder(site).index_lastmod(IndexLastMod::Omit).to_dir(dir)?;
    publisher.section("catalog")?.add_all((0..entries).map(|id| {
        let item = Item::nth(id);
        Page { id, size: item.size, lastmod: item.lastmod, priority: f32::from(item.tenths) / 10.0 }
    }))?;
    publisher.finish()?;
    Ok(())
}
