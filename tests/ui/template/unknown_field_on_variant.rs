use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/posts/{slgu}")]
    Post { slug: String },
    #[sitemap(loc = "/tags/{tag}")]
    Tag,
}

fn main() {}
