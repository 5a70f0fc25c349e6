use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images = 10)]
    photos: Vec<String>,
}

fn main() {}
