use sitemap_core::{Memory, PublishError, Site, SitemapEntry, SitemapSet};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id}")]
struct Post {
    id: u32,
}

fn publish(posts: Vec<Post>) -> Result<(), PublishError> {
    let mut run = SitemapSet::builder(Site::new("https://example.com")?).storage(Memory::new()).replace()?;
    run.add_all(posts)?;
    run.commit().map(|_| ())
}

fn main() {
    let _ = publish(Vec::new());
}
