//! `articles`.

use sea_orm::entity::prelude::*;
use sitemap_core::SitemapEntry;

shop::routed! {
    /// The route of an article's pages.
    pub const ROUTE: &str = "/{locale}/journal/{slug}";

    /// A row: three pages, linked to each other as translations.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "articles")]
    #[sitemap(locales = ["en", "de", "fr"], x_default = "en", priority = 0.5)]
    pub struct Model {
        /// Its number.
        #[sea_orm(primary_key)]
        pub id: i64,
        /// Its name in addresses.
        #[sea_orm(unique)]
        pub slug: String,
        /// In English.
        pub title_en: String,
        /// In German.
        pub title_de: String,
        /// In French.
        pub title_fr: String,
        /// Not yet for readers.
        #[sitemap(skip_if)]
        pub is_draft: bool,
        /// When it was last revised, if that is known.
        #[sitemap(lastmod)]
        pub revised_on: Option<Date>,
    }
}

/// None.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
