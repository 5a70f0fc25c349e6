//! Reads posts and their images with SeaORM.

use futures_util::{Stream, TryStreamExt, stream};
use sea_orm::compound::EntityLoaderTrait;
use sea_orm::{
    ColumnTrait, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, QueryFilter,
};
use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};

mod post {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "posts")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub slug: String,
        #[sea_orm(has_many)]
        pub images: HasMany<super::image::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod image {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "images")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub post_id: i64,
        pub url: String,
        #[sea_orm(belongs_to, from = "post_id", to = "id")]
        pub post: BelongsTo<super::post::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{post.slug}", section = "posts", images = Self::image_urls)]
struct Post {
    post: post::ModelEx,
}

impl Post {
    fn image_urls(&self) -> Vec<&str> {
        let mut images: Vec<_> = self.post.images.iter().collect();
        // The loader returns images in any order. Sort them, so that the same images always give the same file.
        images.sort_by_key(|image| image.id);
        images.into_iter().map(|image| &*image.url).collect()
    }
}

/// Streams all posts with their images. Reads a thousand posts at a time.
fn posts(db: &DatabaseConnection) -> impl Stream<Item = Result<Post, DbErr>> {
    let batches = stream::try_unfold(0, move |last| async move {
        let rest = post::Entity::load().filter(post::Column::Id.gt(last)).order_by_id_asc();
        let batch = rest.with(image::Entity).paginate(db, 1_000).fetch_page(0).await?;
        let next = batch.last().map(|post| post.id);
        let posts = batch.into_iter().map(|post| Ok(Post { post }));
        Ok::<_, DbErr>(next.map(|next| (stream::iter(posts), next)))
    });
    batches.try_flatten()
}

#[tokio::test]
async fn publishes_the_images_of_each_post() -> Result<(), shop::Error> {
    let mut options = ConnectOptions::new("sqlite::memory:");
    // Each connection would have its own in-memory database.
    options.max_connections(1);
    let db = Database::connect(options).await?;
    db.execute_unprepared(super::TABLES).await?;

    let memory = Memory::new();
    let site = Site::new("https://www.example.com")?;
    let mut run = SitemapSet::builder(site).storage(memory.clone()).replace_async().await?;
    run.add_stream(posts(&db)).await?;
    run.commit_async().await?;

    super::expect_the_entries(&memory)
}
