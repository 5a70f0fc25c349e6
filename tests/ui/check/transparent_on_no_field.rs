use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(transparent)]
    Home,
}

fn main() {}
