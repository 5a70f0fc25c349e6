use sitemap_core::SitemapEntry;

const OFTEN: &str = "weekly";

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = OFTEN)]
struct Home;

fn main() {}
