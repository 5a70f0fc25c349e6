use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts", locales = ["en", "de"])]
struct Post {
    #[sitemap(alternates)]
    versions: Vec<(String, String)>,
}

fn main() {}
