//! The program from the guide `docs/guides/ten-million-rows.md`.

use std::env;
use std::error::Error;

use chrono::{DateTime, Utc};
use sitemap_core::{Directory, Site, SitemapEntry, SitemapSet, Summary};
use sqlx::{FromRow, PgPool};

#[derive(FromRow, SitemapEntry)]
#[sitemap(loc = "/products/{slug}", section = "products")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
}

async fn publish(pool: &PgPool) -> Result<Summary, Box<dyn Error>> {
    let site = Site::new("https://www.example.com")?;
    let folder = Directory::open("public")?;
    let mut run = SitemapSet::builder(site).gzip().threads(2).storage(folder).replace_async().await?;

    let sql = "SELECT slug, updated_at FROM products ORDER BY id";
    let rows = sqlx::query_as::<_, Product>(sql).fetch(pool);
    run.add_stream(rows).await?;
    Ok(run.commit_async().await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let pool = PgPool::connect(&env::var("DATABASE_URL")?).await?;
    println!("{}", publish(&pool).await?);
    Ok(())
}
