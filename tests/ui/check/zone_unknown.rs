use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = "Europe/Berlin")]
    updated_at: chrono::NaiveDateTime,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/about")]
struct About {
    #[sitemap(lastmod, zone = "+15:00")]
    updated_at: chrono::NaiveDateTime,
}

fn main() {}
