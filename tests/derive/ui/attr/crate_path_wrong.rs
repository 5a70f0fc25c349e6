use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(crate = ::sitemap, loc = "/", changefreq = "weekly", priority = 0.5)]
struct Home;

fn main() {}
