use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Home {
    #[sitemap(lastmod, with = String::len)]
    updated: String,
    #[sitemap(param, with = String::chars)]
    slug: String,
}

fn main() {}
