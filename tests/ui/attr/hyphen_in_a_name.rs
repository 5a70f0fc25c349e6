use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts", locales = ["en"], x-default = "en", skip-if = Self::is_draft)]
struct Posts;

impl Posts {
    fn is_draft(&self) -> bool {
        false
    }
}

fn main() {}
