use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
enum Route {
    #[sitemap(loc = "/")]
    Home,
}

fn main() {}
