use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{year}/{month}")]
struct Archive(u16, u8);

fn main() {}
