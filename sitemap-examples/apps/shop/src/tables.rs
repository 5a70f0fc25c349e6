//! The tables and their sample rows as a SQL script.

use std::fmt::Write as _;

use crate::sample;

/// The database system that the SQL is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// SQLite, which stores dates as text.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Engine {
    /// Reads the database system from the scheme of a database URL.
    pub fn of_url(url: &str) -> Result<Self, crate::Error> {
        match url.split(':').next() {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            _ => {
                Err("`DATABASE_URL` has an unknown scheme; use `sqlite:`, `postgres:` or `postgresql:`"
                    .into())
            }
        }
    }
}

/// Returns the statements that create the tables.
pub fn tables(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => include_str!("sqlite.sql"),
        Engine::Postgres => include_str!("postgres.sql"),
    }
}

/// Returns the statements that create the tables and fill them with the sample data.
///
/// The statements fail if the tables exist, so they never overwrite data.
pub fn fill(engine: Engine) -> String {
    let mut sql = format!("BEGIN;\n{}", tables(engine));
    for ((slug, name), id) in sample::CATEGORIES.iter().zip(1..) {
        row(&mut sql, "categories", format_args!("{id}, '{slug}', '{name}'"));
    }
    for sample::Product { id, category_id, slug, name, price, stock, updated_at } in sample::products() {
        let updated_at = updated_at.format("%F %T+00:00");
        row(
            &mut sql,
            "products",
            format_args!("{id}, {category_id}, '{slug}', '{name}', {price}, {stock}, '{updated_at}'"),
        );
    }
    for sample::Image { id, product_id, url } in sample::images() {
        row(&mut sql, "images", format_args!("{id}, {product_id}, '{url}'"));
    }
    for sample::Article { id, slug, titles: [en, de, fr], is_draft, revised_on } in sample::articles() {
        let revised_on = revised_on.map_or("NULL".to_owned(), |day| format!("'{day}'"));
        row(
            &mut sql,
            "articles",
            format_args!("{id}, '{slug}', '{en}', '{de}', '{fr}', {is_draft}, {revised_on}"),
        );
    }
    sql + "COMMIT;\n"
}

fn row(sql: &mut String, table: &str, values: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(sql, "INSERT INTO {table} VALUES ({values});");
}
