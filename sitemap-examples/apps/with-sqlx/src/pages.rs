//! What the pages of a server show.

use shop::html;

use crate::Database;

/// One query on whichever database it is; placeholders are written alike.
macro_rules! fetch_optional {
    ($database:expr, $sql:expr, $value:expr) => {
        match $database {
            Database::Sqlite(pool) => sqlx::query_as($sql).bind($value).fetch_optional(pool).await,
            Database::Postgres(pool) => sqlx::query_as($sql).bind($value).fetch_optional(pool).await,
        }
    };
}

impl Database {
    /// A product's page; `None` if there is no such product or it is sold out.
    pub async fn product(&self, slug: &str) -> Result<Option<String>, sqlx::Error> {
        let sql = "SELECT name, price FROM products WHERE slug = $1 AND stock > 0";
        let row: Option<(String, i64)> = fetch_optional!(self, sql, slug)?;
        Ok(row.map(|(name, price)| html::of_product(&name, price)))
    }

    /// A category's page.
    pub async fn category(&self, slug: &str) -> Result<Option<String>, sqlx::Error> {
        let row: Option<(String,)> =
            fetch_optional!(self, "SELECT name FROM categories WHERE slug = $1", slug)?;
        Ok(row.map(|(name,)| html::of_category(&name)))
    }

    /// An article's page in a language; `None` if there is no such page, or not yet.
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
