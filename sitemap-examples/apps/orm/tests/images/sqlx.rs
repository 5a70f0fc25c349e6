//! Reads posts and their images with sqlx.

use futures_util::{Stream, TryStreamExt, stream};
use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};
use sqlx::{FromRow, SqlitePool, query_as};

#[derive(FromRow, SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", section = "posts")]
struct Post {
    id: i64,
    slug: String,
    #[sqlx(skip)]
    #[sitemap(images)]
    images: Vec<String>,
}

/// Streams all posts with their images. Reads a thousand posts at a time.
fn posts(pool: &SqlitePool) -> impl Stream<Item = sqlx::Result<Post>> {
    let batches = stream::try_unfold(0, move |last| async move {
        let batch = posts_after(pool, last).await?;
        let next = batch.last().map(|post| post.id);
        Ok::<_, sqlx::Error>(next.map(|next| (stream::iter(batch.into_iter().map(Ok)), next)))
    });
    batches.try_flatten()
}

/// Reads the next thousand posts with their images.
async fn posts_after(pool: &SqlitePool, last: i64) -> sqlx::Result<Vec<Post>> {
    let sql = "SELECT id, slug FROM posts WHERE id > $1 ORDER BY id LIMIT 1000";
    let mut posts: Vec<Post> = query_as(sql).bind(last).fetch_all(pool).await?;
    let highest = posts.last().map_or(last, |post| post.id);
    let sql = "SELECT post_id, url FROM images WHERE post_id > $1 AND post_id <= $2 ORDER BY post_id, id";
    let images: Vec<(i64, String)> = query_as(sql).bind(last).bind(highest).fetch_all(pool).await?;
    for (post_id, url) in images {
        // The posts are sorted by ID, as binary search requires.
        if let Ok(at) = posts.binary_search_by_key(&post_id, |post| post.id) {
            posts[at].images.push(url);
        }
    }
    Ok(posts)
}

#[tokio::test]
async fn publishes_the_images_of_each_post() -> Result<(), shop::Error> {
    let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    sqlx::raw_sql(super::TABLES).execute(&pool).await?;

    let memory = Memory::new();
    let site = Site::new("https://www.example.com")?;
    let mut run = SitemapSet::builder(site).storage(memory.clone()).replace_async().await?;
    run.add_stream(posts(&pool)).await?;
    run.commit_async().await?;

    super::expect_the_entries(&memory)
}
