use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = Utc)]
    updated_at: chrono::NaiveDateTime,
}

fn main() {}
