use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    lastmod: chrono::NaiveDateTime,
}

fn main() {}
