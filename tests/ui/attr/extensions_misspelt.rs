use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(image)]
    photo: String,
    #[sitemap(vidoes)]
    clips: (),
    #[sitemap(alternate)]
    versions: (),
}

fn main() {}
