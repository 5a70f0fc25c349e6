use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(skip, loc = "/admin", transparent)]
    Admin,
}

fn main() {}
