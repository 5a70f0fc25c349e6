use sitemap_core::{Error, Image, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images)]
    photo: Result<Image<'static>, Error>,
}

fn main() {}
