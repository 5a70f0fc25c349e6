use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(url = "/posts/{slug}", freq = "weekly", lastModified = "2026", languages = ["en"], image, exclude = Self::x)]
struct Post {
    #[sitemap(image)]
    slug: String,
    #[sitemap(modified)]
    changed: String,
    #[sitemap(hidden)]
    draft: bool,
}

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(path = "/")]
    Home,
    #[sitemap(ignore)]
    Admin,
}

fn main() {}
