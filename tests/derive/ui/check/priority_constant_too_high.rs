use sitemap_core::SitemapEntry;

const WEIGHT: f64 = 2.0;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = WEIGHT * 0.75)]
struct Home;

fn main() {}
