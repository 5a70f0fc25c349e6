//! Three ways from the table to a section. Memory stays flat in each.

use futures_util::TryStreamExt as _;
use sitemap_core::publish::Section;
use sqlx::PgPool;
use sqlx::postgres::PgPoolCopyExt as _;

use crate::copy::Rows;
use crate::product::{BorrowedProduct, Product};

/// One query, its rows as they come: one snapshot of the table, held until the end.
pub(crate) async fn stream(pool: &PgPool, mut section: Section<'_>) -> Result<(), shop::Error> {
    let sql = "SELECT slug, updated_at FROM products ORDER BY id";
    let rows = sqlx::query_as::<_, Product>(sql).fetch(pool);
    Ok(section.add_stream(rows).await?)
}

/// Many short queries, each from where the last one ended: no long transaction, and any of them can be
/// tried again.
pub(crate) async fn keyset(pool: &PgPool, mut section: Section<'_>) -> Result<(), shop::Error> {
    let mut last = 0_i64;
    loop {
        let sql = "SELECT id, slug, updated_at FROM products WHERE id > $1 ORDER BY id LIMIT 10000";
        let page: Vec<Product> = sqlx::query_as(sql).bind(last).fetch_all(pool).await?;
        let Some(product) = page.last() else { return Ok(()) };
        last = product.id;
        section.add_all(page)?;
    }
}

/// `COPY` in its binary format: the least work for the server, and no value is made twice.
pub(crate) async fn copy(pool: &PgPool, mut section: Section<'_>) -> Result<(), shop::Error> {
    let sql = "COPY (SELECT slug, updated_at FROM products ORDER BY id) TO STDOUT (FORMAT binary)";
    let mut messages = pool.copy_out_raw(sql).await?;
    let mut rows = Rows::default();
    while let Some(message) = messages.try_next().await? {
        if let Some(mut row) = rows.row(&message)? {
            let (slug, updated_at) = (row.text()?, row.timestamptz()?);
            section.add(&BorrowedProduct { slug, updated_at })?;
        }
    }
    Ok(())
}
