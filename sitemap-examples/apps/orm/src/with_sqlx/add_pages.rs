//! Adds rows to sections: streams small tables, and reads the big table in batches by primary key.

use futures_util::{Stream, TryStreamExt as _, stream};
use shop::Page;
use sitemap_core::{Replacement, StaticPages as _};
use sqlx::{Database, Encode, Executor, FromRow, IntoArguments, Pool, Type, query_as};

use super::model::{Article, Category, Image, Product};

/// Adds all pages of the shop.
///
/// With these trait bounds, the function accepts every database that sqlx can read these rows from. A function for one
/// database needs no bounds, and has a parameter such as `&PgPool` instead of `&Pool<DB>`.
pub(crate) async fn add_pages<DB>(pool: &Pool<DB>, run: &mut Replacement) -> Result<(), shop::Error>
where
    DB: Database<Arguments: IntoArguments<DB>>,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'r> Category: FromRow<'r, DB::Row>,
    for<'r> Product: FromRow<'r, DB::Row>,
    for<'r> Image: FromRow<'r, DB::Row>,
    for<'r> Article: FromRow<'r, DB::Row>,
{
    run.add_all(Page::PAGES)?;

    let rows = query_as::<_, Category>("SELECT slug FROM categories ORDER BY id").fetch(pool);
    run.add_stream(rows).await?;

    run.add_stream(products(pool)).await?;

    let sql = "SELECT slug, is_draft, revised_on FROM articles ORDER BY id";
    let rows = query_as::<_, Article>(sql).fetch(pool);
    run.add_stream(rows).await?;
    Ok(())
}

/// Streams all products with their images. Reads a thousand products at a time.
fn products<DB>(pool: &Pool<DB>) -> impl Stream<Item = sqlx::Result<Product>>
where
    DB: Database<Arguments: IntoArguments<DB>>,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'r> Product: FromRow<'r, DB::Row>,
    for<'r> Image: FromRow<'r, DB::Row>,
{
    let batches = stream::try_unfold(0, move |last| async move {
        let batch = products_after(pool, last).await?;
        let next = batch.last().map(|product| product.id);
        Ok::<_, sqlx::Error>(next.map(|next| (stream::iter(batch.into_iter().map(Ok)), next)))
    });
    batches.try_flatten()
}

/// Reads the next thousand products with their images.
///
/// `OFFSET` would read and discard all earlier rows. With the primary key, the database goes straight to the next rows.
async fn products_after<DB>(pool: &Pool<DB>, last: i64) -> sqlx::Result<Vec<Product>>
where
    DB: Database<Arguments: IntoArguments<DB>>,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'r> Product: FromRow<'r, DB::Row>,
    for<'r> Image: FromRow<'r, DB::Row>,
{
    let sql = "SELECT id, slug, stock, updated_at FROM products WHERE id > $1 ORDER BY id LIMIT 1000";
    let mut products: Vec<Product> = query_as(sql).bind(last).fetch_all(pool).await?;
    let highest = products.last().map_or(last, |product| product.id);

    let sql = "SELECT product_id, url FROM images WHERE product_id > $1 AND product_id <= $2 \
               ORDER BY product_id, id";
    let images: Vec<Image> = query_as(sql).bind(last).bind(highest).fetch_all(pool).await?;
    for Image { product_id, url } in images {
        // The products are sorted by ID, as the binary search requires.
        if let Ok(at) = products.binary_search_by_key(&product_id, |product| product.id) {
            products[at].images.push(url);
        }
    }
    Ok(products)
}
