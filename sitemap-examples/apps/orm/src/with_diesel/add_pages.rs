//! Adds rows to sections: small tables row by row, the big table in batches by primary key.

use std::iter::zip;

use diesel::prelude::*;
use shop::Page;
use sitemap_core::{Replacement, StaticPages as _};

use super::model::{Article, Category, Image, Product, ProductWithImages};
use super::schema::{articles, categories, images, products};

macro_rules! publish_from {
    ($name:ident, $Connection:ty, $Mode:ty) => {
        /// Adds all pages of the shop.
        pub(crate) fn $name(db: &mut $Connection, run: &mut Replacement) -> Result<(), shop::Error> {
            run.add_all(Page::PAGES)?;

            let rows = categories::table.order(categories::id).select(Category::as_select());
            run.try_add_all(rows.load_iter::<Category, $Mode>(db)?)?;

            let mut last = 0;
            loop {
                // `OFFSET` would read and discard all earlier rows. With the primary key, the database goes straight to
                // the next rows.
                let rows = products::table.filter(products::id.gt(last)).order(products::id).limit(1_000);
                let batch: Vec<Product> = rows.select(Product::as_select()).load(db)?;
                let Some(product) = batch.last() else { break };
                let images_of_batch = images::product_id.gt(last).and(images::product_id.le(product.id));
                last = product.id;

                let rows = images::table.filter(images_of_batch).order((images::product_id, images::id));
                let images: Vec<Image> = rows.select(Image::as_select()).load(db)?;
                let images = images.grouped_by(&batch);
                run.add_all(
                    zip(batch, images).map(|(product, images)| ProductWithImages { product, images }),
                )?;
            }

            let rows = articles::table.order(articles::id).select(Article::as_select());
            run.try_add_all(rows.load_iter::<Article, $Mode>(db)?)?;
            Ok(())
        }
    };
}

publish_from!(sqlite, SqliteConnection, diesel::connection::DefaultLoadingMode);

// `PgRowByRowLoadingMode` returns each row as it arrives. By default, Diesel loads the whole result before it returns
// the first row.
#[cfg(feature = "postgres")]
publish_from!(postgres, PgConnection, diesel::pg::PgRowByRowLoadingMode);
