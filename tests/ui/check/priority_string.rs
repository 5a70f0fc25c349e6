use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = "0.8")]
struct Home;

fn main() {}
