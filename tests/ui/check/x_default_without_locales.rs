use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", x_default = "en")]
struct Home;

fn main() {}
