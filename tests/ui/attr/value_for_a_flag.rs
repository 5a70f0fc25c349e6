use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(transparent = true)]
struct Wrapper(String);

fn main() {}
