use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", skip_if = "Post::is_draft")]
struct Post {
    #[sitemap(param, with = "to_slug")]
    slug: String,
}

fn main() {}
