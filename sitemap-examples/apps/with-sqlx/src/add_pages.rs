//! From rows to sections: small tables as a stream of rows, the big one page by page along its key.

use futures_util::TryStreamExt as _;
use shop::Page;
use sitemap_core::{Publisher, StaticPages as _};
use sqlx::{Database, Encode, Executor, FromRow, IntoArguments, Pool, Type, query_as};

use crate::model::{Article, Category, Image, Product};

/// Adds all that has a page.
///
/// The bounds say that it works with any database that reads these rows; with `&PgPool` in place of
/// `&Pool<DB>` it needs none of them.
pub(crate) async fn add_pages<DB>(pool: &Pool<DB>, publisher: &mut Publisher) -> Result<(), shop::Error>
where
    DB: Database<Arguments: IntoArguments<DB>>,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'r> Category: FromRow<'r, DB::Row>,
    for<'r> Product: FromRow<'r, DB::Row>,
    for<'r> Image: FromRow<'r, DB::Row>,
    for<'r> Article: FromRow<'r, DB::Row>,
{
    publisher.section("pages")?.add_all(Page::PAGES)?;

    let mut section = publisher.section("categories")?;
    let mut rows = query_as("SELECT slug FROM categories ORDER BY id").fetch(pool);
    while let Some(category) = rows.try_next().await? {
        let category: Category = category;
        section.add(&category)?;
    }
    drop(rows);

    let mut section = publisher.section("products")?;
    let mut last = 0;
    loop {
        let page = products_after(pool, last).await?;
        let Some(product) = page.last() else { break };
        last = product.id;
        section.add_all(page)?;
    }

    let mut section = publisher.section("articles")?;
    let mut rows = query_as("SELECT slug, is_draft, revised_on FROM articles ORDER BY id").fetch(pool);
    while let Some(article) = rows.try_next().await? {
        let article: Article = article;
        section.add(&article)?;
    }
    Ok(())
}

/// The next thousand products and their images.
///
/// `OFFSET` would read and throw away all rows before; the primary key's index goes right to them.
async fn products_after<DB>(pool: &Pool<DB>, last: i64) -> Result<Vec<Product>, sqlx::Error>
where
    DB: Database<Arguments: IntoArguments<DB>>,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'r> Product: FromRow<'r, DB::Row>,
    for<'r> Image: FromRow<'r, DB::Row>,
{
    let sql = "SELECT id, slug, stock, updated_at FROM products WHERE id > $1 ORDER BY id LIMIT 1000";
    let mut products: Vec<Product> = query_as(sql).bind(last).fetch_all(pool).await?;
    let newest = products.last().map_or(last, |product| product.id);

    let sql = "SELECT product_id, url FROM images WHERE product_id > $1 AND product_id <= $2 \
               ORDER BY product_id, id";
    let mut images = query_as(sql).bind(last).bind(newest).fetch(pool);
    while let Some(Image { product_id, url }) = images.try_next().await? {
        // Products come by their key.
        if let Ok(at) = products.binary_search_by_key(&product_id, |product| product.id) {
            products[at].images.push(url);
        }
    }
    drop(images);
    Ok(products)
}
