use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(transparent, loc = "/{0}", priority = 0.5)]
struct Wrapper(#[sitemap(param)] String);

fn main() {}
