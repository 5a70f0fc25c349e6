use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images, with = count)]
    photos: Vec<String>,
}

fn count(photos: &[String]) -> usize {
    photos.len()
}

fn main() {}
