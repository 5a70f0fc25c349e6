//! The shop's pages as HTML, with contents from the database.

use diesel::prelude::*;
use shop::html;

use super::Database;
use super::schema::{articles, categories, products};

/// Runs a query on the open database, SQLite or PostgreSQL. Returns the first row, if there is one.
macro_rules! first {
    ($database:expr, $query:expr) => {
        match $database {
            Database::Sqlite(db) => $query.first(db).optional(),
            #[cfg(feature = "postgres")]
            Database::Postgres(db) => $query.first(db).optional(),
        }
    };
}

impl Database {
    /// Returns a product's page, or `None` if the product does not exist or is sold out.
    pub fn product(&mut self, slug: &str) -> QueryResult<Option<String>> {
        let on_sale = products::table.filter(products::slug.eq(slug)).filter(products::stock.gt(0));
        let row: Option<(String, i64)> = first!(self, on_sale.select((products::name, products::price)))?;
        Ok(row.map(|(name, price)| html::of_product(&name, price)))
    }

    /// Returns a category's page, or `None` if the category does not exist.
    pub fn category(&mut self, slug: &str) -> QueryResult<Option<String>> {
        let found = categories::table.filter(categories::slug.eq(slug)).select(categories::name);
        let name: Option<String> = first!(self, found)?;
        Ok(name.map(|name| html::of_category(&name)))
    }

    /// Returns an article's page in one language, or `None` if the article does not exist or is a draft.
    pub fn article(&mut self, language: &str, slug: &str) -> QueryResult<Option<String>> {
        let found = articles::table.filter(articles::slug.eq(slug)).filter(articles::is_draft.eq(false));
        let title: Option<String> = match language {
            "en" => first!(self, found.select(articles::title_en))?,
            "de" => first!(self, found.select(articles::title_de))?,
            "fr" => first!(self, found.select(articles::title_fr))?,
            _ => None,
        };
        Ok(title.map(|title| html::of_article(language, &title)))
    }
}
