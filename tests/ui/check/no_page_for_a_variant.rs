use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/")]
    Home,
    About,
    Post { slug: String },
}

fn main() {}
