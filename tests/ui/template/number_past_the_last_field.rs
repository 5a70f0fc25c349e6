use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}/{2}")]
struct Archive(u16, u8);

fn main() {}
