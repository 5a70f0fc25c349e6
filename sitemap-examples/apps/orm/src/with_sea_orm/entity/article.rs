//! The table `articles`.

use sea_orm::entity::prelude::*;
use sitemap_core::SitemapEntry;

/// A row of `articles`. It has three pages, which are translations of each other.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, SitemapEntry)]
#[sea_orm(table_name = "articles")]
#[sitemap(loc = "/{locale}/journal/{slug}", section = "articles")]
#[sitemap(locales = ["en", "de", "fr"], x_default = "en", priority = 0.5)]
pub struct Model {
    /// The primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The unique part of the URL.
    #[sea_orm(unique)]
    pub slug: String,
    /// The title in English.
    pub title_en: String,
    /// The title in German.
    pub title_de: String,
    /// The title in French.
    pub title_fr: String,
    /// True if the article is not published.
    #[sitemap(skip_if)]
    pub is_draft: bool,
    /// The day of the last revision, if known.
    #[sitemap(lastmod)]
    pub revised_on: Option<Date>,
}

/// The relations of the table. SeaORM requires this enum, even if there are no relations.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
