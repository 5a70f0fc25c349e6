use sitemap_core::{Memory, PublishError, Publisher, Site, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id}")]
struct Post {
    id: u32,
}

fn publish(posts: Vec<Post>) -> Result<(), PublishError> {
    let mut publisher = Publisher::builder(Site::new("https://example.com")?).to_storage(Memory::new())?;
    publisher.add_all(posts)?;
    publisher.finish().map(|_| ())
}

fn main() {
    let _ = publish(Vec::new());
}
