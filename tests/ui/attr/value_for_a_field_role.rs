use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
struct Post {
    #[sitemap(loc = "/posts")]
    url: String,
    #[sitemap(priority = 0.5)]
    weight: f32,
    #[sitemap(skip_if = is_draft)]
    draft: bool,
}

fn main() {}
