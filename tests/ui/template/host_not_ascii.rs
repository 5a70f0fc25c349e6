use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://bücher.example/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
