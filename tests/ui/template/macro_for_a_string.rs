use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = concat!("/posts/", "{slug}"))]
struct Post {
    slug: String,
}

fn main() {}
