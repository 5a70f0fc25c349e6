use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    slug: String,
    #[sitemap(lastmood)]
    updated: Option<std::time::SystemTime>,
}

fn main() {}
