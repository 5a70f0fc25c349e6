//! This project with `#[derive(SitemapEntry)]` and two images on each page.

use std::path::Path;

use chrono::{DateTime, Utc};
use sitemap_core::value::LocError;
use sitemap_core::{Image, Loc, SitemapEntry};

use crate::Result;
use crate::workload::{IMAGES, Item};

struct Photo {
    item: u64,
    name: &'static str,
}

impl TryFrom<&Photo> for Image<'_> {
    type Error = LocError;

    fn try_from(photo: &Photo) -> std::result::Result<Self, LocError> {
        let url = format!("https://cdn.example.com/{}/{}.jpg?w=640&h=480", photo.item, photo.name);
        Ok(Image::new(Loc::parse(url)?))
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "https://www.example.com/catalog/item-{id}?color=red&size={size}", changefreq = "weekly")]
struct Page {
    id: u64,
    size: u64,
    lastmod: DateTime<Utc>,
    priority: f32,
    #[sitemap(images)]
    photos: [Photo; 2],
}

/// Publishes the set.
pub fn run(dir: &Path, entries: u64) -> Result<()> {
    super::derived::publish(dir, entries, |item: Item| Page {
        id: item.id,
        size: item.size,
        lastmod: item.lastmod,
        priority: item.priority,
        photos: IMAGES.map(|name| Photo { item: item.id, name }),
    })
}
