//! This project, with `#[derive(SitemapEntry)]` and all checks enabled.

use std::path::Path;

use chrono::{DateTime, Utc};
use sitemap_core::publish::IndexLastMod;
use sitemap_core::{Site, SitemapEntry, SitemapSet};

use crate::Result;
use crate::workload::{self, Item};

#[derive(SitemapEntry)]
#[sitemap(loc = "https://www.example.com/catalog/item-{id}?color=red&size={size}", changefreq = "weekly")]
struct Page {
    id: u64,
    size: u64,
    lastmod: DateTime<Utc>,
    priority: f32,
}

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    publish(dir, entries, Page::from)
}

/// Returns the record with this ID, for benchmarks that only measure this project.
#[must_use]
pub fn page(id: u64) -> impl SitemapEntry {
    Page::from(Item::nth(id))
}

impl From<Item> for Page {
    fn from(item: Item) -> Self {
        Self { id: item.id, size: item.size, lastmod: item.lastmod, priority: item.priority }
    }
}

/// Publishes the records that `record` returns.
pub(super) fn publish<T: SitemapEntry>(dir: &Path, entries: u64, record: impl Fn(Item) -> T) -> Result<()> {
    let site = Site::new(workload::BASE)?;
    // The other contenders write no dates to the index, and all indexes must have the same bytes.
    let mut run = SitemapSet::builder(site).index_lastmod(IndexLastMod::Omit).open(dir)?.replace()?;
    run.section("catalog")?.add_all((0..entries).map(|id| record(Item::nth(id))))?;
    run.commit()?;
    Ok(())
}
