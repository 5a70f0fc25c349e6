use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{day:%Y}")]
struct Post {
    day: String,
}

fn main() {}
