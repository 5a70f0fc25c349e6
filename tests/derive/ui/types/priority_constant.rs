use sitemap_core::SitemapEntry;

const WEIGHT: &str = "0.5";

#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = WEIGHT)]
struct Home;

fn main() {}
