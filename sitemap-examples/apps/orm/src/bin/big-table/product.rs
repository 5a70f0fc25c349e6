//! The table of products and its rows.

use chrono::{DateTime, Utc};
use sitemap_core::SitemapEntry;
use sqlx::{Executor as _, FromRow, PgPool};

/// A row as sqlx reads it.
#[derive(FromRow, SitemapEntry)]
#[sitemap(loc = "/products/{slug}", section = "products")]
pub(crate) struct Product {
    #[sqlx(default)]
    pub(crate) id: i64,
    pub(crate) slug: String,
    #[sitemap(lastmod)]
    pub(crate) updated_at: DateTime<Utc>,
}

/// A row that borrows its text from a server message.
#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", section = "products")]
pub(crate) struct BorrowedProduct<'a> {
    pub(crate) slug: &'a str,
    #[sitemap(lastmod)]
    pub(crate) updated_at: DateTime<Utc>,
}

/// Creates the table and fills it with sample rows. Fails if the table exists.
pub(crate) async fn fill(pool: &PgPool, rows: i64) -> sqlx::Result<()> {
    pool.execute(
        "CREATE TABLE products (id BIGINT NOT NULL, slug TEXT NOT NULL, price BIGINT NOT NULL, \
         stock INTEGER NOT NULL, updated_at TIMESTAMPTZ NOT NULL)",
    )
    .await?;
    let insert = "INSERT INTO products SELECT id, 'table-of-solid-oak-' || id, id % 90000, id % 40, \
                  TIMESTAMPTZ '2025-01-01 09:00:00Z' + (id % 40000000) * INTERVAL '1 second' \
                  FROM generate_series(1, $1) AS id";
    sqlx::query(insert).bind(rows).execute(pool).await?;
    pool.execute("ALTER TABLE products ADD PRIMARY KEY (id)").await?;
    pool.execute("VACUUM (FREEZE, ANALYZE) products").await?;
    Ok(())
}
