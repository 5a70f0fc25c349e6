use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(rename_all = "kebab-case")]
enum Page {
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/users/{0}")]
    User(u32),
}

fn main() {}
