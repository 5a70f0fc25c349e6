use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{published_at:%Y}")]
struct Home {
    #[sitemap(param, zone = "UTC")]
    published_at: chrono::NaiveDate,
    #[sitemap(zone = "UTC")]
    updated_at: chrono::NaiveDateTime,
}

fn main() {}
