use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(locc = "/")]
    Home,
    #[sitemap(skip)]
    Admin,
}

fn main() {}
