//! This project with `#[derive(SitemapEntry)]` on rows that have the URLs of two images as strings.

use std::path::Path;

use chrono::{DateTime, Utc};
use sitemap_core::SitemapEntry;

use crate::Result;
use crate::workload::{self, Item};

#[derive(SitemapEntry)]
#[sitemap(loc = "https://www.example.com/catalog/item-{id}?color=red&size={size}", changefreq = "weekly")]
struct Page {
    id: u64,
    size: u64,
    lastmod: DateTime<Utc>,
    priority: f32,
    #[sitemap(images)]
    photos: [String; 2],
}

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    super::derived::publish(dir, entries, |item: Item| Page {
        id: item.id,
        size: item.size,
        lastmod: item.lastmod,
        priority: item.priority,
        photos: workload::image_urls(item.id),
    })
}
