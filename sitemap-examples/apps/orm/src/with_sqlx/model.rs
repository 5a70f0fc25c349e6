//! The rows that have pages. Each struct is annotated twice: for sqlx, which reads the rows, and for the derive macro,
//! which lists their pages.

use chrono::{DateTime, NaiveDate, Utc};
use sitemap_core::SitemapEntry;
use sqlx::FromRow;

/// A row of `categories`.
#[derive(Clone, Debug, FromRow, SitemapEntry)]
#[sitemap(loc = "/categories/{slug}", section = "categories")]
pub struct Category {
    slug: String,
}

/// A row of `products` with its rows of `images`. A sold-out product has no page.
#[derive(Clone, Debug, FromRow, SitemapEntry)]
#[sitemap(loc = "/products/{slug}", section = "products")]
#[sitemap(changefreq = "daily", priority = 0.8, skip_if = Product::is_sold_out)]
pub struct Product {
    pub(crate) id: i64,
    slug: String,
    stock: i32,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
    #[sqlx(skip)]
    #[sitemap(images)]
    pub(crate) images: Vec<String>,
}

/// A row of `articles`. It has three pages, which are translations of each other.
#[derive(Clone, Debug, FromRow, SitemapEntry)]
#[sitemap(loc = "/{locale}/journal/{slug}", section = "articles")]
#[sitemap(locales = ["en", "de", "fr"], x_default = "en", priority = 0.5)]
pub struct Article {
    slug: String,
    #[sitemap(skip_if)]
    is_draft: bool,
    #[sitemap(lastmod)]
    revised_on: Option<NaiveDate>,
}

impl Product {
    fn is_sold_out(&self) -> bool {
        self.stock == 0
    }
}

/// A row of `images`.
#[derive(FromRow)]
pub(crate) struct Image {
    pub(crate) product_id: i64,
    pub(crate) url: String,
}
