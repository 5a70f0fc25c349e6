use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    #[sitemap(with = str::trim)]
    slug: String,
}

fn main() {}
