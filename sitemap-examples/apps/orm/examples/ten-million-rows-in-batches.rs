//! The program from the guide `docs/guides/ten-million-rows.md`, in batches.

use std::env;
use std::error::Error;

use chrono::{DateTime, Utc};
use futures_util::{Stream, TryStreamExt, stream};
use sitemap_core::{Directory, Site, SitemapEntry, SitemapSet, Summary};
use sqlx::{FromRow, PgPool};

#[derive(FromRow, SitemapEntry)]
#[sitemap(loc = "/products/{slug}", section = "products")]
struct Product {
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
}

fn products(pool: &PgPool) -> impl Stream<Item = sqlx::Result<Product>> {
    let batches = stream::try_unfold(0, move |last| async move {
        let sql = "SELECT id, slug, updated_at FROM products WHERE id > $1 ORDER BY id LIMIT 10000";
        let batch: Vec<Product> = sqlx::query_as(sql).bind(last).fetch_all(pool).await?;
        let next = batch.last().map(|product| product.id);
        Ok::<_, sqlx::Error>(next.map(|next| (stream::iter(batch.into_iter().map(Ok)), next)))
    });
    batches.try_flatten()
}

async fn publish(pool: &PgPool) -> Result<Summary, Box<dyn Error>> {
    let site = Site::new("https://www.example.com")?;
    let folder = Directory::open("public")?;
    let mut run = SitemapSet::builder(site).gzip().threads(2).storage(folder).replace_async().await?;
    run.add_stream(products(pool)).await?;
    Ok(run.commit_async().await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let pool = PgPool::connect(&env::var("DATABASE_URL")?).await?;
    println!("{}", publish(&pool).await?);
    Ok(())
}
