use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{day:%Y/%B}")]
struct Post {
    day: sitemap_core::LastMod,
}

fn main() {}
