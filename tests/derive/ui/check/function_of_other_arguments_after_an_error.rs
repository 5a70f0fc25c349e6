use sitemap_core::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}/{missing}")]
struct Post {
    #[sitemap(param, with = by_value)]
    id: u32,
}

fn by_value(id: u32) -> u32 {
    id
}

fn main() {}
