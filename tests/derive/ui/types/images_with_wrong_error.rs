use sitemap_core::{Image, SitemapEntry};

struct Broken;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images, with = image)]
    photo: String,
}

fn image(_: &str) -> Result<Image<'_>, Broken> {
    Err(Broken)
}

fn main() {}
