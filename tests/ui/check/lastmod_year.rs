use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "0000-01-01")]
struct Home;

fn main() {}
