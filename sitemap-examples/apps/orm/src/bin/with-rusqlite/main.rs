//! Publishes the shop's sitemap with rusqlite. Adds the rows of a statement directly to a section, and reads the big
//! table in batches by primary key.
//!
//! ```sh
//! cargo run -p orm --bin with-rusqlite -- --out public
//! DATABASE_URL=sqlite:shop.db cargo run -p orm --bin with-rusqlite -- --fill --out public
//! ```

mod model;

use std::process::ExitCode;

use model::{Article, Category, Product};
use rusqlite::{Connection, params};
use shop::{Engine, Options, Page};
use sitemap_core::{Replacement, StaticPages, Summary};

fn main() -> ExitCode {
    shop::report("with-rusqlite", run())
}

fn run() -> Result<Summary, shop::Error> {
    let options = Options::from_env()?;
    let database = open(&options)?;
    let mut run = shop::set_options()?.open(&options.out)?.replace()?;
    add_pages(&database, &mut run)?;
    Ok(run.commit()?)
}

/// Opens the database in `DATABASE_URL`, or creates a database in memory with the sample data.
fn open(options: &Options) -> Result<Connection, shop::Error> {
    let database = match &options.database_url {
        Some(url) => Connection::open(
            url.strip_prefix("sqlite:")
                .ok_or("`DATABASE_URL` is not a `sqlite:` URL; rusqlite reads only SQLite")?,
        )?,
        None => Connection::open_in_memory()?,
    };
    if options.fill || options.database_url.is_none() {
        database.execute_batch(&shop::fill(Engine::Sqlite))?;
    }
    Ok(database)
}

/// Adds all pages of the shop.
fn add_pages(database: &Connection, run: &mut Replacement) -> Result<(), shop::Error> {
    run.add_all(Page::PAGES)?;

    let mut query = database.prepare("SELECT slug FROM categories ORDER BY id")?;
    run.try_add_all(query.query_map([], Category::from_row)?)?;

    let mut last = 0;
    loop {
        let batch = products_after(database, last)?;
        let Some(product) = batch.last() else { break };
        last = product.id;
        run.add_all(batch)?;
    }

    let mut query = database.prepare("SELECT slug, is_draft, revised_on FROM articles ORDER BY id")?;
    run.try_add_all(query.query_map([], Article::from_row)?)?;
    Ok(())
}

/// Reads the next thousand products with their images.
///
/// `OFFSET` would read and discard all earlier rows. With the primary key, the database goes straight to the next rows.
fn products_after(database: &Connection, last: i64) -> rusqlite::Result<Vec<Product>> {
    let mut query = database.prepare_cached(
        "SELECT id, slug, stock, updated_at FROM products WHERE id > ? ORDER BY id LIMIT 1000",
    )?;
    let mut products: Vec<Product> =
        query.query_map([last], Product::from_row)?.collect::<rusqlite::Result<_>>()?;

    let highest = products.last().map_or(last, |product| product.id);
    let mut query = database.prepare_cached(
        "SELECT product_id, url FROM images WHERE product_id > ? AND product_id <= ? ORDER BY product_id, id",
    )?;
    let mut images = query.query(params![last, highest])?;
    while let Some(image) = images.next()? {
        let product_id: i64 = image.get("product_id")?;
        // The products are sorted by ID, as the binary search requires.
        if let Ok(at) = products.binary_search_by_key(&product_id, |product| product.id) {
            products[at].images.push(image.get("url")?);
        }
    }
    Ok(products)
}
