use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{self.slug}")]
struct Post {
    slug: String,
}

fn main() {}
