use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?page={page?}")]
struct Post {
    page: u32,
}

fn main() {}
