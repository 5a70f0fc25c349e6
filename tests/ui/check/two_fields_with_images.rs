use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images)]
    cover: String,
    #[sitemap(images)]
    photos: Vec<String>,
}

fn main() {}
