//! `products`.

use sea_orm::entity::prelude::*;
use sitemap_core::SitemapEntry;

shop::routed! {
    /// The route of a product's page.
    pub const ROUTE: &str = "/products/{slug}";

    /// A row, with those of `images` that belong to it. What is sold out has no page.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "products")]
    #[sitemap(changefreq = "daily", priority = 0.8, skip_if = Model::is_sold_out)]
    pub struct Model {
        /// Its number.
        #[sea_orm(primary_key)]
        pub id: i64,
        /// What it is one of.
        pub category_id: i64,
        /// Its name in addresses.
        #[sea_orm(unique)]
        pub slug: String,
        /// Its name for people.
        pub name: String,
        /// In cents.
        pub price: i64,
        /// How many there are.
        pub stock: i32,
        /// When any of it last changed.
        #[sitemap(lastmod)]
        pub updated_at: DateTimeUtc,
        /// No column: empty until the images are loaded.
        #[sea_orm(ignore)]
        #[sitemap(images)]
        pub images: Vec<String>,
    }
}

impl Model {
    fn is_sold_out(&self) -> bool {
        self.stock == 0
    }
}

/// To the images.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// A product has any number of them.
    #[sea_orm(has_many = "super::image::Entity")]
    Image,
}

impl Related<super::image::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Image.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
