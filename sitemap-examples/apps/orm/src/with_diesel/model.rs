//! The rows that have pages. Each struct is annotated twice: for Diesel, which reads the rows, and for the derive
//! macro, which lists their pages.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use sitemap_core::SitemapEntry;

use super::schema::{articles, categories, images, products};

/// A row of `categories`.
#[derive(Clone, Debug, Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = categories)]
#[sitemap(loc = "/categories/{slug}", section = "categories")]
pub struct Category {
    slug: String,
}

/// A row of `products`.
#[derive(Clone, Debug, Identifiable, Queryable, Selectable)]
#[diesel(table_name = products)]
pub(crate) struct Product {
    pub(crate) id: i64,
    slug: String,
    stock: i32,
    updated_at: DateTime<Utc>,
}

/// A row of `articles`. It has three pages, which are translations of each other.
#[derive(Clone, Debug, Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = articles)]
#[sitemap(loc = "/{locale}/journal/{slug}", section = "articles")]
#[sitemap(locales = ["en", "de", "fr"], x_default = "en", priority = 0.5)]
pub struct Article {
    slug: String,
    #[sitemap(skip_if)]
    is_draft: bool,
    #[sitemap(lastmod)]
    revised_on: Option<NaiveDate>,
}

/// A row of `images`.
#[derive(Associations, Debug, Identifiable, Queryable, Selectable)]
#[diesel(table_name = images, belongs_to(Product))]
pub(crate) struct Image {
    id: i64,
    product_id: i64,
    url: String,
}

/// A product and its images. The images cannot be a field of [`Product`], because every field of a `Queryable` struct
/// is a column. A sold-out product has no page.
#[derive(Debug, SitemapEntry)]
#[sitemap(
    loc = "/products/{product.slug}",
    section = "products",
    lastmod = Self::updated_at,
    changefreq = "daily",
    priority = 0.8,
    images = Self::image_urls,
    skip_if = Self::is_sold_out
)]
pub struct ProductWithImages {
    pub(crate) product: Product,
    pub(crate) images: Vec<Image>,
}

impl ProductWithImages {
    fn updated_at(&self) -> DateTime<Utc> {
        self.product.updated_at
    }

    fn image_urls(&self) -> Vec<&str> {
        self.images.iter().map(|image| &*image.url).collect()
    }

    fn is_sold_out(&self) -> bool {
        self.product.stock == 0
    }
}
