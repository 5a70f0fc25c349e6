use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = "fortnightly")]
struct Home;

fn main() {}
