use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://exa mple.com/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
