use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", skip_if = Home::is_draft)]
struct Home;

fn main() {}
