use chrono::NaiveDateTime;
use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = "UTC", with = NaiveDateTime::and_utc)]
    updated_at: NaiveDateTime,
}

fn main() {}
