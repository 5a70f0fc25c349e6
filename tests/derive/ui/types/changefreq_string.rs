use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    changefreq: String,
}

fn main() {}
