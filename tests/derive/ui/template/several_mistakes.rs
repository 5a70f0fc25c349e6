use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts//{slgu}#top")]
struct Post {
    slug: String,
}

fn main() {}
