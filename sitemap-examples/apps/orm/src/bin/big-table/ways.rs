//! Five ways to add a table to a section, all with constant memory usage.

use std::iter::zip;

use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use sitemap_core::Replacement;
use sitemap_core::record::HasSection as _;
use sqlx::postgres::PgPoolCopyExt as _;
use sqlx::{PgPool, Row as _};

use crate::copy::Rows;
use crate::product::{BorrowedProduct, Product};

/// Streams the rows of one query. The query holds a snapshot of the table until it ends.
pub(crate) async fn stream(pool: &PgPool, run: &mut Replacement) -> Result<(), shop::Error> {
    let sql = "SELECT slug, updated_at FROM products ORDER BY id";
    let rows = sqlx::query_as::<_, Product>(sql).fetch(pool);
    Ok(run.add_stream(rows).await?)
}

/// Streams the same rows, but writes each entry directly from the row that the server sent. Columns are accessed by
/// number, and strings are borrowed.
pub(crate) async fn rows(pool: &PgPool, run: &mut Replacement) -> Result<(), shop::Error> {
    let mut rows = sqlx::query("SELECT slug, updated_at FROM products ORDER BY id").fetch(pool);
    let mut section = run.section(BorrowedProduct::SECTION)?;
    while let Some(row) = rows.try_next().await? {
        section.add(&BorrowedProduct { slug: row.try_get(0)?, updated_at: row.try_get(1)? })?;
    }
    Ok(())
}

/// Runs many short queries, each of which starts after the last row of the previous one. There is no long transaction,
/// and each query can be retried.
pub(crate) async fn keyset(pool: &PgPool, run: &mut Replacement) -> Result<(), shop::Error> {
    let mut last = 0_i64;
    loop {
        let sql = "SELECT id, slug, updated_at FROM products WHERE id > $1 ORDER BY id LIMIT 10000";
        let batch: Vec<Product> = sqlx::query_as(sql).bind(last).fetch_all(pool).await?;
        let Some(product) = batch.last() else { return Ok(()) };
        last = product.id;
        run.add_all(batch)?;
    }
}

/// Runs many short queries, each of which returns a single row with one array per column. So sqlx's overhead per row is
/// spread over thousands of products.
pub(crate) async fn arrays(pool: &PgPool, run: &mut Replacement) -> Result<(), shop::Error> {
    type Columns = (Option<i64>, Option<Vec<String>>, Option<Vec<DateTime<Utc>>>);

    let sql = "SELECT max(id), array_agg(slug ORDER BY id), array_agg(updated_at ORDER BY id) FROM \
               (SELECT id, slug, updated_at FROM products WHERE id > $1 ORDER BY id LIMIT 5000) AS batch";
    let mut last = 0_i64;
    loop {
        let columns: Columns = sqlx::query_as(sql).bind(last).fetch_one(pool).await?;
        // If there are no rows, all three are null.
        let (Some(highest), Some(slugs), Some(dates)) = columns else { return Ok(()) };
        last = highest;
        run.add_all(zip(&slugs, dates).map(|(slug, updated_at)| BorrowedProduct { slug, updated_at }))?;
    }
}

/// Reads the rows of a binary `COPY`. Of the five ways, this one makes the least work for the server. Entries are
/// written directly from the received messages.
pub(crate) async fn copy(pool: &PgPool, run: &mut Replacement) -> Result<(), shop::Error> {
    let sql = "COPY (SELECT slug, updated_at FROM products ORDER BY id) TO STDOUT (FORMAT binary)";
    let mut messages = pool.copy_out_raw(sql).await?;
    let mut rows = Rows::default();
    let mut section = run.section(BorrowedProduct::SECTION)?;
    while let Some(message) = messages.try_next().await? {
        if let Some(mut row) = rows.row(&message)? {
            let (slug, updated_at) = (row.text()?, row.timestamptz()?);
            section.add(&BorrowedProduct { slug, updated_at })?;
        }
    }
    Ok(())
}
