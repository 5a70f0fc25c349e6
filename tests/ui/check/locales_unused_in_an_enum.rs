use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(locales = ["en"])]
enum Route {
    #[sitemap(loc = "/")]
    Home,
}

fn main() {}
