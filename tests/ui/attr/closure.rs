use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", skip_if = |home: &Home| home.draft)]
struct Home {
    draft: bool,
}

fn main() {}
