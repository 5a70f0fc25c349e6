use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slgu()}")]
struct Post {
    title: String,
}

impl Post {
    fn slug(&self) -> &str {
        &self.title
    }
}

fn main() {}
