use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(crate = sitemap_core, loc = "/")]
struct Home;

fn main() {}
