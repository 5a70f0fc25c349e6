use sitemap_core::SitemapEntry;

macro_rules! page {
    ($name:ident, $ty:ty, $convert:path) => {
        #[derive(SitemapEntry)]
        #[sitemap(loc = "/{slug}")]
        struct $name {
            #[sitemap(param, with = $convert)]
            slug: String,
            lastmod: $ty,
        }
    };
}

page!(Post, String, length);

fn length(_: u32) -> String {
    String::new()
}

fn main() {}
