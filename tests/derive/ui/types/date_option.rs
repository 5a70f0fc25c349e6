use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{day:%Y}")]
struct Post {
    day: Option<sitemap_core::LastMod>,
}

fn main() {}
