//! The entries that every contender publishes, and the file names.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

/// The base URL of all pages and sitemaps.
pub const BASE: &str = "https://www.example.com/";

/// The number of URLs in a full file, which is the protocol's limit.
pub const URLS_PER_FILE: u64 = 50_000;

/// The size of the file buffer in bytes, for contenders that make many small writes.
pub const BUFFER: usize = 64 * 1024;

/// The names of the images on each page of the set with images.
pub const IMAGES: [&str; 2] = ["front", "back"];

/// Returns the URLs of the images on the page with this ID.
#[must_use]
pub fn image_urls(id: u64) -> [String; 2] {
    IMAGES.map(|name| format!("https://cdn.example.com/{id}/{name}.jpg?w=640&h=480"))
}

const FIRST_LASTMOD: i64 = 1_735_689_600; // 2025-01-01T00:00:00Z
const LASTMOD_STEP: u64 = 7_919;
const LASTMOD_SPAN: u64 = 400 * 86_400;

const PRIORITIES: [f32; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// A row of the catalogue, as a database might return it.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    /// The row's ID, in the path of the page's URL.
    pub id: u64,
    /// The size of the product, which is a query parameter in the page's URL.
    pub size: u64,
    /// The date of the last change in whole seconds. It differs between neighbouring rows.
    pub lastmod: DateTime<Utc>,
    /// The priority in tenths, `0..=10`, for contenders that format it themselves.
    pub tenths: u8,
    /// The priority as a number from 0.0 to 1.0, as a database would return it.
    pub priority: f32,
}

impl Item {
    /// Returns the row with this ID. Creating a row costs little compared with writing it.
    #[must_use]
    pub fn nth(id: u64) -> Self {
        let seconds = (id * LASTMOD_STEP % LASTMOD_SPAN).cast_signed();
        Self {
            id,
            size: id % 40,
            lastmod: DateTime::from_timestamp(FIRST_LASTMOD + seconds, 0).unwrap_or_default(),
            tenths: (id % 11).to_le_bytes()[0],
            priority: PRIORITIES[(id % 11) as usize],
        }
    }

    /// Returns the page's URL, unescaped.
    #[must_use]
    pub fn loc(&self) -> String {
        format!("https://www.example.com/catalog/item-{}?color=red&size={}", self.id, self.size)
    }
}

/// Returns the range of row IDs for each file, in order.
pub fn files(entries: u64) -> impl Iterator<Item = std::ops::Range<u64>> {
    (0..entries.div_ceil(URLS_PER_FILE)).map(move |file| {
        let first = file * URLS_PER_FILE;
        first..entries.min(first + URLS_PER_FILE)
    })
}

/// Returns the file name of child sitemap `n`, counting from 1.
#[must_use]
pub fn child_name(n: usize) -> String {
    format!("sitemap-catalog-{n}.xml")
}

/// Returns the URL of child sitemap `n`, counting from 1.
#[must_use]
pub fn child_url(n: usize) -> String {
    format!("{BASE}{}", child_name(n))
}

/// Returns the path of child sitemap `n`, counting from 1.
#[must_use]
pub fn child_path(dir: &Path, n: usize) -> PathBuf {
    dir.join(child_name(n))
}

/// Returns the path of the sitemap index.
#[must_use]
pub fn index_path(dir: &Path) -> PathBuf {
    dir.join("sitemap.xml")
}
