use sitemap_core::SitemapEntry;

fn often() -> sitemap_core::ChangeFreq {
    sitemap_core::ChangeFreq::Weekly
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = often())]
struct Home;

fn main() {}
