//! Adds rows to sections: streams small tables, and reads the big table in batches by primary key.

use std::iter::zip;

use futures_util::{Stream, TryStreamExt as _, stream};
use sea_orm::{DatabaseConnection, DbErr, EntityTrait as _, LoaderTrait as _, QueryOrder as _};
use shop::Page;
use sitemap_core::{Replacement, StaticPages as _};

use super::entity::{article, category, image, product};

/// Adds all pages of the shop.
pub async fn add_pages(db: &DatabaseConnection, run: &mut Replacement) -> Result<(), shop::Error> {
    run.add_all(Page::PAGES)?;

    let rows = category::Entity::find().order_by_asc(category::Column::Id).stream(db).await?;
    run.add_stream(rows).await?;

    run.add_stream(products(db)).await?;

    let rows = article::Entity::find().order_by_asc(article::Column::Id).stream(db).await?;
    run.add_stream(rows).await?;
    Ok(())
}

/// Streams all products with their images. Reads a thousand products at a time.
fn products(db: &DatabaseConnection) -> impl Stream<Item = Result<product::Model, DbErr>> {
    let batches = stream::try_unfold(0, move |last| async move {
        let batch = products_after(db, last).await?;
        let next = batch.last().map(|product| product.id);
        Ok::<_, DbErr>(next.map(|next| (stream::iter(batch.into_iter().map(Ok)), next)))
    });
    batches.try_flatten()
}

/// Reads the next thousand products with their images.
///
/// SeaORM's cursor uses the primary key. Its paginator uses `OFFSET`, which would read and discard all earlier rows.
async fn products_after(db: &DatabaseConnection, last: i64) -> Result<Vec<product::Model>, DbErr> {
    let mut cursor = product::Entity::find().cursor_by(product::Column::Id);
    let mut products = cursor.after(last).first(1_000).all(db).await?;

    let by_id = image::Entity::find().order_by_asc(image::Column::Id);
    let images = products.load_many(by_id, db).await?;
    for (product, images) in zip(&mut products, images) {
        product.images = images.into_iter().map(|image| image.url).collect();
    }
    Ok(products)
}
