use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = "wekly")]
struct Home;

fn main() {}
