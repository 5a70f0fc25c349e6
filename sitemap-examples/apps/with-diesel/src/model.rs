//! The rows that have pages. Each struct is annotated for Diesel, which reads the rows, and for the derive, which lists
//! their pages.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use sitemap_core::{EntryWriter, Error, Extensions, Loc, SitemapEntry, entries_of};

use crate::schema::{articles, categories, images, products};

shop::routed! {
    /// The route of the page of a category.
    pub const CATEGORY: &str = "/categories/{slug}";

    /// A row of `categories`.
    #[derive(Clone, Debug, Queryable, Selectable, SitemapEntry)]
    #[diesel(table_name = categories)]
    pub struct Category {
        slug: String,
    }
}

shop::routed! {
    /// The route of the page of a product.
    pub const PRODUCT: &str = "/products/{slug}";

    /// A row of `products`. A product that is sold out has no page.
    #[derive(Clone, Debug, Identifiable, Queryable, Selectable, SitemapEntry)]
    #[diesel(table_name = products)]
    #[sitemap(changefreq = "daily", priority = 0.8, skip_if = Product::is_sold_out)]
    pub struct Product {
        pub(crate) id: i64,
        slug: String,
        stock: i32,
        #[sitemap(lastmod)]
        updated_at: DateTime<Utc>,
    }
}

shop::routed! {
    /// The route of the pages of an article.
    pub const ARTICLE: &str = "/{locale}/journal/{slug}";

    /// A row of `articles`, with three pages that are translations of each other.
    #[derive(Clone, Debug, Queryable, Selectable, SitemapEntry)]
    #[diesel(table_name = articles)]
    #[sitemap(locales = ["en", "de", "fr"], x_default = "en", priority = 0.5)]
    pub struct Article {
        slug: String,
        #[sitemap(skip_if)]
        is_draft: bool,
        #[sitemap(lastmod)]
        revised_on: Option<NaiveDate>,
    }
}

impl Product {
    fn is_sold_out(&self) -> bool {
        self.stock == 0
    }
}

/// A row of `images`.
#[derive(Associations, Identifiable, Queryable, Selectable)]
#[diesel(table_name = images, belongs_to(Product))]
pub(crate) struct Image {
    id: i64,
    product_id: i64,
    url: String,
}

/// A product and its images. The images cannot be a field of [`Product`], because every field of a `Queryable` struct
/// is a column.
pub(crate) struct ProductWithImages {
    pub(crate) product: Product,
    pub(crate) images: Vec<Image>,
}

impl SitemapEntry for ProductWithImages {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        let images = self.images.iter().map(|image| Loc::parse(&image.url).map(sitemap_core::Image::new));
        let images: Vec<_> = images.collect::<Result<_, _>>()?;
        for page in entries_of(&self.product, out.site())? {
            out.add(page.with_images(images.clone()))?;
        }
        Ok(())
    }

    const EXTENSIONS: Extensions = Extensions::IMAGES;
}
