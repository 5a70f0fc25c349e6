use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{day:yyyy/MM/dd}")]
struct Post {
    day: sitemap_core::LastMod,
}

fn main() {}
