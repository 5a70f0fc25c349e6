//! The rows that have pages.

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::Row;
use sitemap_core::SitemapEntry;

/// A row of `categories`.
#[derive(SitemapEntry)]
#[sitemap(loc = "/categories/{slug}", section = "categories")]
pub(crate) struct Category {
    slug: String,
}

impl Category {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { slug: row.get("slug")? })
    }
}

/// A row of `products` with its rows of `images`. A sold-out product has no page.
#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", section = "products")]
#[sitemap(changefreq = "daily", priority = 0.8, skip_if = Product::is_sold_out)]
pub(crate) struct Product {
    pub(crate) id: i64,
    slug: String,
    stock: i32,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
    #[sitemap(images)]
    pub(crate) images: Vec<String>,
}

impl Product {
    /// Reads a product without its images.
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            slug: row.get("slug")?,
            stock: row.get("stock")?,
            updated_at: row.get("updated_at")?,
            images: Vec::new(),
        })
    }

    fn is_sold_out(&self) -> bool {
        self.stock == 0
    }
}

/// A row of `articles`. It has three pages, which are translations of each other.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/journal/{slug}", section = "articles")]
#[sitemap(locales = ["en", "de", "fr"], x_default = "en", priority = 0.5)]
pub(crate) struct Article {
    slug: String,
    #[sitemap(skip_if)]
    is_draft: bool,
    #[sitemap(lastmod)]
    revised_on: Option<NaiveDate>,
}

impl Article {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            slug: row.get("slug")?,
            is_draft: row.get("is_draft")?,
            revised_on: row.get("revised_on")?,
        })
    }
}
