use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(skip, with = str::len)]
    lastmod: String,
}

fn main() {}
