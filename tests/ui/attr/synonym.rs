use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", change_frequency = "daily")]
struct Posts {
    #[sitemap(last_modified)]
    newest: std::time::SystemTime,
}

fn main() {}
