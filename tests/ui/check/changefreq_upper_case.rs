use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = "Weekly")]
struct Home;

fn main() {}
