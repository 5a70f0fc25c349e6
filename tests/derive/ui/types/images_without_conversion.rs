use sitemap_core::SitemapEntry;

struct Photo;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post<'a> {
    #[sitemap(images)]
    photos: &'a [Photo],
}

fn main() {}
