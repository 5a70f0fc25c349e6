use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/posts/{slug}", skip_if = draft)]
    Post { slug: String, draft: bool },
}

fn main() {}
