//! `categories`.

use sea_orm::entity::prelude::*;
use sitemap_core::SitemapEntry;

shop::routed! {
    /// The route of a category's page.
    pub const ROUTE: &str = "/categories/{slug}";

    /// A row.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "categories")]
    pub struct Model {
        /// Its number.
        #[sea_orm(primary_key)]
        pub id: i64,
        /// Its name in addresses.
        #[sea_orm(unique)]
        pub slug: String,
        /// Its name for people.
        pub name: String,
    }
}

/// None.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
