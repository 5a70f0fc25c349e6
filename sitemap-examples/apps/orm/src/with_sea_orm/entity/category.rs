//! The table `categories`.

use sea_orm::entity::prelude::*;
use sitemap_core::SitemapEntry;

/// A row of `categories`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, SitemapEntry)]
#[sea_orm(table_name = "categories")]
#[sitemap(loc = "/categories/{slug}", section = "categories")]
pub struct Model {
    /// The primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The unique part of the URL.
    #[sea_orm(unique)]
    pub slug: String,
    /// The name on the page.
    pub name: String,
}

/// The relations of the table. SeaORM requires this enum, even if there are no relations.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
