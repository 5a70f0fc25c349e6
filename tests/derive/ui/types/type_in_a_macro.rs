use sitemap_core::SitemapEntry;

macro_rules! page {
    ($name:ident, $slug:ty, $date:ty, $images:ty) => {
        #[derive(SitemapEntry)]
        #[sitemap(loc = "/{slug}")]
        struct $name {
            slug: $slug,
            lastmod: $date,
            #[sitemap(images)]
            photos: $images,
        }
    };
}

page!(Post, Vec<String>, String, u32);

fn main() {}
