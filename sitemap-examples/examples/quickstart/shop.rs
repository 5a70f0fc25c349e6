//! A shop's database, and structs for its rows, annotated for the sitemap.

use chrono::{DateTime, Days, NaiveDate, Utc};
use rusqlite::{Connection, Row, params};
use sitemap_core::{PublishError, SitemapEntry};

/// The static pages, which are not in the database.
#[derive(SitemapEntry)]
#[sitemap(changefreq = "monthly")]
pub enum Page {
    #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
    Home,
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/shipping-and-returns")]
    Shipping,
    #[sitemap(loc = "/contact")]
    Contact,
}

/// A row of `products`. A sold-out product has no page.
#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}/{slug}", skip_if = Product::is_sold_out)]
pub struct Product {
    id: u32,
    slug: String,
    stock: u32,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
}

impl Product {
    fn is_sold_out(&self) -> bool {
        self.stock == 0
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            slug: row.get("slug")?,
            stock: row.get("stock")?,
            updated_at: row.get("updated_at")?,
        })
    }
}

/// A row of `articles`.
#[derive(SitemapEntry)]
#[sitemap(loc = "/journal/{slug}")]
pub struct Article {
    slug: String,
    #[sitemap(lastmod)]
    revised_on: Option<NaiveDate>,
    #[sitemap(skip_if)]
    is_draft: bool,
}

impl Article {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            slug: row.get("slug")?,
            revised_on: row.get("revised_on")?,
            is_draft: row.get("is_draft")?,
        })
    }
}

/// Passes all products to `publish`, row by row, without loading the whole table.
pub fn each_product(
    database: &Connection,
    publish: impl FnOnce(&mut dyn Iterator<Item = rusqlite::Result<Product>>) -> Result<(), PublishError>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut query = database.prepare("SELECT id, slug, stock, updated_at FROM products ORDER BY id")?;
    Ok(publish(&mut query.query_map([], Product::from_row)?)?)
}

/// Passes all articles to `publish`, row by row.
pub fn each_article(
    database: &Connection,
    publish: impl FnOnce(&mut dyn Iterator<Item = rusqlite::Result<Article>>) -> Result<(), PublishError>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut query = database.prepare("SELECT slug, revised_on, is_draft FROM articles ORDER BY slug")?;
    Ok(publish(&mut query.query_map([], Article::from_row)?)?)
}

/// Creates and fills a database in memory.
pub fn open() -> rusqlite::Result<Connection> {
    const THINGS: [&str; 6] = ["chair", "table", "Käsebrett", "lamp & shade", "shelf", "desk 50%"];

    let mut database = Connection::open_in_memory()?;
    database.execute_batch(
        "CREATE TABLE products (
             id INTEGER PRIMARY KEY, slug TEXT NOT NULL, stock INTEGER NOT NULL, updated_at TEXT NOT NULL);
         CREATE TABLE articles (
             slug TEXT PRIMARY KEY, revised_on TEXT, is_draft INTEGER NOT NULL);",
    )?;
    let fill = database.transaction()?;
    {
        let mut product = fill.prepare("INSERT INTO products VALUES (?, ?, ?, ?)")?;
        let opening = DateTime::UNIX_EPOCH + Days::new(18_000);
        for id in 1..=120_000_u32 {
            let slug = THINGS[id as usize % THINGS.len()];
            let updated_at = opening + Days::new(u64::from(id % 1_500));
            product.execute(params![id, slug, id % 40, updated_at])?;
        }
        let mut article = fill.prepare("INSERT INTO articles VALUES (?, ?, ?)")?;
        for number in 1..=300_u32 {
            let revised_on = NaiveDate::from_yo_opt(2025, 1 + number).filter(|_| number % 3 > 0);
            article.execute(params![format!("issue-{number}"), revised_on, number % 50 == 0])?;
        }
    }
    fill.commit()?;
    Ok(database)
}
