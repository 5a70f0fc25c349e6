use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", lastmod = self.lastmod)]
struct Post {
    slug: String,
    lastmod: std::time::SystemTime,
}

fn main() {}
