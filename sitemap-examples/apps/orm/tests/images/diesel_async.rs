//! Reads posts and their images with diesel-async.

use std::iter::zip;

use diesel::prelude::*;
use diesel_async::sync_connection_wrapper::SyncConnectionWrapper;
use diesel_async::{AsyncConnection, RunQueryDsl, SimpleAsyncConnection};
use sitemap_core::{Memory, Replacement, Site, SitemapEntry, SitemapSet};

// For PostgreSQL, `diesel_async::AsyncPgConnection`.
type Connection = SyncConnectionWrapper<SqliteConnection>;

diesel::table! {
    posts (id) {
        id -> BigInt,
        slug -> Text,
    }
}

diesel::table! {
    images (id) {
        id -> BigInt,
        post_id -> BigInt,
        url -> Text,
    }
}

#[derive(Identifiable, Queryable, Selectable)]
#[diesel(table_name = posts)]
struct Post {
    id: i64,
    slug: String,
}

#[derive(Associations, Identifiable, Queryable, Selectable)]
#[diesel(table_name = images, belongs_to(Post))]
struct Image {
    id: i64,
    post_id: i64,
    url: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{post.slug}", section = "posts", images = Self::image_urls)]
struct PostWithImages {
    post: Post,
    images: Vec<Image>,
}

impl PostWithImages {
    fn image_urls(&self) -> Vec<&str> {
        self.images.iter().map(|image| &*image.url).collect()
    }
}

async fn add_posts(
    db: &mut Connection,
    run: &mut Replacement,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut last = 0;
    loop {
        let rows = posts::table.filter(posts::id.gt(last)).order(posts::id).limit(1_000);
        let batch: Vec<Post> = rows.select(Post::as_select()).load(db).await?;
        let Some(post) = batch.last() else { return Ok(()) };
        let of_batch = images::post_id.gt(last).and(images::post_id.le(post.id));
        last = post.id;
        let rows = images::table.filter(of_batch).order((images::post_id, images::id));
        let images: Vec<Image> = rows.select(Image::as_select()).load(db).await?;
        let images = images.grouped_by(&batch);
        run.add_all(zip(batch, images).map(|(post, images)| PostWithImages { post, images }))?;
    }
}

#[tokio::test]
async fn publishes_the_images_of_each_post() -> Result<(), shop::Error> {
    let mut db = Connection::establish(":memory:").await?;
    db.batch_execute(super::TABLES).await?;

    let memory = Memory::new();
    let site = Site::new("https://www.example.com")?;
    let mut run = SitemapSet::builder(site).storage(memory.clone()).replace_async().await?;
    add_posts(&mut db, &mut run).await?;
    run.commit_async().await?;

    super::expect_the_entries(&memory)
}
