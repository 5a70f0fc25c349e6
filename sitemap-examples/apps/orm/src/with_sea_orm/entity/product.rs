//! The table `products`.

use sea_orm::entity::prelude::*;
use sitemap_core::SitemapEntry;

/// A row of `products` with its rows of `images`. A sold-out product has no page.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, SitemapEntry)]
#[sea_orm(table_name = "products")]
#[sitemap(loc = "/products/{slug}", section = "products")]
#[sitemap(changefreq = "daily", priority = 0.8, skip_if = Model::is_sold_out)]
pub struct Model {
    /// The primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The ID of the category.
    pub category_id: i64,
    /// The unique part of the URL.
    #[sea_orm(unique)]
    pub slug: String,
    /// The name on the page.
    pub name: String,
    /// The price in cents.
    pub price: i64,
    /// The number of items in stock.
    pub stock: i32,
    /// The time of the last change.
    #[sitemap(lastmod)]
    pub updated_at: DateTimeUtc,
    /// The URLs of the images. Not a column, so this is empty until the images are loaded.
    #[sea_orm(ignore)]
    #[sitemap(images)]
    pub images: Vec<String>,
}

impl Model {
    fn is_sold_out(&self) -> bool {
        self.stock == 0
    }
}

/// The relation to the images.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// The images of the product.
    #[sea_orm(has_many = "super::image::Entity")]
    Image,
}

impl Related<super::image::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Image.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
