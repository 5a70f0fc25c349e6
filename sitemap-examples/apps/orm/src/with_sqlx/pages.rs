//! The shop's pages as HTML, with contents from the database.

use shop::html;

use super::Database;

/// Runs a query on the open database, SQLite or PostgreSQL. Returns the first row, if there is one. Both databases
/// accept the same placeholders.
macro_rules! fetch_optional {
    ($database:expr, $sql:expr, $value:expr) => {
        match $database {
            Database::Sqlite(pool) => sqlx::query_as($sql).bind($value).fetch_optional(pool).await,
            Database::Postgres(pool) => sqlx::query_as($sql).bind($value).fetch_optional(pool).await,
        }
    };
}

impl Database {
    /// Returns a product's page, or `None` if the product does not exist or is sold out.
    pub async fn product(&self, slug: &str) -> Result<Option<String>, sqlx::Error> {
        let sql = "SELECT name, price FROM products WHERE slug = $1 AND stock > 0";
        let row: Option<(String, i64)> = fetch_optional!(self, sql, slug)?;
        Ok(row.map(|(name, price)| html::of_product(&name, price)))
    }

    /// Returns a category's page, or `None` if the category does not exist.
    pub async fn category(&self, slug: &str) -> Result<Option<String>, sqlx::Error> {
        let row: Option<(String,)> =
            fetch_optional!(self, "SELECT name FROM categories WHERE slug = $1", slug)?;
        Ok(row.map(|(name,)| html::of_category(&name)))
    }

    /// Returns an article's page in one language, or `None` if the article does not exist or is a draft.
    pub async fn article(&self, language: &str, slug: &str) -> Result<Option<String>, sqlx::Error> {
        let sql = match language {
            "en" => "SELECT title_en FROM articles WHERE slug = $1 AND NOT is_draft",
            "de" => "SELECT title_de FROM articles WHERE slug = $1 AND NOT is_draft",
            "fr" => "SELECT title_fr FROM articles WHERE slug = $1 AND NOT is_draft",
            _ => return Ok(None),
        };
        let row: Option<(String,)> = fetch_optional!(self, sql, slug)?;
        Ok(row.map(|(title,)| html::of_article(language, &title)))
    }
}
