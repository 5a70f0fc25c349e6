use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", skip_if = is_draft)]
struct Home;

fn is_draft(_: &Home) -> Option<bool> {
    None
}

fn main() {}
