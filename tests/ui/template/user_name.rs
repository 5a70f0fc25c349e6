use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://me:secret@example.com/{slug}")]
struct Post {
    slug: String,
}

fn main() {}
