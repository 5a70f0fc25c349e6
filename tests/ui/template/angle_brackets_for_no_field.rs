use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/<title>")]
struct Post {
    slug: String,
}

fn main() {}
